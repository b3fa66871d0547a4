/** An hour of feeds in virtual time: it can be repeated from its seed, keeps to its intervals, and leaves nothing behind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import type { FeedFetch } from './entry.ts';
import type { FeedOutcome, FeedSpec } from './feed.ts';
import { actInternally } from './internal.ts';
import { FeedStore } from './store.ts';

const hour = 3600;

interface Ending {
  readonly at: number;
  readonly fetch: FeedFetch;
  readonly outcome: FeedOutcome;
}

interface Hour {
  readonly begun: readonly { readonly at: number; readonly id: string }[];
  readonly injection: string;
  readonly store: FeedStore;
}

/** Periodic feeds of intervals between 1 s and 120 s, every third with a cache. */
const feedsOf = (seed: string, count: number): readonly FeedSpec[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    id: `f${i}`,
    trigger: 'periodic' as const,
    interval: 1 + random.below(120),
    source: { type: 'tool' as const, name: `t${i}`, params: {} },
    enabled: true,
    ...(i % 3 === 0 && { cacheTtl: random.below(300) }),
    ...(i % 5 === 0 && { maxTokens: 1 + random.below(10) }),
  }));
};

/** Plays an hour: a loop over the next due fetch and the next end of one. A fetch takes up to 10 s; some fail. */
function playHour(seed: string, count = 100): Hour {
  const random = seededRandom(`${seed}/fetches`);
  const store = new FeedStore({ feeds: feedsOf(seed, count) });
  const begun: { at: number; id: string }[] = [];
  const endings: Ending[] = [];
  for (let now = 0; ;) {
    for (const { id } of now < hour ? store.due(now) : []) {
      const fetch = store.begin(id, now);
      if (fetch === undefined) throw new Error(`${id} was due, and is not fetched`);
      begun.push({ at: now, id });
      const outcome = random.below(10) === 0 ? { error: 'no' } : { value: { id, load: random.below(100) } };
      endings.push({ at: now + random.next() * 10, fetch, outcome });
    }
    endings.sort((a, b) => a.at - b.at);
    const due = now < hour ? (store.nextDue(now) ?? Infinity) : Infinity;
    const [ending] = endings;
    if (ending === undefined && due === Infinity) return { begun, injection: store.injection(), store };
    now = Math.min(due, ending?.at ?? Infinity);
    if (ending === undefined || ending.at > now) continue;
    endings.shift();
    store.settle(ending.fetch, ending.outcome, now);
  }
}

describe('an hour of 100 periodic feeds', () => {
  const first = playHour('7');

  it('is the same again from its seed', () => {
    const { begun, injection } = playHour('7');
    expect(begun).toEqual(first.begun);
    expect(injection).toBe(first.injection);
    expect(playHour('8').injection).not.toBe(first.injection);
  });

  it('leaves no fetch under way, and a value of each feed', () => {
    expect(first.store.underWay).toEqual([]);
    expect(first.injection.match(/<context_feed /g)).toHaveLength(100);
  });

  it('fetches no feed before its interval, and none less often than interval, cache and the fetch itself allow', () => {
    for (const { id, interval = 0, cacheTtl = 0 } of feedsOf('7', 100)) {
      const times = first.begun.filter((one) => one.id === id).map(({ at }) => at);
      const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(interval - 1e-5);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.max(interval, cacheTtl) + 10 + 1e-5);
      expect(hour - (times.at(-1) ?? 0)).toBeLessThanOrEqual(Math.max(interval, cacheTtl) + 10);
    }
  });
});

describe('a store', () => {
  const ids = fc.constantFrom('a', 'b', 'c', '__proto__');
  const step = fc.oneof(
    fc.record({ do: fc.constant('begin' as const), id: ids }),
    fc.record({ do: fc.constant('settle' as const), id: ids, fails: fc.boolean(), number: fc.nat(12) }),
    fc.record({
      do: fc.constant('act' as const),
      name: fc.constantFrom(
        'add_context_feed',
        'update_context_feed',
        'remove_context_feed',
        'get_context_feed',
        'clear_context_feeds',
        'list_context_feeds',
      ),
      parameters: fc.record(
        {
          id: ids,
          type: fc.constantFrom('periodic', 'on_demand', 'tool', 'x'),
          interval: fc.constantFrom(1, 1e-12, 0, null),
          cache_ttl: fc.constantFrom(0, 5, null),
          max_tokens: fc.constantFrom(1, 2, null),
          enabled: fc.constantFrom<boolean | string>(true, false, 'off', 'x'),
          source: fc.constantFrom<JsonObject>(
            { type: 'tool', name: 'x' },
            { params: { a: 1 } },
            { type: 'llm', name: 'm' },
            {},
          ),
        },
        { requiredKeys: ['id'] },
      ),
    }),
  );

  it('holds whatever comes: one fetch of a feed at a time, nothing due that cannot begin, and no loop', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new FeedStore({ mostFeeds: 3 });
        let now = 0;
        for (const one of steps) {
          if (one.do === 'begin') store.begin(one.id, now);
          else if (one.do === 'settle')
            store.settle(one, one.fails ? { error: 'no' } : { value: 'a long value' }, now);
          else actInternally(one, { store, now });
          expect(store.specs.length).toBeLessThanOrEqual(3);
          expect(new Set(store.underWay.map(({ id }) => id)).size).toBe(store.underWay.length);
          expect((store.nextDue(now) ?? now) >= now).toBe(true);
          for (const { id } of store.due(now)) expect(store.begin(id, now)).toBeDefined();
          expect(store.due(now)).toEqual([]);
          now += 0.5;
        }
        // Each due moment is real: when all is settled, the next one is at least the least interval away.
        for (const fetch of store.underWay) store.settle(fetch, { error: 'no' }, now);
        for (const { id } of store.duePeriodic(now)) {
          const fetch = store.begin(id, now);
          if (fetch !== undefined) store.settle(fetch, { error: 'no' }, now);
        }
        expect((store.nextDue(now) ?? Infinity) - now).toBeGreaterThanOrEqual(0.009);
      }),
      { numRuns: 2000 },
    );
  });
});
