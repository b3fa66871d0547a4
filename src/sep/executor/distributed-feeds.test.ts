/** Remote sources, sources that answer later, and references between feeds (spec/sep/README.md, "Extensions"). */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../kit/world/index.ts';
import { serveFeeds } from '../edge/feed-server.ts';
import { remoteFeeds } from '../edge/feed-client.ts';
import type { FeedOutcome, FeedSpec } from '../feeds/feed.ts';
import { Iterations } from './iterations.test-helper.ts';
import { Runner } from './runner.ts';
import type { TimedEvent } from './runner.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript } from './scripted-run.ts';
import { scriptedSources } from './sources.ts';
import type { LiveSources } from './sources.ts';

const remote = (url = 'http://127.0.0.1:1', more: Partial<FeedSpec> = {}): FeedSpec => ({
  id: 'load',
  trigger: 'on_demand',
  enabled: true,
  source: { type: 'remote', name: 'load', url, params: {} },
  ...more,
});

const distributed_feeds = true;

describe('a scripted run', () => {
  const run = (more: Partial<RunScript> = {}) =>
    playRun({
      iterations: [['<response>$load</response>']],
      feeds: { feeds: [remote()] },
      sources: scriptedSources({ values: { load: [0.5] } }),
      ...more,
    }).events.filter(({ type }) => type === 'diagnostic' || type === 'response');

  it('has the value of a remote source by its name', () => {
    expect(run({ extensions: { distributed_feeds } })).toMatchObject([{ type: 'response', text: '0.5' }]);
  });

  it('fails it where the extension is off, and does not ask it', () => {
    let asked = 0;
    expect(run({ sources: () => ({ value: asked++ }) })).toMatchObject([
      {
        code: 'feed-failed',
        message:
          'expected a value of the feed load; it failed: its source is remote, and distributed_feeds are off; it has no value',
      },
      { code: 'missing-variable' },
      { type: 'response', text: '$load' },
    ]);
    expect(asked).toBe(0);
  });

  it('shows a value as stale that its server says is stale, until a newer one comes', () => {
    const values: FeedOutcome[] = [{ value: 1, stale: true }, { value: 2 }];
    const said = '<response final="false">x</response>';
    const { events, transcripts } = playRun({
      iterations: [[said], [said]],
      feeds: { feeds: [remote(undefined, { cacheTtl: 0 }), { ...remote(), id: 'other' }] },
      sources: () => values.shift() ?? { error: 'no answer' },
      extensions: { distributed_feeds },
    });
    expect(events.filter(({ type }) => type === 'context_feed')).toMatchObject([
      { id: 'load', text: '1', stale: true },
      { id: 'other', text: '2' },
    ]);
    expect(events.find(({ type }) => type === 'context_feed')).toHaveProperty('stale');
    expect(transcripts).toEqual([
      `<context_feed id="load" stale="true">\n1\n</context_feed>\n<context_feed id="other" stale="true">\n2\n</context_feed>\n${said}`,
    ]);
  });
});

/** A run in real time: its events, and what the model sees before each output. */
function live(sources: LiveSources, feeds: readonly FeedSpec[], feedTimeout = 30) {
  const events: TimedEvent[] = [];
  const iterations = new Iterations();
  const runner = new Runner({
    clock: realClock(),
    providers: {},
    sources,
    feeds: { feeds },
    feedTimeout,
    extensions: { distributed_feeds },
    onEvent: (event) => void events.push(event),
    onIteration: iterations.onIteration,
  });
  return { runner, events, iterations };
}

describe('a source that answers later', () => {
  it('is awaited before the output of the model begins', async () => {
    const { runner, events, iterations } = live(() => pause(5, { value: 7 }), [remote()]);
    await iterations.next(() => runner.begin());
    runner.cancel();
    expect(iterations.seen).toEqual(['<context_feed id="load">\n7\n</context_feed>']);
    expect(events.map(({ type }) => type)).toEqual(['context_feed', 'iteration', 'finished']);
  });

  it('that rejects is a failed fetch, with its words', async () => {
    const { runner, events, iterations } = live(() => Promise.reject(new Error('no network')), [remote()]);
    await iterations.next(() => runner.begin());
    runner.cancel();
    expect(events[0]).toMatchObject({
      code: 'feed-failed',
      message: 'expected a value of the feed load; it failed: no network; it has no value',
    });
  });

  it('has a signal that is aborted when its time is over; what it says later is nothing', async () => {
    let aborted = 0;
    const sources: LiveSources = (_, { signal }) =>
      new Promise((resolve) =>
        signal?.addEventListener('abort', () => {
          aborted++;
          resolve({ value: 'late' });
        }),
      );
    const { runner, events, iterations } = live(sources, [remote()], 0.01);
    await iterations.next(() => runner.begin());
    await pause(5);
    runner.cancel();
    expect(aborted).toBe(1);
    expect(events.map(({ type }) => type)).toEqual(['diagnostic', 'iteration', 'finished']);
    expect(events[0]).toMatchObject({ message: expect.stringContaining('timed out after 0.01 s') as string });
  });

  it('has a signal that is aborted when the run ends, and not when it has answered', async () => {
    const signals: AbortSignal[] = [];
    const sources: LiveSources = ({ name }, { signal }) => {
      if (signal !== undefined) signals.push(signal);
      return name === 'load' ? pause(1, { value: 7 }) : new Promise(() => {});
    };
    const slow = { ...remote(), id: 'slow', source: { ...remote().source, name: 'slow' } };
    const { runner } = live(sources, [remote(), slow]);
    runner.begin();
    await pause(10);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    runner.cancel();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });
});

it('a server that is gone leaves its value, which is stale from then on', async () => {
  const server = await serveFeeds({
    feeds: {
      list: () => [{ id: 'load', trigger: 'on_demand' }],
      fetch: async () => ({ value: 0.5, stale: false }),
    },
  });
  const fetchRemote = remoteFeeds();
  const { runner, events, iterations } = live(
    (source, { signal }) => fetchRemote(source, signal),
    [remote(server.url)],
  );
  await iterations.next(() => runner.begin());
  await server.close();
  await iterations.next(() => {
    runner.write('<response final="false">$load</response>');
    runner.endOutput();
  });
  runner.cancel();
  expect(iterations.seen[0]).toBe('<context_feed id="load">\n0.5\n</context_feed>');
  expect(iterations.seen[1]).toContain('<context_feed id="load" stale="true">\n0.5\n</context_feed>');
  expect(events.filter(({ type }) => type === 'response')).toMatchObject([{ text: '0.5' }]);
  expect(events.find(({ type }) => type === 'diagnostic')).toMatchObject({
    code: 'feed-failed',
    message: expect.stringMatching(/ECONNREFUSED.*; its old value stays, and is stale$/) as string,
  });
});

describe('a reference between feeds', () => {
  const source = { type: 'llm', name: 'tell', params: { of: '$load', text: '$$a $x' } } as const;
  const told: FeedSpec = { id: 'told', trigger: 'on_demand', enabled: true, source };
  const load: FeedSpec = { ...remote(), source: { type: 'tool', name: 'load', params: {} } };
  const run = (feeds: readonly FeedSpec[], cross_feed_references?: boolean) => {
    const asked: unknown[] = [];
    const { events } = playRun({
      iterations: [['<response>done</response>']],
      variables: { x: 1 },
      feeds: { feeds },
      sources: ({ name, params }) => {
        asked.push([name, params]);
        return { value: name };
      },
      ...(cross_feed_references === undefined ? {} : { extensions: { cross_feed_references } }),
    });
    return { asked, codes: events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : [])) };
  };

  it('is its value by default: that one is fetched first', () => {
    for (const on of [undefined, true])
      expect(run([told, load], on).asked).toEqual([
        ['load', {}],
        ['tell', { of: 'load', text: '$a 1' }],
      ]);
  });

  it('stays as it is written where the extension is off, and delays no feed', () => {
    expect(run([told, load], false).asked).toEqual([
      ['tell', source.params],
      ['load', {}],
    ]);
  });

  it('makes no cycle where the extension is off', () => {
    const self: FeedSpec = { ...told, source: { ...source, params: { of: '$told' } } };
    expect(run([self], true)).toEqual({ asked: [], codes: ['feed-failed'] });
    expect(run([self], false)).toEqual({ asked: [['tell', { of: '$told' }]], codes: [] });
  });
});
