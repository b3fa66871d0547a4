/** What goes into the executor, and what comes out of it: events, commands and inputs. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { FeedFetch } from '../feeds/entry.ts';
import type { FeedOutcome } from '../feeds/feed.ts';
import type { SepAction, SepEvent } from '../parser/events.ts';

/** An event of a run: those of the parser, and what becomes of each action. */
export type ExecutorEvent =
  | SepEvent
  /** `parameters`: with the values of their references. */
  | { readonly type: 'started'; readonly id: string; readonly parameters: JsonObject }
  | { readonly type: 'completed'; readonly id: string; readonly output: Json }
  | { readonly type: 'failed'; readonly id: string; readonly error: string; readonly attempts: number }
  /** `because`: the id of the action that failed, was skipped or never came. */
  | { readonly type: 'skipped'; readonly id: string; readonly because: string }
  /** A part of the output of an attempt: `n` counts them from 0. */
  | { readonly type: 'partial'; readonly id: string; readonly n: number; readonly output: Json }
  /** The action with this id is being undone, or was. */
  | { readonly type: 'rollback'; readonly id: string; readonly status: 'started' | 'completed' }
  | { readonly type: 'rollback'; readonly id: string; readonly status: 'failed'; readonly error: string }
  /** A feed was fetched: `runtime` tells it apart from a tag that the model wrote. */
  | {
      readonly type: 'context_feed';
      readonly id: string;
      readonly text: string;
      readonly runtime: true;
      /** The server of a remote feed could not fetch it anew. */
      readonly stale?: true;
    }
  /** A condition was looked at. */
  | { readonly type: 'condition'; readonly test: string; readonly value: boolean }
  /** The list of a loop was looked at: it has so many rounds. */
  | { readonly type: 'loop'; readonly list: string; readonly rounds: number }
  /** The model begins its n-th output, from 1. */
  | { readonly type: 'iteration'; readonly n: number }
  | { readonly type: 'finished'; readonly reason: FinishReason };

/** Why a run ends: a final response, the cap of iterations, an action with on_error fail, or a cancel. */
export type FinishReason = 'final' | 'max_iterations' | 'failed' | 'cancelled';

/** An effect that the executor asks for. */
export type ExecutorCommand =
  | { readonly do: 'show'; readonly event: ExecutorEvent }
  /** Run an action, or the rollback of one, which has its id. Report its outcome with the same `attempt`. */
  | {
      readonly do: 'run';
      readonly id: string;
      readonly attempt: number;
      readonly action: SepAction;
      readonly parameters: JsonObject;
    }
  /** Stop an attempt: its time is over, or the run ends. Its outcome counts no more. */
  | { readonly do: 'abort'; readonly id: string; readonly attempt: number }
  /** Report `timeout` of this attempt after so many seconds. */
  | { readonly do: 'timer'; readonly id: string; readonly attempt: number; readonly after: number }
  /** Fetch the value of a feed. Report its outcome with the same id and number: an error after `timeout` seconds. */
  | {
      readonly do: 'fetch';
      readonly fetch: FeedFetch;
      readonly source: FeedFetch['source'];
      readonly timeout: number;
    }
  /** Report `feeds_due` after so many seconds; it replaces the one before. */
  | { readonly do: 'wake'; readonly after: number }
  /**
   * Let the model go on: it sees this text. It comes before the first output, too, if the run has feeds: then no output is
   * taken before it.
   */
  | { readonly do: 'iterate'; readonly n: number; readonly transcript: string }
  | { readonly do: 'stop'; readonly reason: FinishReason };

/** An input of the executor. */
export type ExecutorInput =
  /** The run begins. */
  | { readonly type: 'begin' }
  /** An event of the parser. */
  | { readonly type: 'event'; readonly event: SepEvent }
  /** A piece of the model's output as it came: the transcript holds it. */
  | { readonly type: 'output'; readonly text: string }
  /** The model's output of this iteration has ended. */
  | { readonly type: 'ended' }
  | { readonly type: 'succeeded'; readonly id: string; readonly attempt: number; readonly output: Json }
  | { readonly type: 'failed'; readonly id: string; readonly attempt: number; readonly error: string }
  | { readonly type: 'timeout'; readonly id: string; readonly attempt: number }
  /** A part of the output of an attempt that goes on. */
  | { readonly type: 'part'; readonly id: string; readonly attempt: number; readonly output: Json }
  /** A fetch has ended. */
  | {
      readonly type: 'fetched';
      readonly fetch: Pick<FeedFetch, 'id' | 'number'>;
      readonly outcome: FeedOutcome;
    }
  /** Periodic feeds are due. */
  | { readonly type: 'feeds_due' }
  | { readonly type: 'cancel' };
