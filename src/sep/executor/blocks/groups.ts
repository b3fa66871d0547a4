/** Groups: their actions run beside each other, and what is behind them waits for all. */
import type { Entry } from '../entry.ts';
import type { ExecutorState, ExecutorStep } from '../state.ts';
import type { SepEvent } from '../../parser/events.ts';
import type { BarrierFrame, GroupFrame } from './frames.ts';
import type { Round } from './round.ts';
import { declareGather } from './take.ts';
import type { Arrival } from './waiting.ts';
import { isAwaited } from './waits.ts';

/** Begins a group. */
export function beginGroup(
  { state }: ExecutorStep,
  { attributes }: Extract<SepEvent, { type: 'block' }>,
  { round, arrival }: { readonly round: Round | undefined; readonly arrival?: Arrival },
): void {
  if (arrival !== undefined) arrival.value = true;
  const { id = '' } = attributes;
  state.blocks.frames.push({ kind: 'group', id, round, all: [], byId: new Map() });
}

/** Ends a group: its outputs are gathered, if it has an id. */
export function endGroup(step: ExecutorStep, { id, round, all, byId }: GroupFrame<Entry>): void {
  const { blocks } = step.state;
  blocks.frames.pop();
  if (blocks.isFinal) return;
  const gather = id === '' ? undefined : declareGather(step, { id }, round, { gather: { byId }, of: all });
  blocks.frames.push({ kind: 'barrier', all: gather === undefined ? all : [...all, gather], next: 0 });
}

/** Whether no action of a group is waited for any more. */
export function isPast(state: ExecutorState, barrier: BarrierFrame<Entry>): boolean {
  for (let entry = barrier.all[barrier.next]; entry !== undefined; entry = barrier.all[barrier.next]) {
    if (isAwaited(state, entry)) return false;
    barrier.next++;
  }
  return true;
}
