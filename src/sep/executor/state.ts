/** What an executor knows: the actions of the run, their outcomes, and what waits for them. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { DiagnosticCode, SepAction, SepEvent, SepRollback } from '../parser/events.ts';
import { FeedStore } from '../feeds/store.ts';
import type { FeedStoreOptions } from '../feeds/store.ts';
import type { FeedFetch } from '../feeds/entry.ts';
import type { FeedOutcome } from '../feeds/feed.ts';
import type { Grants } from '../manifest/grants.ts';
import type { InternalActionPolicy } from '../manifest/internal-actions.ts';
import { extensionsOf } from '../extensions/extensions.ts';
import type { Extensions, ExtensionSwitches } from '../extensions/extensions.ts';
import { noBlocks } from '../extensions/frames.ts';
import type { BlockState } from '../extensions/frames.ts';
import type { BlockLimits } from '../extensions/limits.ts';
import type { Round } from '../extensions/round.ts';
import type { Extents } from './extent.ts';
import type { ExecutorLimits } from './limits.ts';

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

/** The stages of an action. fire_and_forget is `done` as soon as it has started. */
export type Stage = 'queued' | 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** The outputs that an action gathers: as a list, or by id. */
export type Gather = { readonly list: readonly Entry[] } | { readonly byId: ReadonlyMap<string, Entry> };

/** An action of the run. */
export interface Entry {
  readonly action: SepAction;
  stage: Stage;
  /** The attempts that began. */
  attempts: number;
  /** The parameters of the attempts. */
  parameters: JsonObject;
  /** The attempts after the first one. */
  readonly retries: number;
  /** The earlier actions whose outputs its parameters name (SEP-49). */
  readonly named: readonly Entry[];
  /** The number of dependencies that have not succeeded. */
  open: number;
  /** The number of dependencies that may come later in the output, or that wait for such a one. */
  forward: number;
  /** The round of a loop to which it belongs. */
  readonly round: Round | undefined;
  /** The outputs that it gathers. */
  readonly gather: Gather | undefined;
  /** The actions that wait for this one. */
  readonly dependents: Entry[];
  /** Those of them that count this one as forward. */
  readonly floating: Entry[];
  output: Json | undefined;
  error: string | undefined;
  because: string | undefined;
  /** The parts of its latest attempt; undefined: none came. */
  parts: PartsOfAttempt | undefined;
}

/** What was told of the parts of an attempt. */
export interface PartsOfAttempt {
  count: number;
  characters: number;
  /** The codes of the remarks about them. */
  readonly told: Set<DiagnosticCode>;
}

/** An action that has completed, and can be undone. */
export interface Undoable {
  readonly entry: Entry;
  readonly rollback: SepRollback;
}

/** The rollback that runs. */
export interface Undoing {
  readonly id: string;
  readonly attempt: number;
  /** Its time limit (s). */
  readonly timeout: number;
}

/** A piece of a response that was not shown: its text, or the end of the response. */
export interface HeldPiece {
  /** How many actions of the queue came before it. */
  readonly behind: number;
  readonly end: Extract<SepEvent, { type: 'response_end' }> | undefined;
  readonly final: boolean;
  /** The round of a loop to which it belongs. */
  readonly round: Round | undefined;
  /** The text that was not shown. */
  text: string;
}

/** Options of an executor. */
export interface ExecutorOptions extends ExecutorLimits, BlockLimits {
  /** Variables that the caller gives. Outputs of actions come first. */
  readonly variables?: JsonObject;
  /** The feeds of the manifest, their limits, and the counter of their tokens. */
  readonly feeds?: FeedStoreOptions;
  /** What the manifest lets internal actions do. Default: all. */
  readonly internalActions?: InternalActionPolicy;
  /** What feeds may reach. Default: no variable, folder or server. */
  readonly grants?: Grants;
  /** The extensions that are on or off. Default: those of the specification. */
  readonly extensions?: ExtensionSwitches;
  /**
   * Whether each output is followed by advice: diagnostics of the level `info` about modes and dependencies that the
   * document's "Best Practices" call bad. Default: false.
   */
  readonly advice?: boolean;
}

/** A fetch that has ended. `error`: it has failed. */
export interface EndedFetch {
  readonly feed: string;
  readonly error: string | undefined;
}

/** An internal action that has begun. */
export interface BegunInternal {
  readonly action: SepAction;
  readonly gather: Gather | undefined;
  readonly attempt: number;
  readonly parameters: JsonObject;
}

/** The state of a run. */
export interface ExecutorState {
  /** `draining`: the output has ended, and parts of it wait for a block. `undoing`: a failure has ended the turn. */
  phase: 'idle' | 'feeding' | 'output' | 'draining' | 'settling' | 'undoing' | 'over';
  iteration: number;
  /** The actions of the run by id. */
  readonly entries: Map<string, Entry>;
  /** The first action of each name. */
  readonly names: Map<string, Entry>;
  /** The actions that wait for an id that has not come. */
  readonly unknown: Map<string, Entry[]>;
  /** The last declared action that has this output key. */
  readonly producers: Map<string, Entry>;
  /** The outputs by output key. */
  readonly outputs: Map<string, Json>;
  /** The actions of the iteration in their order, and the position of the next one to admit. */
  queue: Entry[];
  next: number;
  /** The sync action that delays what is behind it. */
  blocker: Entry | undefined;
  held: HeldPiece[];
  nextHeld: number;
  /** For the advice: the positions in the queue before which a response stands. */
  readonly responsesAt: Set<number>;
  /** The begin of a reference at the end of a response's text. */
  openText: string;
  /** The characters that references put into the texts of the run, and into the response that is being shown. */
  put: number;
  putInResponse: number;
  /** The extents of values that were measured. */
  readonly extents: Extents;
  /** Whether a final response has ended. */
  isFinal: boolean;
  /** Whether the cycles of this iteration were failed. */
  hasNoCycles: boolean;
  /** The actions without an outcome that counts. */
  pending: number;
  readonly blocks: BlockState<Entry>;
  readonly feeds: FeedStore;
  /** The feeds without which the iteration does not begin. */
  readonly awaited: Set<string>;
  /** The feeds that wait for the feeds which their parameters name. */
  readonly behind: Set<string>;
  /** The internal actions that were not carried out yet, and those that wait for a feed, by its id. */
  internals: BegunInternal[];
  readonly fetching: Map<string, BegunInternal[]>;
  /** The fetches that have ended since internal actions were looked at. */
  ended: EndedFetch[];
  /** The variables that the caller gave, and those that internal actions set. */
  readonly variables: Map<string, Json>;
  /** What the model sees before its next output: its last one, and the outcomes. */
  transcript: string;
  /** When the next `feeds_due` was asked for (s); undefined: it was not. */
  wakeAt: number | undefined;
  /** The output of the iteration, and the actions that were settled since it began: the transcript. */
  text: string[];
  settled: Entry[];
  /** The actions that can be undone, in the order in which they completed, and the rollback that runs. */
  readonly undoable: Undoable[];
  undoing: Undoing | undefined;
}

/** A step: the state, and the commands so far. */
export interface ExecutorStep {
  readonly state: ExecutorState;
  readonly limits: Required<ExecutorLimits>;
  readonly options: ExecutorOptions;
  readonly extensions: Extensions;
  /** Seconds on the clock of the run. */
  readonly now: number;
  readonly commands: ExecutorCommand[];
}

/** The state before a run. */
export const idle = ({
  feeds,
  variables = {},
  extensions,
  ...limits
}: ExecutorOptions = {}): ExecutorState => ({
  phase: 'idle',
  iteration: 0,
  entries: new Map(),
  names: new Map(),
  unknown: new Map(),
  producers: new Map(),
  outputs: new Map(),
  queue: [],
  next: 0,
  blocker: undefined,
  held: [],
  nextHeld: 0,
  responsesAt: new Set(),
  openText: '',
  put: 0,
  putInResponse: 0,
  extents: new WeakMap(),
  isFinal: false,
  hasNoCycles: false,
  pending: 0,
  blocks: noBlocks(limits),
  feeds: new FeedStore({
    ...feeds,
    transformations: extensionsOf(extensions).has('transformations'),
  }),
  awaited: new Set(),
  behind: new Set(),
  internals: [],
  fetching: new Map(),
  ended: [],
  variables: new Map(Object.entries(variables)),
  transcript: '',
  wakeAt: undefined,
  text: [],
  settled: [],
  undoable: [],
  undoing: undefined,
});

/** Shows an event. */
export const show = ({ commands }: ExecutorStep, event: ExecutorEvent): void =>
  void commands.push({ do: 'show', event });

/** Shows a remark of the executor, which has no position in the output. */
export const remark = (step: ExecutorStep, code: DiagnosticCode, message: string): void =>
  show(step, { type: 'diagnostic', code, message, offset: 0 });

/** Ends the run. */
export function finish(step: ExecutorStep, reason: FinishReason): void {
  step.state.phase = 'over';
  show(step, { type: 'finished', reason });
  step.commands.push({ do: 'stop', reason });
}

/** Whether the turn is over: no action starts, and no feed is fetched any more. */
export const isEnding = ({ phase }: ExecutorState): boolean => phase === 'undoing' || phase === 'over';

/** Whether an action has its outcome. */
export const isSettled = ({ stage }: Entry): boolean =>
  stage === 'done' || stage === 'failed' || stage === 'skipped';
