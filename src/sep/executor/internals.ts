/** Internal actions of a run: the model changes its feeds and variables (SEP-70 to SEP-76). */
import type { Json } from '../../kit/base/index.ts';
import { actInternally } from '../feeds/internal.ts';
import { fail, succeed } from './actions.ts';
import { fetchNow } from './feeds.ts';
import { isUndoing } from './rollback.ts';
import { isEnding } from './state.ts';
import type { Gather } from './entry.ts';
import type { BegunInternal, ExecutorStep } from './state.ts';

/** Carries out the internal actions that have begun, one after the other: each may let others begin. */
export function actInternals(step: ExecutorStep): void {
  const { state } = step;
  for (;;) {
    const [ended, begun] = [state.ended, state.internals];
    if (ended.length === 0 && begun.length === 0) return;
    state.ended = [];
    state.internals = [];
    for (const { feed, error } of ended) endWaiting(step, feed, error);
    for (const one of begun) act(step, one);
  }
}

function act(step: ExecutorStep, begun: BegunInternal): void {
  const { state, options, now } = step;
  const { action, attempt, parameters, gather } = begun;
  // A turn that has failed since does nothing more.
  if (isEnding(state) && !isUndoing(state, action.id, attempt)) return;
  if (gather !== undefined) return succeed(step, action.id, attempt, gathered(gather));
  const { internalActions: policy, grants } = options;
  const outcome = actInternally(
    { name: action.name, parameters },
    {
      store: state.feeds,
      now,
      hasVariable: (name) => state.variables.has(name),
      ...(policy === undefined ? {} : { policy }),
      ...(grants === undefined ? {} : { grants }),
    },
  );
  if ('error' in outcome) return fail(step, action.id, attempt, outcome.error);
  if ('fetch' in outcome) {
    if (state.phase === 'undoing') return undoesNothing(step, begun);
    state.fetching.set(outcome.fetch, [...(state.fetching.get(outcome.fetch) ?? []), begun]);
    return fetchNow(step, outcome.fetch);
  }
  const { variable, output } = outcome;
  if (variable !== undefined && 'set' in variable) state.variables.set(variable.set, variable.value);
  else if (variable !== undefined) state.variables.delete(variable.delete);
  forgetLost(step);
  succeed(step, action.id, attempt, output);
}

/** The outputs of actions: null of one that is not tracked. */
const gathered = (gather: Gather): Json =>
  'list' in gather
    ? gather.list.map(({ output = null }) => output)
    : Object.fromEntries([...gather.byId].map(([id, { output = null }]) => [id, output]));

const undoesNothing = (step: ExecutorStep, { action, attempt }: BegunInternal): void =>
  fail(
    step,
    action.id,
    attempt,
    `expected an action that undoes another one; ${action.name} changes nothing`,
  );

/** Ends the actions that wait for a feed. `error`: its fetch has failed. */
function endWaiting(step: ExecutorStep, feed: string, error: string | undefined): void {
  const { state } = step;
  const waiting = state.fetching.get(feed) ?? [];
  state.fetching.delete(feed);
  for (const { action, attempt } of waiting)
    if (error === undefined) succeed(step, action.id, attempt, state.feeds.valueOf(feed) ?? null);
    else fail(step, action.id, attempt, error);
}

/** Fails the actions that wait for a feed which was removed, or whose source has changed: its fetch counts no more. */
function forgetLost({ state }: ExecutorStep): void {
  const underWay = new Set(state.feeds.underWay.map(({ id }) => id));
  for (const feed of state.fetching.keys())
    if (!underWay.has(feed) && !state.behind.has(feed))
      state.ended.push({ feed, error: `the feed ${feed} has changed before it was fetched` });
}
