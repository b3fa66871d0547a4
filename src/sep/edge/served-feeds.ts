/** The feeds of a feed server, as its caller gives them. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { FeedSpec } from '../feeds/feed.ts';

/** A feed in the list of a server. Times are in seconds. */
export interface ServedFeed extends Pick<FeedSpec, 'id' | 'trigger' | 'interval' | 'cacheTtl'> {
  /** Whether its last fetch failed; default false. */
  readonly stale?: boolean;
}

/** How a fetch ended. A `FeedOutcome` is one. */
export type ServedOutcome =
  | {
      readonly value: Json;
      /** When its source gave the value (ms since 1970); default: now. */
      readonly at?: number;
      /** Whether its source failed since; default false. */
      readonly stale?: boolean;
    }
  | { readonly error: string };

/** The feeds of a server. */
export interface ServedFeeds {
  /** The enabled feeds. Other ids are answered with 404. */
  list(): readonly ServedFeed[];
  /** Fetches the value of a feed. The signal ends when its client has left, or its time is over. */
  fetch(id: string, params: JsonObject, signal: AbortSignal): Promise<ServedOutcome>;
}

/** An answer of a server, for a log. */
export interface FeedAnswer {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly status: number;
  /** The time that the answer took (ms). */
  readonly ms: number;
  readonly error?: string;
}
