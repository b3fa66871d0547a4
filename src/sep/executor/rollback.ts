/**
 * The rollback of a turn that has failed: each completed action that says how is undone, the last one first, one after the
 * other (the extension `rollback`).
 */
import { isInternalAction } from '../feeds/internal-actions.ts';
import type { SepAction, SepRollback } from '../parser/events.ts';
import { fillParameters } from './fill.ts';
import { warnMissing } from './lookup.ts';
import { finish, show } from './state.ts';
import type { Entry, Undoable } from './entry.ts';
import type { ExecutorState, ExecutorStep } from './state.ts';
import { namesIn } from '../values/variables.ts';

/** Notes that an action has completed. */
export function noteUndoable({ state, extensions }: ExecutorStep, entry: Entry): void {
  const { rollback } = entry.action;
  if (rollback !== undefined && extensions.has('rollback')) state.undoable.push({ entry, rollback });
}

/** Undoes the next action, or ends the run. One that cannot begin has failed. */
export function undoNext(step: ExecutorStep): void {
  const { state } = step;
  state.undoing = undefined;
  for (let next = state.undoable.pop(); next !== undefined; next = state.undoable.pop()) {
    const error = undo(step, next);
    if (error === undefined) return;
    show(step, { type: 'rollback', id: next.entry.action.id, status: 'failed', error });
  }
  finish(step, 'failed');
}

/** Begins a rollback. @returns why it cannot begin */
function undo(step: ExecutorStep, { entry, rollback }: Undoable): string | undefined {
  const { state, commands, limits } = step;
  const action = actionOf(entry.action, rollback);
  const { id } = action;
  show(step, { type: 'rollback', id, status: 'started' });
  warnMissing(step, `the rollback of ${id}`, namesIn(action.parameters), entry.round);
  const filled = fillParameters(step, action.parameters, entry.round);
  if ('refused' in filled) return filled.refused;
  const { parameters } = filled;
  const attempt = ++entry.attempts;
  state.undoing = { id, attempt, timeout: rollback.timeout ?? limits.rollbackTimeout };
  if (action.type === 'internal' && isInternalAction(action.name)) {
    state.internals.push({ action, attempt, parameters, gather: undefined });
    return undefined;
  }
  commands.push({ do: 'run', id, attempt, action, parameters });
  commands.push({ do: 'timer', id, attempt, after: state.undoing.timeout });
  return undefined;
}

/** A rollback as an action: it has the id of the one that it undoes. */
const actionOf = ({ id, type: own }: SepAction, rollback: SepRollback): SepAction => ({
  id,
  type: own,
  mode: 'sync',
  depends_on: [],
  on_error: 'skip',
  ...rollback,
});

/** Whether an outcome is that of the rollback which runs. */
export const isUndoing = ({ undoing }: ExecutorState, id: string, attempt: number): boolean =>
  undoing?.id === id && undoing.attempt === attempt;

/** The rollback that runs has ended. `error`: it has failed. Outcomes of other attempts count no more. */
export function undone(step: ExecutorStep, id: string, attempt: number, error?: string): void {
  if (!isUndoing(step.state, id, attempt)) return;
  show(
    step,
    error === undefined
      ? { type: 'rollback', id, status: 'completed' }
      : { type: 'rollback', id, status: 'failed', error },
  );
  undoNext(step);
}

/** The time of the rollback that runs is over. */
export function rollbackTimedOut(step: ExecutorStep, id: string, attempt: number): void {
  const { undoing } = step.state;
  if (undoing === undefined || !isUndoing(step.state, id, attempt)) return;
  step.commands.push({ do: 'abort', id, attempt });
  undone(step, id, attempt, `timed out after ${undoing.timeout} s`);
}

/** Ends the rollback that runs, and lets no other begin. */
export function stopUndoing(step: ExecutorStep, because: string): void {
  const { state, commands } = step;
  state.undoable.length = 0;
  if (state.undoing === undefined) return;
  const { id, attempt } = state.undoing;
  state.undoing = undefined;
  commands.push({ do: 'abort', id, attempt });
  show(step, { type: 'rollback', id, status: 'failed', error: `aborted because of ${because}` });
}
