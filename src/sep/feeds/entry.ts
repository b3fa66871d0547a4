/** What is known of a feed: its spec, its last value, and when it was fetched. Times are in seconds of one clock. */
import type { Json } from '../../kit/base/index.ts';
import type { FeedSource, FeedSpec } from './feed.ts';

/** A value of a feed as it is shown. */
export interface FeedValue {
  /** As the source gave it; the cut text, if the text is longer than `maxTokens`. */
  readonly value: Json;
  readonly text: string;
  readonly isCut: boolean;
  /** Whether it was stale already when it came. */
  readonly isOld: boolean;
  readonly at: number;
}

/** A fetch of a feed that an executor carries out. */
export interface FeedFetch {
  readonly id: string;
  /** Tells the fetches of a run apart. */
  readonly number: number;
  readonly source: FeedSource;
}

/** A feed and its state. */
export interface FeedEntry {
  readonly spec: FeedSpec;
  /** The last value; undefined: none came yet. */
  readonly shown: FeedValue | undefined;
  /** The begin of the last fetch; undefined: there was none. */
  readonly begunAt: number | undefined;
  readonly underWay: FeedFetch | undefined;
  /** Why the last fetch failed; undefined: it did not. A value beside it is stale. */
  readonly error: string | undefined;
}

/** Whether the value of a feed is stale: its last fetch failed, or gave a value that was stale. */
export const isStale = ({ shown, error }: FeedEntry): boolean => error !== undefined || shown?.isOld === true;

/** A feed that was never fetched. */
export const freshEntry = (spec: FeedSpec): FeedEntry => ({
  spec,
  shown: undefined,
  begunAt: undefined,
  underWay: undefined,
  error: undefined,
});

/**
 * When a feed is due: its cache has run out, and, of a periodic one, its interval, too. A feed without a value has no
 * cache. An on-demand feed without a cache is always due.
 */
export function dueAt({ spec, shown, begunAt }: FeedEntry, leastInterval: number): number {
  const cached = shown === undefined ? -Infinity : shown.at + (spec.cacheTtl ?? 0);
  if (spec.trigger === 'on_demand') return spec.cacheTtl === undefined ? -Infinity : cached;
  const interval = Math.max(spec.interval ?? 0, leastInterval);
  return Math.max(cached, begunAt === undefined ? -Infinity : begunAt + interval);
}

/** Times that are closer are the same: a timer may be early by a rounding, and would be set again for nothing. */
const instant = 1e-6;

/** Whether a feed must be fetched now: it is enabled, due, and not under way. */
export const isDue = (entry: FeedEntry, now: number, leastInterval: number): boolean =>
  entry.spec.enabled && entry.underWay === undefined && dueAt(entry, leastInterval) <= now + instant;

/** Whether a cache holds a value that is used again (SEP-63). */
export const isCached = ({ spec, shown }: FeedEntry, now: number): boolean =>
  shown !== undefined && spec.cacheTtl !== undefined && now + instant < shown.at + spec.cacheTtl;
