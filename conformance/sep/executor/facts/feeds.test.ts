/** Verdicts on the feeds of single answers: each fact can be right and wrong, and forgives what the page leaves open. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { standsFor } from './feeds.ts';
import { injectedIn } from './injected.ts';
import { judgeRun } from '../judge.ts';

const features = ['diagnostics', 'transcripts', 'manifests', 'internal_actions'];

interface Run {
  readonly events?: readonly JsonObject[];
  readonly transcripts?: readonly string[];
  readonly request?: JsonObject;
  readonly without?: string;
}

const judged = (
  wanted: JsonObject,
  { events = [], transcripts = [], request = {}, without = '' }: Run,
): unknown =>
  judgeRun('SEP-60', {
    expect: wanted,
    request: { op: 'sep.run', iterations: [[]], ...request },
    answer: { ok: { events: [...events], transcripts: [...transcripts] } },
    features: features.filter((name) => name !== without),
    isVirtual: true,
  });

const fetched = (id: string, text: string, at = 0): JsonObject => ({
  type: 'context_feed',
  id,
  text,
  runtime: true,
  at,
});

describe('a fact of more than one value', () => {
  const paces = (...times: readonly number[]): Run => ({
    events: times.map((at) => fetched('load', `value at ${at}`, at)),
  });
  const wanted = { paced: { load: { from: 10, every: 20 } } };

  it.each([[[0, 20, 40, 60]], [[0, 30, 50]], [[0, 10, 30, 50]], [[0, 10.1, 30.1, 50.1]]])(
    'fetches at %j have the interval of 20 s after 10 s',
    (times) => expect(judged(wanted, paces(...times))).toBe('exercised'),
  );

  it.each([[[0]], [[0, 20]], [[0, 30, 60]], [[0, 20, 30, 50]], [[0, 35, 55]], [[0, 20, 41]]])(
    'fetches at %j have another interval',
    (times) =>
      expect(judged(wanted, paces(...times))).toEqual({
        violated: `expected a fetch of the feed load each 20 s after its update at 10 s; came fetches at ${times.join(', ')} s`,
      }),
  );

  it('compares all moments of a clock, where it wants several', () => {
    const [one, two] = ['2024-06-15T12:34:56Z', '2024-06-15T12:35:56Z'];
    const both = { events: [fetched('clock', one), fetched('clock', two)] };
    expect(judged({ times: { clock: [one, two] } }, both)).toBe('exercised');
    expect(judged({ times: { clock: one } }, both)).toBe('exercised');
    expect(judged({ times: { clock: [one, two] } }, { events: [fetched('clock', one)] })).toEqual({
      violated: `expected the time "${one}", "${two}" of the feed clock; came "${one}"`,
    });
  });

  it('a cut object is shorter than the object, in any form', () => {
    const object = { words: 'word '.repeat(9) };
    const cut = (text: string): unknown =>
      judged({ shortened: { load: object } }, { events: [fetched('load', text)] });
    expect(cut('{ "words": "wor')).toBe('exercised');
    expect(cut(JSON.stringify(object))).toHaveProperty('violated');
    expect(cut('')).toHaveProperty('violated');
  });

  it('an action that may fail shows nothing where it did', () => {
    const demand = { mayFail: ['up'], response: 'Now low.' };
    const says = (text: string): JsonObject => ({ type: 'response', text, at: 0 });
    const failed = { type: 'failed', id: 'up', error: 'no', at: 0 };
    expect(judged(demand, { events: [failed, says('Now high.')] })).toBeUndefined();
    expect(judged(demand, { events: [says('Now high.')] })).toHaveProperty('violated');
    expect(judged(demand, { events: [says('Now low.')] })).toBe('exercised');
  });

  it('the final response is judged by itself', () => {
    const says = (text: string, final: boolean): JsonObject => ({ type: 'response', text, final, at: 0 });
    expect(
      judged({ finalResponse: 'Done.' }, { events: [says('It costs 3', false), says('Done.', true)] }),
    ).toBe('exercised');
    expect(
      judged({ finalResponse: 'Done.' }, { events: [says('It costs ', false), says('3Done.', true)] }),
    ).toEqual({ violated: 'expected the text of the final response "Done."; came "3Done."' });
  });
});

describe('an executor whose events do not tell what was fetched', () => {
  const untold = { unknowable: expect.stringMatching('no event context_feed') };
  const says = (text: string): Run => ({ events: [{ type: 'response', text, at: 0 }] });

  it('is judged by its responses alone', () => {
    expect(judged({ fetched: { load: ['one'] } }, says('Load one.'))).toEqual(untold);
    expect(judged({ fetched: { load: ['one'] }, said: 'Load one.' }, says('Load one.'))).toEqual(untold);
    expect(judged({ said: 'Load one.' }, says('Load one.'))).toBe('exercised');
    expect(judged({ fetched: { load: ['one'] }, said: 'Load one.' }, says('Load $load.'))).toEqual({
      violated: 'expected the text of responses "Load one."; came "Load $load."',
    });
  });

  it('need not mark its events where the model writes none', () => {
    const events = [{ type: 'context_feed', id: 'load', text: 'one', at: 0 }];
    expect(judged({ fetched: { load: ['one'] } }, { events })).toBe('exercised');
    const request = { iterations: [['<context_feed id="load">one</context_feed>']] };
    expect(judged({ fetched: { load: ['one'] } }, { events, request })).toEqual(untold);
  });

  it('is not judged by its responses where its events tell it', () => {
    const events = [fetched('load', 'one'), { type: 'response', text: 'Load $load.', at: 0 }];
    expect(judged({ fetched: { load: ['one'] }, said: 'Load one.' }, { events })).toBe('exercised');
  });
});

describe('a fact of what was fetched', () => {
  const request = { iterations: [['<context_feed id="load">of the model</context_feed>']] };
  const events = [
    fetched('load', 'one'),
    fetched('load', 'one', 10),
    { type: 'context_feed', id: 'load', text: 'of the model', at: 20 },
    fetched('load', 'two', 30),
    fetched('metrics', '{ "cpu": 45.2 }', 1),
    fetched('clock', '2024-06-15T12:34:56.000Z'),
    fetched('long', 'wor'),
    fetched('face', 'a \ud83d'),
    fetched('empty', ''),
  ];

  it.each<[JsonObject, JsonObject, string]>([
    [
      { fetched: { load: ['one', 'two'] } },
      { fetched: { load: ['one'] } },
      'expected the values "one" of the feed load; came "one", "two"',
    ],
    [{ fetched: { load: ['one', ' two '] } }, { fetched: { load: ['one', 'three'] } }, 'came "one", "two"'],
    [
      { fetched: { metrics: [{ cpu: 45.2 }] } },
      { fetched: { metrics: [{ cpu: 45 }] } },
      'of the feed metrics; came',
    ],
    [{ fetched: {} }, { fetched: { nobody: [1] } }, 'expected the values 1 of the feed nobody; came nothing'],
    [
      { fetchedAt: { load: [0, 30.01] } },
      { fetchedAt: { load: [0, 20] } },
      'expected fetches of the feed load at 0, 20 s; came fetches at 0, 30',
    ],
    [
      { fetchedAt: { load: [0, 29.9] } },
      { fetchedAt: { load: [0, 30.1] } },
      'expected fetches of the feed load at 0, 30.1 s; came fetches at 0, 30',
    ],
    [{ fetchedAt: { metrics: [1] } }, { fetchedAt: { nobody: [0] } }, 'came none'],
    [
      { times: { clock: '2024-06-15T14:34:56+02:00' } },
      { times: { clock: '2024-06-15T12:34:57Z' } },
      'expected the time "2024-06-15T12:34:57Z" of the feed clock; came "2024-06-15T12:34:56.000Z"',
    ],
    [{ times: {} }, { times: { nobody: '2024-06-15T12:34:56Z' } }, 'of the feed nobody; came nothing'],
    [
      { shortened: { long: 'words' } },
      { shortened: { long: 'wor' } },
      'expected a begin of "wor" in the feed long; came 3 characters: "wor"',
    ],
    [{ shortened: {} }, { shortened: { long: 'wor ' } }, 'expected a begin of "wor"'],
    [{ shortened: {} }, { shortened: { long: 'more' } }, 'expected a begin of "more"'],
    [{ shortened: {} }, { shortened: { face: 'a \ud83d\ude00' } }, 'expected a begin of'],
    [{ shortened: {} }, { shortened: { empty: 'words' } }, 'came 0 characters'],
    [{ shortened: {} }, { shortened: { nobody: 'words' } }, 'expected a value of the feed nobody; came none'],
  ])('%j is exercised, %j is not', (right, wrong, words) => {
    expect(judged(right, { events, request })).toBe('exercised');
    expect(judged(wrong, { events, request })).toEqual({
      violated: expect.stringContaining(words) as string,
    });
  });

  it('is wrong where the events have no form', () => {
    expect(judged({ fetched: { load: ['one'] } }, { events: [{}] })).toEqual({
      violated: 'expected events[0].type to be a text; came nothing',
    });
  });
});

describe('a fact of what the model sees', () => {
  const transcripts = [
    '<context_feed id="load">\na &lt; b\n</context_feed>\n<context_feed stale="true" id=\'metrics\'>{"cpu": 45.2}</context_feed >the output',
    '<context_feed id="load" truncated="true">\nlow\n</context_feed>',
  ];

  it.each<[JsonObject, JsonObject, string]>([
    [
      { seen: [{ load: 'a < b', metrics: { cpu: 45.2 } }, { load: 'low' }] },
      { seen: [{ load: 'a &lt; b' }] },
      'expected a context_feed load in transcripts[0] that stands for "a &lt; b", escaped once; came "a < b"',
    ],
    [
      { seen: [] },
      { seen: [{}, { metrics: 1 }] },
      'expected a context_feed metrics in transcripts[1] that stands for 1, escaped once; came none',
    ],
    [{ seen: [{}, {}] }, { seen: [{}, {}, {}] }, 'expected transcripts[2]; came 2 transcripts'],
    [
      { unseen: [['off'], ['metrics']] },
      { unseen: [[], ['load']] },
      'expected no context_feed load in transcripts[1]; came "low"',
    ],
    [
      { stale: [{ metrics: true, load: false }] },
      { stale: [{ load: true }] },
      'expected the context_feed load in transcripts[0] with stale="true"; came one without it',
    ],
    [
      { stale: [] },
      { stale: [{ metrics: false }] },
      'expected the context_feed metrics in transcripts[0] without stale="true"; came one with it',
    ],
    [
      { stale: [{}] },
      { stale: [{}, { metrics: true }] },
      'expected a context_feed metrics in transcripts[1]; came none',
    ],
  ])('%j is exercised, %j is not', (right, wrong, words) => {
    expect(judged(right, { transcripts })).toBe('exercised');
    expect(judged(wrong, { transcripts })).toEqual({ violated: expect.stringContaining(words) as string });
  });

  it.each([
    ['&amp;lt; &quot;x&quot; &apos;y&apos;', '&lt; "x" \'y\''],
    ['&#60;a&#x3E; &#X41;', '<a> A'],
    ['&unknown; &#9999999; a & b', '&unknown; &#9999999; a & b'],
  ])('reads the entities of %s', (text, value) => {
    expect(injectedIn(`<context_feed id="a">${text}</context_feed>`)).toEqual([
      { id: 'a', text: value, isStale: false },
    ]);
  });
});

it.each<[string, JsonObject | string | number, boolean]>([
  [' one\n', 'one', true],
  ['One', 'one', false],
  ['"one"', 'one', false],
  ['1.0', 1, true],
  ['{"b":2, "a":1}', { a: 1, b: 2 }, true],
  ['{"a":1}', { a: 1, b: 2 }, false],
  ['no JSON', 1, false],
])('the text %j stands for the value %j: %s', (text, value, does) => {
  expect(standsFor(text, value)).toBe(does);
});

describe('a testee without a feature', () => {
  const internal = '<action type="internal" mode="sync" id="a">{"name":"add_context_feed"}</action>';

  it.each<[string, JsonObject, JsonObject, string]>([
    ['manifests', { starts: 0 }, { manifest: '' }, 'it claims no manifests, and the test has one'],
    [
      'internal_actions',
      { starts: 0 },
      { iterations: [[internal.slice(0, 9), internal.slice(9)]] },
      'it claims no internal_actions, and the test has one',
    ],
    ['transcripts', { seen: [] }, {}, 'it claims no transcripts, so that what the model sees is not told'],
    ['transcripts', { stale: [] }, {}, 'it claims no transcripts, so that what the model sees is not told'],
  ])('%s cannot be judged by a test that needs it', (without, wanted, request, unknowable) => {
    expect(judged(wanted, { request, without })).toEqual({ unknowable });
    expect(judged(wanted, { request })).toBe('exercised');
  });
});

describe('a request that must be refused', () => {
  const refused = (answer: JsonObject): unknown =>
    judgeRun('SEP-59', {
      isInvalid: true,
      expect: {},
      request: { op: 'sep.run', iterations: [[]], manifest: 'context_feeds: [{ id: a }]' },
      answer,
      features,
      isVirtual: true,
    });

  it('is right with any error, and wrong with events', () => {
    expect(refused({ error: { code: 'any', message: 'no type' } })).toBe('exercised');
    expect(refused({ ok: { events: [] } })).toEqual({
      violated: expect.stringContaining('expected a refusal; came ok') as string,
    });
  });
});
