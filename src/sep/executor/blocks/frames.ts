/** The blocks of an output that are open, and the parts of the output that wait for them. `E`: an action of the run. */
import type { Json } from '../../../kit/base/index.ts';
import type { SepEvent } from '../../parser/events.ts';
import { Comparison } from './compare.ts';
import type { Condition, Operand } from './condition-form.ts';
import { blockLimitsOf } from '../../parser/limits.ts';
import type { BlockLimits } from '../../parser/limits.ts';
import type { Round } from './round.ts';
import { WaitingParts } from './waiting.ts';
import type { Arrival } from './waiting.ts';

/** A condition. `value`: whether it is true; undefined: it is none. */
export interface ConditionFrame<E> {
  readonly kind: 'if';
  readonly test: string;
  /** The condition to look at, as soon as these actions have ended; undefined: this was done. */
  pending: { readonly condition: Condition; readonly waits: readonly E[] } | undefined;
  value: boolean | undefined;
  inElse: boolean;
  readonly round: Round | undefined;
  readonly arrival: Arrival | undefined;
}

/** A block in a part that does not count. */
export interface DeadFrame {
  readonly kind: 'dead';
}

/** A loop whose end has not come: its content is kept. */
export interface RecordFrame {
  readonly kind: 'record';
  readonly attributes: { readonly [name: string]: string };
  readonly body: SepEvent[];
  /** The blocks in it that are open. */
  depth: number;
  readonly round: Round | undefined;
  /** Whether its content counts as waiting: that of a round does not. */
  readonly isWaiting: boolean;
}

/** The actions of a loop with one id, in the order of the rounds. */
export interface LoopActions<E> {
  readonly output_key: string | undefined;
  readonly generated: boolean;
  readonly entries: E[];
}

/** What a round of a loop costs. */
export interface RoundCost {
  readonly parts: number;
  readonly characters: number;
  readonly actions: number;
}

/** A loop in its rounds. */
export interface LoopFrame<E> {
  readonly kind: 'loop';
  readonly attributes: { readonly [name: string]: string };
  readonly body: readonly SepEvent[];
  readonly cost: RoundCost;
  /** The list to look at, as soon as these actions have ended; undefined: this was done. */
  pending: Operand | undefined;
  readonly waits: readonly E[];
  items: readonly Json[];
  /** The position in the content; undefined: no round has begun. */
  at: number | undefined;
  round: Round | undefined;
  /** The round in which the loop stands. */
  readonly outer: Round | undefined;
  /** By the id as it is written. */
  readonly actions: ReadonlyMap<string, LoopActions<E>>;
  readonly names: ReadonlySet<string>;
  readonly isWaiting: boolean;
}

/** A group of actions. */
export interface GroupFrame<E> {
  readonly kind: 'group';
  readonly id: string;
  readonly round: Round | undefined;
  /** All its actions, and those whose outputs it gathers, by the id as it is written. */
  readonly all: E[];
  readonly byId: Map<string, E>;
}

/** The end of a group: what is behind it waits for its actions. */
export interface BarrierFrame<E> {
  readonly kind: 'barrier';
  readonly all: readonly E[];
  /** The first one that may have no outcome. */
  next: number;
}

/** A block that is open. */
export type Frame<E> =
  ConditionFrame<E> | DeadFrame | RecordFrame | LoopFrame<E> | GroupFrame<E> | BarrierFrame<E>;

/** The blocks of a run. */
export interface BlockState<E> {
  readonly limits: Required<BlockLimits>;
  /** What waits for a block, and the blocks around what comes next. */
  readonly waiting: WaitingParts;
  readonly frames: Frame<E>[];
  /** Whether a final response has counted, and whether it was told that something came after it. */
  isFinal: boolean;
  isAfterTold: boolean;
  /** What the loops of the run have cost. */
  rounds: RoundCost;
  readonly comparison: Comparison;
}

/** No blocks. */
export function noBlocks<E>(options: BlockLimits): BlockState<E> {
  const limits = blockLimitsOf(options);
  return {
    limits,
    waiting: new WaitingParts(limits),
    frames: [],
    isFinal: false,
    isAfterTold: false,
    rounds: { parts: 0, characters: 0, actions: 0 },
    comparison: new Comparison(),
  };
}

/** Forgets the blocks that are open. */
export function clearBlocks<E>({ frames, waiting }: BlockState<E>): void {
  frames.length = 0;
  waiting.clear();
}
