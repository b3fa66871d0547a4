/** What the rules know of a run: the facts that its events have told so far. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { EffectMemory } from './effects.ts';
import type { FeedMemory } from './feeds.ts';
import type { KnownAction } from './known-action.ts';

/** The facts of a run. */
export interface RunFacts {
  /** By id. The first action with an id stands (SEP-26). */
  readonly actions: Map<string, KnownAction>;
  /** The actions by output key; null: several have it. */
  readonly keys: Map<string, KnownAction | null>;
  /** Actions that have started, by the id of an action that they depend on and that had not come. */
  readonly early: Map<string, string>;
  /** The tracked actions that have no outcome, in their order. */
  readonly open: Map<string, KnownAction>;
  /** Those of them that delay others: sync actions that wait for no later action (SEP-28, SEP-94). */
  readonly blockers: Map<string, KnownAction>;
  /** The names of which a diagnostic said that they have no value. */
  readonly missing: Map<string, true>;
  /** What is known of feeds and internal actions. */
  readonly feeds: FeedMemory;
  /** What is known of parts and rollbacks. */
  readonly effects: EffectMemory;
  /** The numbers of events, and of actions that were declared. */
  events: number;
  declared: number;
  iteration: number;
  /** Whether an action was forgotten. */
  hasForgotten: boolean;
  /** The time of the last outcome of a sync action that may delay others (s). */
  syncEndedAt: number | undefined;
  /** The action whose failure has ended the turn (on_error fail). */
  fatal: KnownAction | undefined;
  /** The first action whose failure lets the turn go on (on_error skip or retry). */
  survived: KnownAction | undefined;
  /** Whether an action failed or was skipped whose on_error may end the turn. */
  mayHaveEnded: boolean;
  /** The first actions that failed after too few attempts: of those with retry, and of those with on_error retry alone. */
  fewRetries: KnownAction | undefined;
  noRetry: KnownAction | undefined;
  /** The number of complete final responses, and of all responses that ended. */
  finals: number;
  responses: number;
  /** The number of the event with which the final response ended. */
  finalEnd: number;
  /** The reason for which the run is over. */
  finished: Json | undefined;
}
