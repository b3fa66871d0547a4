/** The actions of a run: when each starts, and what its outcome means for those that wait for it. */
import type { Json } from '../../kit/base/index.ts';
import { clearBlocks } from './blocks/frames.ts';
import { valueIn } from './blocks/round.ts';
import type { Round } from './blocks/round.ts';
import { isInternalAction } from '../feeds/internal-actions.ts';
import type { SepAction, SepEvent } from '../parser/events.ts';
import { freedBy, land, link, producersNamedIn, waitForOthers } from './dependencies.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { fillParameters } from './fill.ts';
import { warnMissing } from './lookup.ts';
import { noteUndoable, rollbackTimedOut, stopUndoing, undoNext, undone } from './rollback.ts';
import { finish, isEnding, isSettled, remark, show } from './state.ts';
import type { Entry, Gather } from './entry.ts';
import type { FinishReason } from './io.ts';
import type { ExecutorState, ExecutorStep } from './state.ts';
import { namesIn } from '../values/variables.ts';

/** What an action has from the block in which it stands. */
export interface DeclareOptions {
  readonly round?: Round | undefined;
  readonly gather?: Gather;
  /** Further actions that must have succeeded. */
  readonly named?: readonly Entry[];
}

/** Takes an action that the model asks for. @returns undefined, after a remark, if its id is not free */
export function declare(
  step: ExecutorStep,
  action: SepAction,
  options: DeclareOptions = {},
): Entry | undefined {
  const { state } = step;
  const { id, name, output_key } = action;
  if (state.entries.has(id)) {
    remark(step, 'duplicate-id', `expected an id that no other action has; ${id} is not executed again`);
    return undefined;
  }
  const { round, gather, named = [] } = options;
  show(step, round === undefined ? { type: 'action', action } : actionOf(action, round));
  const producers = producersNamedIn(state, action.parameters, round);
  const retries = retriesOf(step, action);
  const entry = entryOf(
    action,
    named.length === 0 ? producers : producers.concat(named),
    retries,
    round,
    gather,
  );
  state.entries.set(id, entry);
  if (!state.names.has(name)) state.names.set(name, entry);
  if (output_key !== undefined) state.producers.set(output_key, entry);
  link(state, entry);
  state.queue.push(entry);
  state.pending++;
  admitNext(step);
  return entry;
}

/** The event of an action in a round: with the values that the round gives to names in its parameters. */
function actionOf(action: SepAction, round: Round): Extract<SepEvent, { type: 'action' }> {
  const values = [...namesIn(action.parameters)].flatMap((name) => {
    const value = valueIn(round, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { type: 'action', action, ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }) };
}

const entryOf = (
  action: SepAction,
  named: readonly Entry[],
  retries: number,
  round: Round | undefined,
  gather: Gather | undefined,
): Entry => ({
  action,
  named,
  round,
  gather,
  retries,
  stage: 'queued',
  attempts: 0,
  parameters: {},
  open: 0,
  forward: 0,
  dependents: [],
  floating: [],
  output: undefined,
  error: undefined,
  because: undefined,
  parts: undefined,
});

/** The attempts after the first one (SEP-38, SEP-40), within the limit: the number is the model's. */
function retriesOf(step: ExecutorStep, { id, retry, on_error }: SepAction): number {
  const { mostRetries } = step.limits;
  const asked = retry ?? (on_error === 'retry' ? 1 : 0);
  if (asked > mostRetries)
    remark(step, 'too-many-retries', `expected retry of ${id} to be at most ${mostRetries}; came ${asked}`);
  return Math.min(asked, mostRetries);
}

/** Admits the actions of the queue, up to a sync one that has to end first (SEP-28). */
function admitNext(step: ExecutorStep): void {
  const { state } = step;
  while (!isEnding(state) && state.blocker === undefined) {
    const entry = state.queue[state.next];
    if (entry === undefined) return;
    state.next++;
    admit(step, entry);
    if (entry.action.mode === 'sync' && entry.forward === 0 && !isSettled(entry)) state.blocker = entry;
  }
}

function admit(step: ExecutorStep, entry: Entry): void {
  entry.stage = 'waiting';
  const because = waitForOthers(step.state, entry);
  if (because !== undefined) return skipAll(step, [[entry, because]]);
  if (entry.forward === 0) land(entry);
  if (entry.open === 0) startAll(step, [entry]);
}

/** Starts actions, and those that wait for no more than their start. */
function startAll(step: ExecutorStep, entries: readonly Entry[]): void {
  const ready = entries.toReversed();
  for (let entry = ready.pop(); entry !== undefined; entry = ready.pop()) {
    if (entry.stage !== 'waiting') continue;
    if (!start(step, entry) || entry.action.mode !== 'fire_and_forget') continue;
    // It is not tracked: it satisfies those that depend on it at its start (SEP-30).
    entry.stage = 'done';
    entry.parameters = {};
    step.state.pending--;
    for (const freed of freedBy(entry).toReversed()) ready.push(freed);
  }
}

/** Starts an action. @returns whether it runs: one whose parameters are refused has failed */
function start(step: ExecutorStep, entry: Entry): boolean {
  const { action } = entry;
  warnMissing(step, `action ${action.id}`, namesIn(action.parameters), entry.round);
  const filled = fillParameters(step, action.parameters, entry.round);
  if ('refused' in filled) {
    failForGood(step, entry, filled.refused);
    return false;
  }
  entry.stage = 'running';
  entry.parameters = filled.parameters;
  show(step, { type: 'started', id: action.id, parameters: entry.parameters });
  attempt(step, entry);
  return true;
}

/** Begins an attempt: with the parameters of the first one, and a time limit of its own (SEP-37). */
function attempt({ commands, state }: ExecutorStep, entry: Entry): void {
  const { action, parameters } = entry;
  entry.attempts++;
  entry.parts = undefined;
  // Another name belongs to a provider of the caller.
  const { gather } = entry;
  if (gather !== undefined || (action.type === 'internal' && isInternalAction(action.name))) {
    // Carried out at the end of the step: a long row of them is no deep recursion.
    state.internals.push({ action, attempt: entry.attempts, parameters, gather });
    return;
  }
  commands.push({ do: 'run', id: action.id, attempt: entry.attempts, action, parameters });
  if (action.timeout === undefined || action.mode === 'fire_and_forget') return;
  commands.push({ do: 'timer', id: action.id, attempt: entry.attempts, after: action.timeout });
}

/** The action of an outcome that counts: it runs, and this is its latest attempt. */
export function running({ entries }: ExecutorState, id: string, n: number): Entry | undefined {
  const entry = entries.get(id);
  return entry?.stage === 'running' && entry.attempts === n ? entry : undefined;
}

/** An attempt has succeeded. */
export function succeed(step: ExecutorStep, id: string, n: number, output: Json): void {
  const { state } = step;
  if (state.phase === 'undoing') return undone(step, id, n);
  const entry = running(state, id, n);
  if (entry === undefined) return;
  const { mostValue } = step.limits;
  const refused = refusalOf(extentOf(output, mostValue, state.extents), 'an output', mostValue);
  if (refused !== undefined) return fail(step, id, n, refused);
  entry.stage = 'done';
  entry.output = output;
  if (entry.action.output_key !== undefined) state.outputs.set(entry.action.output_key, output);
  settle(step, entry);
  noteUndoable(step, entry);
  show(step, { type: 'completed', id, output });
  startAll(step, freedBy(entry));
  unblock(step);
}

/** An attempt has failed: the next one begins, or the action fails (SEP-38, SEP-40). */
export function fail(step: ExecutorStep, id: string, n: number, error: string): void {
  if (step.state.phase === 'undoing') return undone(step, id, n, error);
  const entry = running(step.state, id, n);
  if (entry === undefined) return;
  if (n <= entry.retries) return attempt(step, entry);
  failForGood(step, entry, error);
}

/** The time of an attempt is over (SEP-37). */
export function timeOut(step: ExecutorStep, id: string, n: number): void {
  if (step.state.phase === 'undoing') return rollbackTimedOut(step, id, n);
  const entry = running(step.state, id, n);
  if (entry === undefined) return;
  step.commands.push({ do: 'abort', id, attempt: n });
  fail(step, id, n, `timed out after ${entry.action.timeout ?? 0} s`);
}

function failForGood(step: ExecutorStep, entry: Entry, error: string): void {
  const { id, on_error } = entry.action;
  entry.stage = 'failed';
  entry.error = error;
  settle(step, entry);
  show(step, { type: 'failed', id, error, attempts: entry.attempts });
  if (on_error === 'fail') return endRun(step, 'failed', id);
  skipAll(
    step,
    entry.dependents.splice(0).map((one) => [one, id] as const),
  );
}

function settle({ state }: ExecutorStep, entry: Entry): void {
  state.pending--;
  state.settled.push(entry);
  // No further attempt needs them.
  entry.parameters = {};
}

/** Skips actions, and those that wait for them: each with the id of the one that it waited for (SEP-34). */
function skipAll(step: ExecutorStep, skipped: readonly (readonly [Entry, string])[]): void {
  const stack = skipped.toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [entry, because] = next;
    if (isSettled(entry) || entry.stage === 'running') continue;
    const { id } = entry.action;
    entry.stage = 'skipped';
    entry.because = because;
    settle(step, entry);
    show(step, { type: 'skipped', id, because });
    for (const one of entry.dependents.splice(0).toReversed()) stack.push([one, id]);
  }
  unblock(step);
}

/** Lets the queue go on when its sync action has an outcome. */
function unblock(step: ExecutorStep): void {
  const { state } = step;
  if (state.blocker === undefined || !isSettled(state.blocker)) return;
  state.blocker = undefined;
  admitNext(step);
}

/** Skips the actions whose dependencies never came (SEP-32). */
export function skipUnknown(step: ExecutorStep): void {
  const { unknown } = step.state;
  const waiting = [...unknown].flatMap(([id, entries]) => entries.map((one) => [one, id] as const));
  unknown.clear();
  skipAll(step, waiting);
}

/** Fails the actions of all cycles: none of them can start (SEP-33). */
export function failCycles(step: ExecutorStep, cycles: readonly (readonly Entry[])[]): void {
  // Not to be skipped because of each other, or of another cycle.
  for (const entry of cycles.flat()) entry.stage = 'running';
  for (const cycle of cycles) {
    const ids = cycle.map(({ action }) => action.id);
    const error = `its dependencies are a cycle: ${pathOf(ids)}`;
    for (const entry of cycle) if (!isEnding(step.state)) failForGood(step, entry, error);
  }
}

/** The most actions of a cycle that an error names. */
const mostNamed = 8;

/** A cycle in words. A long one is cut: each of its actions has it in its error. */
function pathOf(ids: readonly string[]): string {
  const [first = ''] = ids;
  const more = ids.length - mostNamed;
  const named = more > 0 ? [...ids.slice(0, mostNamed), `(${more} more)`] : ids;
  return [...named, first].join(' → ');
}

/**
 * Ends the run: what runs is aborted, what waits is skipped, and text that waits for either is not shown. A failure undoes
 * first what has completed.
 */
export function endRun(step: ExecutorStep, reason: FinishReason, because: string): void {
  const { state, commands } = step;
  if (state.phase === 'over') return;
  if (state.phase === 'undoing') {
    stopUndoing(step, because);
    return finish(step, reason);
  }
  state.phase = 'undoing';
  state.internals = [];
  state.held.length = 0;
  state.nextHeld = 0;
  clearBlocks(state.blocks);
  for (const entry of state.entries.values()) {
    const { id } = entry.action;
    if (entry.stage === 'running') {
      commands.push({ do: 'abort', id, attempt: entry.attempts });
      entry.stage = 'failed';
      show(step, { type: 'failed', id, error: `aborted because of ${because}`, attempts: entry.attempts });
    } else if (!isSettled(entry)) {
      entry.stage = 'skipped';
      show(step, { type: 'skipped', id, because });
    }
  }
  if (reason === 'failed') undoNext(step);
  else finish(step, reason);
}
