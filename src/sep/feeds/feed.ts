/** Context feeds: named values that a model reads without asking for them (SEP, "Context Feeds"). */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { TransformStep } from './transform.ts';

/** The types of sources. `remote`: a feed of another SEP feed server, an extension ("Distributed feeds"). */
export const sourceTypes = ['internal', 'tool', 'relic', 'workflow', 'llm', 'remote'] as const;

/** A type of sources. */
export type SourceType = (typeof sourceTypes)[number];

/** Where the value of a feed comes from. */
export interface FeedSource {
  readonly type: SourceType;
  /** `action` of an internal source, `name` of any other one. */
  readonly name: string;
  /** Its parameters. Absent in the manifest: empty. */
  readonly params: JsonObject;
  /** The base URL of the server of a remote source. */
  readonly url?: string;
}

/** A feed of a manifest, or one that an internal action added. Times are in seconds. */
export interface FeedSpec {
  readonly id: string;
  readonly trigger: 'on_demand' | 'periodic';
  /** Of a periodic feed: above 0. */
  readonly interval?: number;
  readonly source: FeedSource;
  readonly enabled: boolean;
  /** How long a value is used again; absent: it is fetched anew each time. */
  readonly cacheTtl?: number;
  /** The most tokens of its text; absent: no limit but that of a run. */
  readonly maxTokens?: number;
  /** The steps that change its value before it is cut: an extension ("Feed transformations"). Absent: none. */
  readonly transform?: readonly TransformStep[];
}

/** How a fetch of a feed ended. */
export type FeedOutcome =
  /** `stale`: who gives it could not fetch it anew, and says so. */
  { readonly value: Json; readonly stale?: boolean } | { readonly error: string };
