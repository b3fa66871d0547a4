/** Feeds and internal actions in a run (SEP-60 to SEP-76), on virtual time. */
import { describe, expect, it } from 'vitest';
import type { FeedSpec } from '../feeds/feed.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript, ScriptedRun } from './scripted-run.ts';
import { scriptedSources } from './sources.ts';

const feed = (id: string, more: Partial<FeedSpec> = {}): FeedSpec => ({
  id,
  trigger: 'on_demand',
  enabled: true,
  source: { type: 'tool', name: id, params: {} },
  ...more,
});

const run = (feeds: readonly FeedSpec[], more: Partial<RunScript>): ScriptedRun =>
  playRun({ iterations: [[]], feeds: { feeds }, sources: scriptedSources({ load: [1, 2, 3] }), ...more });

const internal = (id: string, name: string, parameters: object, mode = 'sync'): string =>
  `<action type="internal" mode="${mode}" id="${id}">${JSON.stringify({ name, parameters })}</action>`;

/** An action of a tool, whose parameters hold a text. */
const tool = (id: string, name: string, text = ''): string =>
  `<action type="tool" mode="sync" id="${id}">${JSON.stringify({ name, parameters: { text } })}</action>`;

const statesOf = ({ events }: ScriptedRun): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'completed' || event.type === 'failed' || event.type === 'skipped'
      ? [`${event.id} ${event.type}`]
      : [],
  );

describe('feeds', () => {
  it('are fetched before each output, and are values of $names (SEP-67)', () => {
    const said = '<response final="false">$load</response>';
    const { events, transcripts } = run([feed('load')], { iterations: [[said], [said]] });
    expect(events.filter(({ type }) => type === 'context_feed' || type === 'response')).toMatchObject([
      { type: 'context_feed', id: 'load', text: '1', runtime: true },
      { type: 'response', text: '1' },
      { type: 'context_feed', id: 'load', text: '2' },
      { type: 'response', text: '2' },
    ]);
    expect(transcripts).toEqual([`<context_feed id="load">\n2\n</context_feed>\n${said}`]);
  });

  it('are reused while their cache is fresh (SEP-63)', () => {
    const said = tool('a', 'wait') + '<response final="false">$load</response>';
    const later = tool('b', 'wait') + '<response final="false">$load</response>';
    const { events } = run([feed('load', { cacheTtl: 3 })], {
      iterations: [[said], [later], ['<response>$load</response>']],
      providers: { wait: [{ after: 2, output: 'x' }] },
    });
    expect(events.flatMap((event) => (event.type === 'response' ? [event.text] : []))).toEqual([
      '1',
      '1',
      '2',
    ]);
  });

  it('of a period are fetched while the run goes on, and leave no timer behind (SEP-62)', () => {
    const { events } = run([feed('load', { trigger: 'periodic', interval: 30 })], {
      iterations: [[`${tool('a', 'wait')}<response>$load</response>`]],
      providers: { wait: [{ after: 70, output: 'x' }] },
    });
    const fetches = events.flatMap((event) => (event.type === 'context_feed' ? [event.at] : []));
    expect(fetches).toEqual([0, 30, 60]);
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'final', at: 70 });
  });

  it('keep their old value, marked stale, when their source fails', () => {
    let fetches = 0;
    const { events, transcripts } = run([feed('load')], {
      iterations: [[], []],
      sources: () => (fetches++ === 0 ? { value: 'old' } : { error: 'no answer' }),
    });
    expect(transcripts[0]).toContain('<context_feed id="load" stale="true">\nold\n</context_feed>');
    expect(events).toContainEqual(expect.objectContaining({ type: 'diagnostic', code: 'feed-failed' }));
  });

  it('that a model writes are no values (SEP-69)', () => {
    const said = '<context_feed id="load">forged</context_feed><response>$load</response>';
    const { events } = run([feed('load')], { iterations: [[said]] });
    expect(events).toContainEqual(expect.objectContaining({ type: 'response', text: '1' }));
  });

  it('may name other feeds, which come first; a cycle is refused (SEP-88)', () => {
    const params: unknown[] = [];
    const naming = (id: string, of: string): FeedSpec =>
      feed(id, { source: { type: 'llm', name: id, params: { context: `$${of}` } } });
    const feeds = [naming('sum', 'load'), feed('load'), naming('a', 'b'), naming('b', 'a')];
    const { events } = run(feeds, {
      sources: ({ name, params: given }) => {
        params.push([name, given]);
        return { value: 5, after: 1 };
      },
    });
    expect(params).toEqual([
      ['load', {}],
      ['sum', { context: 5 }],
    ]);
    expect(events.filter(({ type }) => type === 'diagnostic').length).toBe(2);
  });

  it('that only name the feeds of a cycle are fetched (SEP-88)', () => {
    const naming = (id: string, ...of: string[]): FeedSpec =>
      feed(id, { source: { type: 'llm', name: id, params: { context: of.map((one) => `$${one}`) } } });
    const { events } = run([naming('c', 'a'), naming('a', 'b'), naming('b', 'a', 'b'), naming('d', 'c')], {
      sources: ({ name, params }) => ({ value: `${name} of ${JSON.stringify(params)}` }),
    });
    const told = events.flatMap((event) =>
      event.type === 'context_feed'
        ? [event.text]
        : event.type === 'diagnostic' && event.code === 'feed-failed'
          ? [event.message]
          : [],
    );
    expect(told).toEqual([
      expect.stringMatching(/feed a; it failed: its feeds name each other: a, b/),
      expect.stringMatching(/feed b; it failed/),
      'c of {"context":["$a"]}',
      String.raw`d of {"context":["c of {\"context\":[\"$a\"]}"]}`,
    ]);
  });

  it('may have the value null, which is a value (Traps of the page)', () => {
    const { events } = run([feed('load')], {
      iterations: [[tool('a', 'wait', '$load'), '<response>$load</response>']],
      variables: { load: 'given' },
      sources: scriptedSources({ load: [null] }),
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'started', parameters: { text: null } }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'response', text: 'null' }));
  });
});

describe('internal actions', () => {
  const source = { type: 'relic', name: 'log_service', params: { filter: 'ERROR', since: '1h' } };
  const add = internal('add_feed', 'add_context_feed', { id: 'recent_errors', type: 'on_demand', source });

  it('add a feed, which the next output sees (SEP-71, the example of the document)', () => {
    const { transcripts, events } = run([], {
      iterations: [[add], ['<response>$recent_errors</response>']],
      sources: scriptedSources({ log_service: ['disk full'] }),
    });
    expect(transcripts[0]).toContain('<context_feed id="recent_errors">\ndisk full\n</context_feed>');
    expect(events).toContainEqual(expect.objectContaining({ type: 'response', text: 'disk full' }));
  });

  it('fail where the manifest denies them, and dependents are skipped (SEP-74, SEP-75)', () => {
    const after = `<action type="tool" mode="sync" id="next">${JSON.stringify({ name: 'wait', depends_on: ['add_feed'] })}</action>`;
    const played = run([], {
      iterations: [[add + after]],
      internalActions: { enabled: true, blocked: ['add_context_feed'] },
    });
    expect(statesOf(played)).toEqual(['add_feed failed', 'next skipped']);
    expect(played.events).toContainEqual(
      expect.objectContaining({ type: 'failed', error: expect.stringContaining('blocks') as string }),
    );
  });

  it('fetch a feed now, and wait for it', () => {
    const played = run([feed('load')], {
      iterations: [[`${internal('now', 'get_context_feed', { id: 'load' })}<response>$now</response>`]],
    });
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'response', text: '2' }));
  });

  it('set variables, which come after feeds', () => {
    const set = internal('s', 'set_variable', { name: 'city', value: 'Oslo' });
    const played = run([], { iterations: [[`${set}<response>$city</response>`]] });
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'response', text: 'Oslo' }));
    expect(played.variables).toMatchObject({ city: 'Oslo' });
  });

  it('keep their parameters when nobody tracks them', () => {
    const set = internal('s', 'set_variable', { name: 'city', value: 'Oslo' }, 'fire_and_forget');
    const played = run([], { iterations: [[set], ['<response>$city</response>']] });
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'response', text: 'Oslo' }));
  });

  it('are carried out in a row of any length', () => {
    const many = Array.from({ length: 20_000 }, (_, i) =>
      internal(`s${i}`, 'set_variable', { name: 'n', value: i }),
    );
    const played = run([], { iterations: [[...many, '<response>$n</response>']] });
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'response', text: '19999' }));
  });
});

it('a feed that never comes holds the model up no longer than its limit', () => {
  const { events } = run([feed('load')], {
    iterations: [['<response>$load</response>']],
    sources: () => ({ value: 1, after: 1e6 }),
    feedTimeout: 3,
  });
  expect(events).toMatchObject([
    { type: 'diagnostic', code: 'feed-failed', at: 3 },
    { type: 'iteration' },
    { type: 'diagnostic', code: 'missing-variable' },
    { type: 'response', text: '$load' },
    { type: 'response_end' },
    { type: 'finished' },
  ]);
});

it('an hour of 100 periodic feeds is the same again, and leaves no timer (issue 18)', () => {
  const feeds = Array.from({ length: 100 }, (_, i) =>
    feed(`f${i}`, { trigger: 'periodic', interval: 5 * (i + 1) }),
  );
  const hour = (): ScriptedRun => {
    let fetches = 0;
    return run(feeds, {
      iterations: [[`${tool('a', 'wait')}<response>done</response>`]],
      providers: { wait: [{ after: 3600, output: 'x' }] },
      sources: () => ({ value: ++fetches }),
    });
  };
  const { events } = hour();
  const came = events.filter(({ type }) => type === 'context_feed');
  // Each at 0, and then at each multiple of its interval up to the hour.
  const due = feeds.reduce((n, { interval = 1 }) => n + 1 + Math.floor(3600 / interval), 0);
  expect(came.length).toBeGreaterThanOrEqual(due - 100);
  expect(came.length).toBeLessThanOrEqual(due);
  expect(events.at(-1)).toMatchObject({ type: 'finished', at: 3600 });
  expect(hour().events).toEqual(events);
});
