/** The feeds of a manifest as a server gives them: reused by their times, and fetched anew for parameters of a client. */
import { describe, expect, it } from 'vitest';
import type { FeedSpec } from '../../../src/sep/index.ts';
import { served } from './served.ts';

const source = { type: 'tool', name: 'load', params: { unit: 'percent' } } as const;
const feeds: readonly FeedSpec[] = [
  { id: 'load', trigger: 'on_demand', enabled: true, cacheTtl: 10, source },
  { id: 'off', trigger: 'on_demand', enabled: false, source },
];
const never = new AbortController().signal;

it('uses a value again as cache_ttl says (SEP-63), keeps it as stale when its source fails, and lists what is enabled', async () => {
  let [now, fetches] = [0, 0];
  const server = served(
    feeds,
    ({ params }) => (++fetches < 3 ? { value: { n: fetches, ...params } } : { error: 'no answer' }),
    { now: () => now },
  );
  const value = (params = {}): Promise<unknown> => server.fetch('load', params, never);
  expect(server.list().map(({ id }) => id)).toEqual(['load']);
  expect(await value()).toMatchObject({ value: { n: 1, unit: 'percent' } });
  now = 9;
  expect(await value()).toMatchObject({ value: { n: 1, unit: 'percent' } });
  expect(await value({ unit: 'cores' })).toMatchObject({ value: { n: 2, unit: 'cores' } });
  now = 11;
  expect(await value()).toMatchObject({ value: { n: 1, unit: 'percent' }, stale: true });
  expect(await server.fetch('off', {}, never)).toEqual({ error: 'there is no feed off' });
});

describe('an extension of the server', () => {
  const transform = [{ pick: 'load' }, { format: '$value %' }] as const;
  const changed: readonly FeedSpec[] = [
    { id: 'load', trigger: 'on_demand', enabled: true, transform, source },
    {
      id: 'far',
      trigger: 'on_demand',
      enabled: true,
      source: { ...source, type: 'remote', url: 'http://a' },
    },
  ];
  const sources = () => ({ value: { load: 7, secret: 'k3y' } });

  it('changes values as transform says, for parameters of a client, too', async () => {
    const server = served(changed, sources, { extensions: { transformations: true } });
    expect(await server.fetch('load', {}, never)).toMatchObject({ value: '7 %' });
    expect(await server.fetch('load', { unit: 'cores' }, never)).toMatchObject({ value: '7 %' });
  });

  it('that is off makes its feeds fail', async () => {
    const server = served(changed, sources);
    for (const params of [{}, { unit: 'cores' }])
      expect(await server.fetch('load', params, never)).toEqual({
        error: 'it has transform, and transformations are off',
      });
    expect(await server.fetch('far', {}, never)).toEqual({
      error: 'its source is remote, and distributed_feeds are off',
    });
    expect(server.list()).toMatchObject([
      { id: 'load', stale: true },
      { id: 'far', stale: true },
    ]);
  });

  it('hands on what another server says of a value', async () => {
    const server = served(changed, () => Promise.resolve({ value: 7, stale: true }), {
      extensions: { distributed_feeds: true },
    });
    expect(await server.fetch('far', {}, never)).toMatchObject({ value: 7, stale: true });
  });
});

it('clients share a fetch, and a value has the time at which it came', async () => {
  let [now, fetches] = [0, 0];
  let answer: (outcome: { value: number }) => void = () => {};
  const server = served(
    feeds,
    () => {
      fetches++;
      return new Promise((resolve) => (answer = resolve));
    },
    { now: () => now },
  );
  const both = [server.fetch('load', {}, never), server.fetch('load', {}, never)];
  await Promise.resolve();
  now = 2;
  answer({ value: 1 });
  expect(await Promise.all(both)).toMatchObject([{ value: 1 }, { value: 1 }]);
  expect(fetches).toBe(1);
  now = 11;
  const outcome = await server.fetch('load', {}, never);
  const age = 'at' in outcome ? Date.now() - (outcome.at ?? 0) : 0;
  expect(age).toBeGreaterThanOrEqual(9000);
});

it('a source that throws is a failure without its words', async () => {
  const server = served(feeds, () => Promise.reject(new Error('k3y')));
  expect(await server.fetch('load', {}, never)).toEqual({ error: 'the source of the feed load failed' });
});
