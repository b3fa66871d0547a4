/** Which actions an action waits for, and whether one of these may come later in the output. */
import type { Json } from '../../kit/base/index.ts';
import { valueIn } from './blocks/round.ts';
import type { Round } from './blocks/round.ts';
import { producerOf } from './lookup.ts';
import { isSettled } from './state.ts';
import type { Entry } from './entry.ts';
import type { ExecutorState } from './state.ts';
import { namesIn } from '../values/variables.ts';

/**
 * Links an action to those that it waits for.
 *
 * @returns the id of one that failed, was skipped or can come no more; undefined: nothing keeps the action from running
 */
export function waitForOthers(state: ExecutorState, entry: Entry): string | undefined {
  const waited = new Set<Entry>();
  const unknown: string[] = [];
  for (const id of entry.action.depends_on) {
    const found = state.entries.get(id);
    const target = found?.action.generated === true ? undefined : found;
    if (target === undefined) {
      if (state.phase === 'settling') return id;
      unknown.push(id);
    } else if (target.stage === 'failed' || target.stage === 'skipped') return id;
    else if (target.stage !== 'done') waited.add(target);
  }
  for (const target of entry.named) {
    if (target.stage === 'failed' || target.stage === 'skipped') return target.action.id;
    if (!isSettled(target)) waited.add(target);
  }
  for (const id of unknown) waitForUnknown(state, entry, id);
  for (const target of waited) waitFor(entry, target);
  return undefined;
}

/** The actions so far whose outputs the references in parameters name (SEP-49). */
export const producersNamedIn = (
  state: ExecutorState,
  parameters: Json,
  round: Round | undefined,
): readonly Entry[] =>
  [...namesIn(parameters)].flatMap((name) =>
    valueIn(round, name) === undefined ? (producerOf(state, name) ?? []) : [],
  );

function waitForUnknown(state: ExecutorState, entry: Entry, id: string): void {
  entry.open++;
  entry.forward++;
  const waiting = state.unknown.get(id);
  if (waiting === undefined) state.unknown.set(id, [entry]);
  else waiting.push(entry);
}

function waitFor(entry: Entry, target: Entry): void {
  entry.open++;
  target.dependents.push(entry);
  if (target.stage !== 'queued' && target.forward === 0 && target !== entry) return;
  entry.forward++;
  target.floating.push(entry);
}

/** Links the actions that wait for an id to the action that has it now. */
export function link(state: ExecutorState, entry: Entry): void {
  const { id, generated } = entry.action;
  const waiting = state.unknown.get(id);
  if (waiting === undefined || generated === true) return;
  state.unknown.delete(id);
  for (const one of waiting) {
    entry.dependents.push(one);
    entry.floating.push(one);
  }
}

/** An action that waits for nothing that may come later: neither do those that wait only for it. */
export function land(entry: Entry): void {
  const stack = [entry];
  for (let one = stack.pop(); one !== undefined; one = stack.pop())
    for (const dependent of one.floating.splice(0)) if (--dependent.forward === 0) stack.push(dependent);
}

/** The actions that wait for nothing more, now that this one has succeeded. */
export const freedBy = (entry: Entry): readonly Entry[] =>
  entry.dependents.splice(0).filter((one) => --one.open === 0 && one.stage === 'waiting');
