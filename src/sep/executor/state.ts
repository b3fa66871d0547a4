/** What an executor knows: the actions of the run, their outcomes, and what waits for them. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { DiagnosticCode, SepAction } from '../parser/events.ts';
import { FeedStore } from '../feeds/store.ts';
import type { FeedStoreOptions } from '../feeds/store.ts';
import type { Grants } from '../feeds/grants.ts';
import type { InternalActionPolicy } from '../feeds/internal-actions.ts';
import { extensionsOf } from '../parser/extensions.ts';
import type { Extensions, ExtensionSwitches } from '../parser/extensions.ts';
import { noBlocks } from './blocks/frames.ts';
import type { BlockState } from './blocks/frames.ts';
import type { BlockLimits } from '../parser/limits.ts';
import type { Entry, Gather, HeldPiece, Undoable, Undoing } from './entry.ts';
import type { Extents } from '../values/extent.ts';
import type { ExecutorCommand, ExecutorEvent, FinishReason } from './io.ts';
import type { ExecutorLimits } from './limits.ts';

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
