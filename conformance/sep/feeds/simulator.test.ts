/** The feeds of a manifest as a server gives them: reused by their times, and fetched anew for parameters of a client. */
import { expect, it } from 'vitest';
import type { FeedSpec } from '../../../src/sep/index.ts';
import { served } from './simulator.ts';

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
    () => now,
  );
  const value = (params = {}): Promise<unknown> => server.fetch('load', params, never);
  expect(server.list().map(({ id }) => id)).toEqual(['load']);
  expect(await value()).toEqual({ value: { n: 1, unit: 'percent' } });
  now = 9;
  expect(await value()).toEqual({ value: { n: 1, unit: 'percent' } });
  expect(await value({ unit: 'cores' })).toEqual({ value: { n: 2, unit: 'cores' } });
  now = 11;
  expect(await value()).toEqual({ value: { n: 1, unit: 'percent' }, stale: true });
  expect(await server.fetch('off', {}, never)).toEqual({ error: 'there is no feed off' });
});
