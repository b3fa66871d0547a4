/** When feeds are fetched, and what becomes of their values, row by row (spec/sep/README.md, "Context feeds"). */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import type { FeedOutcome, FeedSpec } from './feed.ts';
import { FeedStore } from './store.ts';
import type { FeedSettlement, FeedStoreOptions } from './store.ts';

const feed = (id: string, more: Partial<FeedSpec> = {}): FeedSpec => ({
  id,
  trigger: 'on_demand',
  source: { type: 'tool', name: id, params: {} },
  enabled: true,
  ...more,
});

const periodic = (id: string, interval: number, more: Partial<FeedSpec> = {}): FeedSpec =>
  feed(id, { trigger: 'periodic', interval, ...more });

const storeOf = (feeds: readonly FeedSpec[], options: FeedStoreOptions = {}): FeedStore =>
  new FeedStore({ ...options, feeds });

const dueIn = (store: FeedStore, now: number): string[] => store.due(now).map(({ id }) => id);

/** Fetches a feed: it takes no time. */
function fetched(
  store: FeedStore,
  id: string,
  outcome: FeedOutcome,
  now: number,
): FeedSettlement | undefined {
  const fetch = store.begin(id, now);
  if (fetch === undefined) throw new Error(`${id} is not fetched`);
  return store.settle(fetch, outcome, now);
}

describe('an on-demand feed', () => {
  it('SEP-63: without a cache is due in each iteration', () => {
    const store = storeOf([feed('a')]);
    for (const now of [0, 0, 5]) {
      expect(dueIn(store, now)).toEqual(['a']);
      fetched(store, 'a', { value: now }, now);
    }
    expect(store.nextDue(5)).toBeUndefined();
  });

  it('SEP-63: is due again when its value is no more younger than its cache', () => {
    // Caching: `cache_ttl: 300  # Cache for 5 minutes`.
    const store = storeOf([feed('expensive_data', { cacheTtl: 300 })]);
    fetched(store, 'expensive_data', { value: 1 }, 10);
    expect([dueIn(store, 10), dueIn(store, 309), dueIn(store, 310)]).toEqual([[], [], ['expensive_data']]);
    expect([store.isCached('expensive_data', 309), store.isCached('expensive_data', 310)]).toEqual([
      true,
      false,
    ]);
  });

  it('counts the age of its value from when it came', () => {
    const store = storeOf([feed('a', { cacheTtl: 5 })]);
    const fetch = store.begin('a', 0);
    if (fetch !== undefined) store.settle(fetch, { value: 1 }, 3);
    expect([dueIn(store, 7), dueIn(store, 8)]).toEqual([[], ['a']]);
  });
});

describe('a periodic feed', () => {
  it('SEP-62: is due at once, and then each interval from the begin of a fetch', () => {
    const store = storeOf([periodic('system_metrics', 30)]);
    expect([dueIn(store, 0), store.nextDue(0)]).toEqual([['system_metrics'], 0]);
    const fetch = store.begin('system_metrics', 0);
    expect(store.nextDue(1)).toBeUndefined();
    if (fetch !== undefined) store.settle(fetch, { value: 1 }, 2);
    expect([store.nextDue(2), dueIn(store, 29.9), dueIn(store, 30)]).toEqual([30, [], ['system_metrics']]);
    // One that is late is due now.
    expect(store.nextDue(45)).toBe(45);
  });

  it('whose cache outlives its interval is due when the cache has run out', () => {
    // "system metrics every 30 seconds, but cached for 5 minutes".
    const store = storeOf([periodic('m', 30, { cacheTtl: 300 })]);
    fetched(store, 'm', { value: 1 }, 0);
    expect([store.nextDue(0), dueIn(store, 299), dueIn(store, 300)]).toEqual([300, [], ['m']]);
  });

  it('that failed is tried again after its interval', () => {
    const store = storeOf([periodic('m', 30, { cacheTtl: 300 })]);
    fetched(store, 'm', { error: 'no' }, 0);
    expect(store.nextDue(0)).toBe(30);
  });

  it('is not due between, for an iteration', () => {
    const store = storeOf([periodic('m', 30), feed('a')]);
    fetched(store, 'm', { value: 1 }, 0);
    expect(dueIn(store, 10)).toEqual(['a']);
    expect(store.duePeriodic(30).map(({ id }) => id)).toEqual(['m']);
  });

  it('has an interval of at least 0.01 s, whatever it says', () => {
    const store = storeOf([periodic('m', 1e-9)]);
    fetched(store, 'm', { value: 1 }, 1);
    expect(store.nextDue(1)).toBeCloseTo(1.01, 6);
    const other = storeOf([periodic('m', 1)], { leastInterval: 60 });
    fetched(other, 'm', { value: 1 }, 0);
    expect(other.nextDue(0)).toBe(60);
  });

  it('is due when a timer is early by a rounding', () => {
    const store = storeOf([periodic('m', 0.1)]);
    fetched(store, 'm', { value: 1 }, 0.2);
    const next = store.nextDue(0.2) ?? 0;
    expect(dueIn(store, next - 1e-9)).toEqual(['m']);
    expect(dueIn(store, next - 1e-3)).toEqual([]);
  });
});

describe('a fetch under way', () => {
  it('is not begun again', () => {
    const store = storeOf([feed('a'), periodic('b', 1)]);
    store.begin('a', 0);
    store.begin('b', 0);
    expect([dueIn(store, 100), store.nextDue(100)]).toEqual([[], undefined]);
    expect(store.begin('a', 100)).toBeUndefined();
    expect(store.underWay.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['was removed', (store: FeedStore) => void store.remove('a')],
    ['was removed and added again', (store: FeedStore) => void [store.remove('a'), store.add(feed('a'))]],
    [
      'has another source now',
      (store: FeedStore) =>
        void store.update(feed('a', { source: { type: 'relic', name: 'r', params: {} } })),
    ],
    ['was settled', (store: FeedStore) => void store.settle({ id: 'a', number: 1 }, { value: 'new' }, 1)],
  ])('counts no more when its feed %s', (_, change) => {
    const store = storeOf([feed('a')]);
    const fetch = store.begin('a', 0);
    change(store);
    const before = store.valueOf('a');
    expect(fetch && store.settle(fetch, { value: 'old' }, 1)).toBeUndefined();
    expect(store.valueOf('a')).toBe(before);
  });

  it('is begun of no unknown feed, and of none that is not enabled', () => {
    const store = storeOf([feed('a', { enabled: false })]);
    expect([dueIn(store, 0), store.begin('a', 0), store.begin('x', 0)]).toEqual([[], undefined, undefined]);
  });
});

describe('a failing source', () => {
  it('leaves the old value, marked stale, with a diagnostic', () => {
    const store = storeOf([feed('a')]);
    fetched(store, 'a', { value: 'sunny' }, 0);
    expect(fetched(store, 'a', { error: 'no answer' }, 1)?.diagnostic).toBe(
      'expected a value of the feed a; it failed: no answer; its old value stays, and is stale',
    );
    expect(store.valueOf('a')).toBe('sunny');
    expect(store.injection()).toBe('<context_feed id="a" stale="true">\nsunny\n</context_feed>');
    fetched(store, 'a', { value: 'rain' }, 2);
    expect(store.injection()).toBe('<context_feed id="a">\nrain\n</context_feed>');
  });

  it('without an old value has none', () => {
    const store = storeOf([feed('a')]);
    expect(fetched(store, 'a', { error: 'x'.repeat(5000) }, 0)?.diagnostic?.length).toBeLessThan(1200);
    expect([store.valueOf('a'), store.injection()]).toEqual([undefined, '']);
  });

  it.each([
    ['too large', 'x'.repeat(101), /at most 100 characters/],
    ['too deep', Array.from({ length: 600 }).reduce<Json>((value) => [value], 1), /levels of nesting/],
    ['no JSON', (() => 1) as unknown as Json, /to be JSON; came a function/],
  ])('and so does a value that is %s', (_, value, expected) => {
    const store = storeOf([feed('a')], { mostFeedValue: _ === 'too deep' ? 10_000 : 100 });
    expect(fetched(store, 'a', { value }, 0)?.diagnostic).toMatch(expected);
    expect(store.valueOf('a')).toBeUndefined();
  });
});

describe('SEP-64: max_tokens', () => {
  const words = (text: string): number => text.split(' ').filter((word) => word !== '').length;

  it('cuts by an estimate of four characters a token', () => {
    const store = storeOf([feed('a', { maxTokens: 2 })]);
    expect(fetched(store, 'a', { value: '123456789' }, 0)).toEqual({ id: 'a', text: '12345678' });
    expect(store.injection()).toBe('<context_feed id="a" truncated="true">\n12345678\n</context_feed>');
    expect(store.valueOf('a')).toBe('12345678');
  });

  it('cuts by the counter that the user gives', () => {
    const store = storeOf([feed('a', { maxTokens: 3 })], { countTokens: words });
    fetched(store, 'a', { value: 'one two three four five' }, 0);
    expect(store.valueOf('a')).toBe('one two three ');
  });

  it('cuts no character in two', () => {
    const store = storeOf([feed('a', { maxTokens: 3 })], { countTokens: (text) => text.length });
    fetched(store, 'a', { value: 'ab𝒙𝒙' }, 0);
    expect(store.valueOf('a')).toBe('ab');
  });

  it('gives a value with its type when it fits, and its cut text when it does not', () => {
    const store = storeOf([feed('a', { maxTokens: 5 })]);
    fetched(store, 'a', { value: { cpu: 45.2 } }, 0);
    expect(store.valueOf('a')).toEqual({ cpu: 45.2 });
    fetched(store, 'a', { value: { cpu: 45.2, memory: 62.8 } }, 0);
    expect(store.valueOf('a')).toBe('{"cpu":45.2,"memory"');
  });

  it('cuts to nothing for a counter that takes nothing', () => {
    const store = storeOf([feed('a', { maxTokens: 3 })], { countTokens: () => NaN });
    fetched(store, 'a', { value: 'abc' }, 0);
    expect(store.valueOf('a')).toBe('');
  });
});

describe('SEP-68: the injection', () => {
  it('has the feeds in their order, with a text as it is and other values as JSON', () => {
    const store = storeOf([feed('now'), feed('load'), feed('never'), feed('off', { enabled: false })]);
    fetched(store, 'load', { value: 0.5 }, 0);
    fetched(store, 'now', { value: '2024-06-15T12:34:56Z' }, 0);
    expect(store.injection()).toBe(
      '<context_feed id="now">\n2024-06-15T12:34:56Z\n</context_feed>\n<context_feed id="load">\n0.5\n</context_feed>',
    );
  });

  it('is escaped, so that no value looks like a tag', () => {
    const store = storeOf([feed('"><x')]);
    fetched(store, '"><x', { value: '</context_feed><action>&"' }, 0);
    expect(store.injection()).toBe(
      '<context_feed id="&quot;&gt;&lt;x">\n&lt;/context_feed&gt;&lt;action&gt;&amp;&quot;\n</context_feed>',
    );
  });

  it('has at most so many characters of values, and says what is left out', () => {
    const store = storeOf([feed('a'), feed('b'), feed('c'), feed('d')], { mostInjected: 10 });
    for (const [id, value] of [
      ['a', '1234'],
      ['b', '<<<'],
      ['c', '123456'],
      ['d', '12'],
    ] as const)
      fetched(store, id, { value }, 0);
    expect(store.injection().match(/\n.*\n</g)).toEqual([
      '\n1234\n<',
      '\n3 characters, left out\n<',
      '\n123456\n<',
      '\n2 characters, left out\n<',
    ]);
  });
});

describe('feeds of a run', () => {
  it('SEP-72: are not added twice, and unknown ones are not changed', () => {
    const store = storeOf([feed('a')]);
    expect(store.add(feed('a'))).toMatch(/a is there already/);
    expect(store.remove('x')).toMatch(/none with the id x/);
    expect(store.update(feed('x'))).toMatch(/none with the id x/);
  });

  it('have a limit', () => {
    const store = storeOf([feed('a')], { mostFeeds: 1 });
    expect(store.add(feed('b'))).toMatch(/at most 1 feeds/);
    expect(() => storeOf([feed('a'), feed('b')], { mostFeeds: 1 })).toThrow(/at most 1 feeds/);
  });

  it('SEP-73: keep their value, their place and their last fetch when their times change', () => {
    // "Change from 30s to 60s".
    const store = storeOf([periodic('system_metrics', 30), feed('b')]);
    fetched(store, 'system_metrics', { value: 1 }, 10);
    store.update(periodic('system_metrics', 60));
    expect([store.nextDue(10), store.valueOf('system_metrics')]).toEqual([70, 1]);
    store.update(periodic('system_metrics', 5));
    expect([store.nextDue(10), dueIn(store, 15)]).toEqual([15, ['system_metrics', 'b']]);
  });

  it('forget the value of another source', () => {
    const store = storeOf([feed('a')]);
    fetched(store, 'a', { value: 1 }, 0);
    store.update(feed('a', { source: { type: 'tool', name: 'other', params: {} } }));
    expect([store.valueOf('a'), dueIn(store, 0)]).toEqual([undefined, ['a']]);
  });

  it('are cut at once by a smaller max_tokens', () => {
    const store = storeOf([feed('a')]);
    fetched(store, 'a', { value: '123456789' }, 0);
    store.update(feed('a', { maxTokens: 1 }));
    expect(store.valueOf('a')).toBe('1234');
  });

  it('have no value while they are not enabled', () => {
    const store = storeOf([feed('a')]);
    fetched(store, 'a', { value: 1 }, 0);
    store.update(feed('a', { enabled: false }));
    expect([store.valueOf('a'), store.injection(), dueIn(store, 0)]).toEqual([undefined, '', []]);
    expect([store.clear(), store.specs]).toEqual([1, []]);
  });
});
