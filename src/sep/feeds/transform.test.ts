/** The steps of transform, row by row (spec/sep/README.md, "Transformations"). */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mostJsonLevels } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';
import { extentOf } from '../values/extent.ts';
import { playRun } from '../executor/scripted-run.ts';
import { scriptedSources } from '../executor/sources.ts';
import type { FeedSpec } from './feed.ts';
import { actInternally } from './internal.ts';
import { manifestOf } from '../manifest/manifest.ts';
import { FeedStore } from './store.ts';
import { mostTransformSteps, transformed } from './transform.ts';
import type { TransformStep } from './transform.ts';

const load = { load: { cpu: [45.2, 3] }, host: 'a', 'odd key': null };
const people = [
  { name: 'Bo', age: 30 },
  { name: 'Al', age: 4 },
];

const one = (step: TransformStep, value: Json): unknown => {
  const result = transformed([step], value, 1000);
  return result.ok ? result.value : result.error;
};

describe('a step', () => {
  it.each<[TransformStep, Json, Json]>([
    [{ pick: 'load.cpu[0]' }, load, 45.2],
    [{ pick: '[1].name' }, people, 'Al'],
    [{ pick: 'odd key' }, load, null],
    [{ pick: '' }, 7, 7],
    [{ keys: ['host', 'absent', 'load'] }, load, { host: 'a', load: load.load }],
    [{ keys: ['age'] }, people, [{ age: 30 }, { age: 4 }]],
    [{ first: 1 }, [1, 2, 3], [1]],
    [{ last: 2 }, [1, 2, 3], [2, 3]],
    [{ last: 0 }, [1, 2, 3], []],
    [{ last: 9 }, [1, 2, 3], [1, 2, 3]],
    [{ first: 2 }, 'a\r\nb\nc\n', 'a\nb'],
    [{ last: 1 }, 'a\nb\n', 'b'],
    [{ keep: 'ERROR' }, 'x\nERROR 1\ny\nERROR 2', 'ERROR 1\nERROR 2'],
    [{ drop: '"age":4' }, people, [people[0] ?? null]],
    [{ sort: 'age' }, people, people.toReversed()],
    [{ sort: 'name' }, people, people.toReversed()],
    [{ sort: '' }, [10, 9, 1], [1, 9, 10]],
    // By code points: U+FF5E is before U+1F600, whose first UTF-16 unit is smaller.
    [{ sort: '' }, ['😀', '～', 'ab', 'a'], ['a', 'ab', '～', '😀']],
    [{ unique: true }, [{ a: 1, b: 2 }, { b: 2, a: 1 }, 1, '1', 1], [{ a: 1, b: 2 }, 1, '1']],
    [{ unique: true }, 'a\nb\na', 'a\nb'],
    [{ count: true }, [1, 2], 2],
    [{ count: true }, 'a\n\nb\n', 3],
    [{ count: true }, '', 0],
    [{ count: true }, load, 3],
    [{ join: ', ' }, ['a', 1, { b: 2 }, null], 'a, 1, {"b":2}, null'],
    [{ join: ', ' }, [], ''],
    [{ lines: true }, 'a\nb\n', ['a', 'b']],
    [{ parse: 'json' }, '{"a": [1]}', { a: [1] }],
    [{ replace: ['.*', '$&'] }, 'a.*b.*', 'a$&b$&'],
    [{ format: 'load $value, $values, $$value' }, [1], 'load [1], $values, $value'],
    [{ format: '$value' }, '$value', '$value'],
  ])('%j of %j gives %j', (step, value, changed) => expect(one(step, value)).toEqual(changed));

  it.each<[TransformStep, Json, string]>([
    [{ pick: 'a' }, 'secret', 'step 1 of transform (pick): expected an object or a list; came a text'],
    [{ pick: 'a' }, load, 'step 1 of transform (pick): expected a value at its path; there is none'],
    [{ pick: 'toString' }, {}, 'step 1 of transform (pick): expected a value at its path; there is none'],
    [{ pick: 'length' }, [1], 'step 1 of transform (pick): expected a value at its path; there is none'],
    [
      { keys: ['a'] },
      1,
      'step 1 of transform (keys): expected an object or a list of objects; came a number',
    ],
    [
      { keys: ['a'] },
      [{}, 'secret'],
      'step 1 of transform (keys): expected a list of objects; came an item that is a text',
    ],
    [{ first: 1 }, {}, 'step 1 of transform (first): expected a list or a text; came an object'],
    [{ keep: 'a' }, true, 'step 1 of transform (keep): expected a list or a text; came true or false'],
    [{ sort: '' }, 'a', 'step 1 of transform (sort): expected a list; came a text'],
    [
      { sort: '' },
      [1, 'a'],
      'step 1 of transform (sort): expected numbers alone, or texts alone, at its path of the items; came others',
    ],
    [{ count: true }, null, 'step 1 of transform (count): expected a list, a text or an object; came null'],
    [{ join: '' }, 'a', 'step 1 of transform (join): expected a list; came a text'],
    [{ lines: true }, ['a'], 'step 1 of transform (lines): expected a text; came a list'],
    [{ parse: 'json' }, 'secret', 'step 1 of transform (parse): expected JSON; came another text'],
    [{ parse: 'json' }, '['.repeat(600), 'step 1 of transform (parse): expected JSON; came another text'],
    [{ replace: ['a', 'b'] }, [], 'step 1 of transform (replace): expected a text; came a list'],
  ])('%j of %j does not fit', (step, value, error) => expect(one(step, value)).toBe(error));

  it.each<[TransformStep, Json]>([
    [{ replace: ['a', 'b'.repeat(101)] }, 'a'.repeat(10)],
    [{ join: 'x'.repeat(600) }, [1, 2, 3]],
    [{ format: '$value '.repeat(20) }, 'y'.repeat(60)],
    [{ lines: true }, 'a\n'.repeat(400)],
  ])('does not make more of a value than the limit: %j', (step, value) =>
    expect(one(step, value)).toMatch(/expected its value to have at most 1000 characters; came more$/),
  );
});

it('steps are carried out in order, and one that does not fit is named by its number', () => {
  const steps: readonly TransformStep[] = [{ lines: true }, { count: true }, { first: 1 }];
  expect(transformed(steps.slice(0, 2), 'a\nb', 100)).toEqual({ ok: true, value: 2 });
  expect(transformed(steps, 'a\nb', 100)).toEqual({
    ok: false,
    error: 'step 3 of transform (first): expected a list or a text; came a number',
  });
});

const paths = fc.constantFrom('', 'a', '[0]', 'a[0].b', '__proto__', 'length');
const texts = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('$value', '\n', 'a\nb\r\n', '{"a":[1]}', '\ud800'),
);
const anyStep: fc.Arbitrary<TransformStep> = fc.oneof(
  fc.record({ pick: paths }),
  fc.record({ keys: fc.array(texts, { maxLength: 3 }) }),
  fc.record({ first: fc.nat(4) }),
  fc.record({ last: fc.nat(4) }),
  fc.record({ keep: texts }),
  fc.record({ drop: texts }),
  fc.record({ sort: paths }),
  fc.record({ unique: fc.constant(true as const) }),
  fc.record({ count: fc.constant(true as const) }),
  fc.record({ join: texts }),
  fc.record({ lines: fc.constant(true as const) }),
  fc.record({ parse: fc.constant('json' as const) }),
  fc.record({ replace: fc.tuple(fc.string({ minLength: 1, maxLength: 2 }), texts) }),
  fc.record({ format: texts }),
);
const anyValue = fc.oneof(
  fc.jsonValue(),
  texts,
  fc.array(texts),
  fc.array(fc.record({ a: fc.array(fc.nat()) })),
) as fc.Arbitrary<Json>;

it('any steps of any value give JSON within the limit, or a sentence; the value stays as it was', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 16 }), anyValue, fc.nat(200), (steps, value, most) => {
      const before = JSON.stringify(value);
      const result = transformed(steps, value, most);
      expect(JSON.stringify(value)).toBe(before);
      if (!result.ok) {
        expect(result.error).toMatch(/^step \d+ of transform \(\w+\): expected /);
        return;
      }
      if (steps.length === 0) return;
      const { levels, characters, foreign } = extentOf(result.value, most, new WeakMap());
      expect({ isDeep: levels > mostJsonLevels, isLarge: characters > most, foreign }).toEqual({
        isDeep: false,
        isLarge: false,
        foreign: undefined,
      });
    }),
    { numRuns: 5000 },
  );
});

const feed = (transform: readonly TransformStep[], more: Partial<FeedSpec> = {}): FeedSpec => ({
  id: 'log',
  trigger: 'on_demand',
  enabled: true,
  source: { type: 'tool', name: 'log', params: {} },
  transform,
  ...more,
});

const played = (spec: FeedSpec, transformations?: boolean) =>
  playRun({
    iterations: [['<response>$log</response>']],
    feeds: { feeds: [spec] },
    sources: scriptedSources({ values: { log: ['k3y 1\nk3y 2\nk3y 3'] } }),
    ...(transformations === undefined ? {} : { extensions: { transformations } }),
  }).events.flatMap((event) => {
    if (event.type === 'context_feed' || event.type === 'response') return [`${event.type} ${event.text}`];
    return event.type === 'diagnostic' ? [event.message] : [];
  });

describe('a feed with transform', () => {
  it('shows its value behind all steps, and cuts it then', () => {
    const spec = feed([{ drop: '2' }, { replace: ['k3y', 'key'] }]);
    expect(played(spec, true)).toEqual(['context_feed key 1\nkey 3', 'response key 1\nkey 3']);
    expect(played({ ...spec, maxTokens: 1 }, true)).toEqual(['context_feed key ', 'response key ']);
  });

  it('fails with the step that does not fit', () => {
    expect(played(feed([{ lines: true }, { pick: 'a' }]), true)[0]).toBe(
      'expected a value of the feed log; it failed: step 2 of transform (pick): expected a value at its path; there is none; it has no value',
    );
  });

  it.each([undefined, false])('fails where the extension is off, and its source is not asked (%s)', (on) => {
    let asked = 0;
    const run = playRun({
      iterations: [['<response>$log</response>']],
      feeds: { feeds: [feed([{ first: 1 }])] },
      sources: () => ({ value: asked++ }),
      ...(on === undefined ? {} : { extensions: { transformations: on } }),
    });
    expect(asked).toBe(0);
    expect(run.events.find(({ type }) => type === 'diagnostic')).toMatchObject({
      code: 'feed-failed',
      message:
        'expected a value of the feed log; it failed: it has transform, and transformations are off; it has no value',
    });
    const store = new FeedStore({ feeds: [feed([])] });
    const fetch = store.begin('log', 0);
    if (fetch !== undefined) store.settle(fetch, { value: 'k3y' }, 0);
    expect(store.valueOf('log')).toBeUndefined();
  });

  it('loses its value when its transform changes, and keeps it otherwise', () => {
    const store = new FeedStore({ feeds: [feed([{ first: 1 }])], transformations: true });
    const fetch = store.begin('log', 0);
    if (fetch !== undefined) store.settle(fetch, { value: 'a\nb' }, 0);
    const act = (parameters: { readonly [key: string]: Json }): unknown =>
      actInternally(
        { name: 'update_context_feed', parameters: { id: 'log', ...parameters } },
        { store, now: 0 },
      );
    expect(act({ cache_ttl: 5 })).toEqual({ output: { updated: 'log' } });
    expect(act({ transform: [{ first: 1 }] })).toEqual({ output: { updated: 'log' } });
    expect(store.valueOf('log')).toBe('a');
    expect(act({ transform: [{ first: 1, last: 1 }] })).toMatchObject({
      error: expect.stringContaining('transform[0]: expected exactly one of pick, keys, first') as string,
    });
    expect(act({ transform: [{ first: 2 }] })).toEqual({ output: { updated: 'log' } });
    expect(store.valueOf('log')).toBeUndefined();
    expect(store.entry('log')?.spec.transform).toEqual([{ first: 2 }]);
    expect(act({ transform: null })).toEqual({ output: { updated: 'log' } });
    expect(store.entry('log')?.spec.transform).toBeUndefined();
  });

  it('fails where a value between its steps is larger than mostFeedValue, though the last one is not', () => {
    const transform = [{ replace: ['a', 'bbbb'] }, { count: true }] as const;
    const settled = (mostFeedValue: number): unknown => {
      const store = new FeedStore({ feeds: [feed(transform)], transformations: true, mostFeedValue });
      const fetch = store.begin('log', 0);
      return fetch === undefined ? undefined : store.settle(fetch, { value: 'aaaa' }, 0);
    };
    // Four times four characters, and two quotes.
    expect(settled(18)).toEqual({ id: 'log', text: '1' });
    expect(settled(17)).toMatchObject({
      diagnostic: expect.stringContaining(
        'step 1 of transform (replace): expected its value to have at most 17 characters; came more',
      ) as string,
    });
  });

  it('is listed without it: the environment may have put secrets there', () => {
    const store = new FeedStore({ feeds: [feed([{ replace: ['k3y', ''] }])] });
    const listed = actInternally({ name: 'list_context_feeds', parameters: {} }, { store, now: 0 });
    expect(JSON.stringify(listed)).toContain('"log"');
    expect(JSON.stringify(listed)).not.toContain('k3y');
  });
});

describe('transform in a manifest', () => {
  const read = (transform: Json) =>
    manifestOf([{ id: 'log', type: 'tool', source: { name: 'log' }, transform }], {
      env: { KEY: 'k3y' },
    });

  it('is read, with variables of the environment in its texts', () => {
    const result = read([{ replace: ['${KEY}', '***'] }, { parse: 'json' }]);
    expect(result.ok && result.value.manifest.feeds[0]?.transform).toEqual([
      { replace: ['k3y', '***'] },
      { parse: 'json' },
    ]);
    expect(read(null).ok).toBe(true);
    expect(read([]).ok).toBe(true);
  });

  it.each<[Json, string, RegExp]>([
    [{ pick: 'a' }, '[0].transform', /expected an array/],
    [[{}], '[0].transform[0]', /expected exactly one of pick, keys/],
    [[{ pick: 'a', first: 1 }], '[0].transform[0]', /expected exactly one of pick, keys/],
    [[{ picks: 'a' }], '[0].transform[0].picks', /expected no keys but pick, keys/],
    [[{ pick: 'a..b' }], '[0].transform[0].pick', /expected a path such as load\.cpu\[0\]/],
    [[{ sort: 'a[x]' }], '[0].transform[0].sort', /expected a path such as load\.cpu\[0\]/],
    [[{ first: -1 }], '[0].transform[0].first', /expected an integer from 0/],
    [[{ unique: false }], '[0].transform[0].unique', /expected true/],
    [[{ parse: 'yaml' }], '[0].transform[0].parse', /expected json/],
    [[{ replace: ['', 'x'] }], '[0].transform[0].replace[0]', /expected a text that is not empty/],
    [[{ replace: ['a'] }], '[0].transform[0].replace', /expected a list of 2 to 2 items/],
    [
      Array.from({ length: 17 }, () => ({ first: 1 })),
      '[0].transform',
      /expected a list of at most 16 items/,
    ],
  ])('%j is refused', (transform, path, message) => {
    const result = read(transform);
    expect(result.ok ? undefined : result.error).toMatchObject({
      path,
      message: expect.stringMatching(message) as string,
    });
  });

  it('has as many steps as the schema allows', () => {
    const schema = readFileSync(new URL('../../../spec/sep/manifest.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(schema)).toMatchObject({
      definitions: { feed: { properties: { transform: { maxItems: mostTransformSteps } } } },
    });
  });
});
