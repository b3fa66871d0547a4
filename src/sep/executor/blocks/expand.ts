/**
 * The blocks of a run: which parts of an output count, and when (spec/sep/README.md, "Blocks"). Parts wait in a row; the
 * first one is taken as soon as the innermost block waits for no action.
 */
import { skipUnknown } from '../actions.ts';
import { advise } from '../advise.ts';
import { release } from '../responses.ts';
import { isEnding, remark, show } from '../state.ts';
import type { Entry } from '../entry.ts';
import type { ExecutorState, ExecutorStep } from '../state.ts';
import type { SepEvent } from '../../parser/events.ts';
import { conditionOf, isTrue } from './condition.ts';
import { clearBlocks } from './frames.ts';
import type { BlockState, ConditionFrame, Frame } from './frames.ts';
import { beginGroup, endGroup, isPast } from './groups.ts';
import { beginLoop, keep, lookAtList } from './loops.ts';
import { goOn } from './rounds.ts';
import type { Round } from './round.ts';
import { takeEvent, tellAfter } from './take.ts';
import { isAwaited, producersOf, worldOf } from './waits.ts';
import { sizeOf } from './waiting.ts';
import type { WaitingPart } from './waiting.ts';

type BlockEvent = Extract<SepEvent, { type: 'block' }>;

const free: readonly string[] = ['thought', 'text', 'context_feed', 'template'] satisfies SepEvent['type'][];

const isStructure = ({ type }: SepEvent): boolean =>
  type === 'block' || type === 'branch' || type === 'block_end';

/** Takes an event of the parser. Outside of blocks it counts at once. */
export function arrive(step: ExecutorStep, event: SepEvent): void {
  const { waiting, frames } = step.state.blocks;
  if (frames.length === 0 && waiting.isIdle && !isStructure(event)) return takeEvent(step, event);
  // A remark of the parser is about the output as it is written.
  if (event.type === 'diagnostic' || (free.includes(event.type) && waiting.passes))
    return takeEvent(step, event);
  const top = frames.at(-1);
  const before = top?.kind === 'record' && top.isWaiting ? top.body.at(-1) : undefined;
  if (waiting.take(event, before))
    remark(
      step,
      'block-too-large',
      'expected less of the output to wait for a block; what has no room is left out',
    );
}

/** Takes the parts that wait for no block, and ends the output once none is left. */
export function drain(step: ExecutorStep): void {
  const { state } = step;
  const { blocks } = state;
  if (state.phase !== 'draining' && blocks.frames.length === 0 && blocks.waiting.isEmpty) return;
  // An internal action that has begun is carried out first: a condition may read what it changes.
  while (!isEnding(state) && state.internals.length === 0 && !isBlocked(step)) {
    const part = nextPart(blocks);
    if (part !== undefined) {
      handle(step, part);
      // In the order of the output: its text comes before the start of the next action.
      if (part.event.type === 'response' || part.event.type === 'response_end') release(step);
    } else if (blocks.frames.at(-1)?.kind !== 'loop') break;
  }
  if (state.phase !== 'draining' || state.internals.length > 0 || !blocks.waiting.isEmpty || isBlocked(step))
    return;
  clearBlocks(blocks);
  advise(step);
  state.phase = 'settling';
  skipUnknown(step);
}

/** A part, and the round that it belongs to. */
interface Part extends WaitingPart {
  readonly round: Round | undefined;
  /** Whether it waited: the parts of rounds do not. */
  readonly hasWaited: boolean;
}

/** The next part: of the innermost loop, if one is open. */
function nextPart({ frames, waiting }: BlockState<Entry>): Part | undefined {
  const loop = frames.findLast((frame) => frame.kind === 'loop');
  if (loop === undefined) {
    const part = waiting.next();
    return part && { ...part, round: undefined, hasWaited: true };
  }
  const event = loop.at === undefined ? undefined : loop.body[loop.at++];
  return event && { event, round: loop.round, hasWaited: false };
}

/** Lets the innermost blocks go on. @returns whether one waits for an action */
function isBlocked(step: ExecutorStep): boolean {
  const { state } = step;
  const { frames } = state.blocks;
  for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
    if (top.kind === 'if' && top.pending !== undefined) {
      if (isWaiting(state, top.pending.waits)) return true;
      lookAtCondition(step, top);
      return false;
    }
    if (top.kind === 'loop' && top.pending !== undefined) {
      if (isWaiting(state, top.waits)) return true;
      lookAtList(step, top);
    } else if (top.kind === 'loop' && (top.at === undefined || top.at >= top.body.length)) goOn(step, top);
    else if (top.kind === 'barrier') {
      if (!isPast(state, top)) return true;
      frames.pop();
    } else return false;
    if (isEnding(state)) return true;
  }
  return false;
}

const isWaiting = (state: ExecutorState, waits: readonly Entry[]): boolean =>
  waits.some((entry) => isAwaited(state, entry));

/** Whether the next part counts. */
function isCounting(top: Frame<Entry> | undefined): boolean {
  if (top?.kind === 'if') return top.value === !top.inElse;
  return top?.kind !== 'dead';
}

function handle(step: ExecutorStep, part: Part): void {
  const { event, round } = part;
  const { waiting, frames } = step.state.blocks;
  const top = frames.at(-1);
  if (top?.kind === 'record') return keep(step, top, event);
  if (part.hasWaited) waiting.release(1, sizeOf(event));
  if (event.type === 'block') return begin(step, event, part, isCounting(top));
  if (event.type === 'branch') {
    if (top?.kind === 'if') top.inElse = true;
  } else if (event.type === 'block_end') {
    if (top?.kind === 'group') endGroup(step, top);
    else if (top?.kind === 'if' || top?.kind === 'dead') frames.pop();
  } else if (isCounting(top)) takeEvent(step, event, round);
}

function begin(step: ExecutorStep, event: BlockEvent, part: Part, counts: boolean): void {
  const { blocks } = step.state;
  if (counts && blocks.isFinal) tellAfter(step, event);
  if (!counts || blocks.isFinal) return void blocks.frames.push({ kind: 'dead' });
  if (event.name === 'if') return beginCondition(step, event, part);
  if (event.name === 'parallel') return beginGroup(step, event, part);
  beginLoop(step, event, part);
}

function beginCondition(step: ExecutorStep, { attributes }: BlockEvent, { round, arrival }: Part): void {
  const { test = '' } = attributes;
  const found = conditionOf(test);
  if ('fault' in found)
    remark(step, 'bad-condition', `${found.fault}, in the condition ${test}; no part of it counts`);
  const pending =
    'fault' in found ? undefined : { condition: found.read, waits: producersOf(step, found.names, round) };
  step.state.blocks.frames.push({
    kind: 'if',
    test,
    pending,
    value: undefined,
    inElse: false,
    round,
    arrival,
  });
}

function lookAtCondition(step: ExecutorStep, frame: ConditionFrame<Entry>): void {
  const { test, pending, round, arrival } = frame;
  if (pending === undefined) return;
  const { comparison } = step.state.blocks;
  const value = isTrue(pending.condition, worldOf(step, round, `the condition ${test}`));
  frame.pending = undefined;
  if (comparison.isSpent)
    return remark(
      step,
      'bad-condition',
      `expected less to compare in the condition ${test}; no part of it counts`,
    );
  frame.value = value;
  if (arrival !== undefined) arrival.value = value;
  show(step, { type: 'condition', test, value });
}
