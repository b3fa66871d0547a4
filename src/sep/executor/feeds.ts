/**
 * The feeds of a run. What is due is fetched before each output of the model, which waits for it; a periodic feed is also
 * fetched while the run goes on. A feed whose parameters name other feeds waits for those that are being fetched.
 */
import type { FeedFetch } from '../feeds/entry.ts';
import type { FeedOutcome } from '../feeds/feed.ts';
import { cyclesOf } from './cycles.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { lookupOf } from './lookup.ts';
import { isEnding, remark, show } from './state.ts';
import type { ExecutorState, ExecutorStep } from './state.ts';
import { namesIn, substitute } from '../values/variables.ts';

/** Fetches what is due before an output of the model. */
export function fetchDue(step: ExecutorStep): void {
  const { state, now } = step;
  for (const { id, trigger } of state.feeds.due(now)) {
    // A periodic feed with a value is fetched beside the output.
    if (trigger === 'on_demand' || state.feeds.valueOf(id) === undefined) state.awaited.add(id);
    state.behind.add(id);
  }
  for (const { id } of state.feeds.underWay) if (state.feeds.valueOf(id) === undefined) state.awaited.add(id);
  fetchReady(step);
}

/** Fetches the periodic feeds that are due. */
export function fetchPeriodic(step: ExecutorStep): void {
  const { state, now } = step;
  state.wakeAt = undefined;
  if (state.phase === 'idle' || isEnding(state)) return;
  for (const { id } of state.feeds.duePeriodic(now)) state.behind.add(id);
  fetchReady(step);
}

/** Begins a fetch because an internal action asks for it. */
export function fetchNow(step: ExecutorStep, id: string): void {
  const { state } = step;
  if (state.feeds.underWay.some((fetch) => fetch.id === id)) return;
  state.behind.add(id);
  fetchReady(step);
}

/** The feeds that the parameters of a feed name, and that have no value of their own yet in this round. */
function namedBy(step: ExecutorStep, id: string): readonly string[] {
  const { state } = step;
  if (!hasReferences(step)) return [];
  const params = state.feeds.entry(id)?.spec.source.params ?? {};
  const isAwaited = (name: string): boolean =>
    state.behind.has(name) || state.feeds.entry(name)?.underWay !== undefined;
  return [...namesIn(params)].filter(isAwaited);
}

/** Begins the fetches that wait for no other feed. Those that wait for each other have failed (SEP-88). */
function fetchReady(step: ExecutorStep): void {
  const { state } = step;
  for (;;) {
    for (let ready = readyOf(step); ready.length > 0; ready = readyOf(step))
      for (const id of ready) {
        state.behind.delete(id);
        begin(step, id);
      }
    if (state.behind.size === 0 || state.feeds.underWay.length > 0) return;
    for (const cycle of cyclesOf(state.behind, (id) => namedBy(step, id))) failCycle(step, cycle);
  }
}

/** Fails feeds that name each other. One that only names them is fetched after that. */
function failCycle(step: ExecutorStep, cycle: readonly string[]): void {
  const { state, now } = step;
  for (const id of cycle) {
    state.behind.delete(id);
    const fetch = state.feeds.begin(id, now);
    const error = `its feeds name each other: ${cycle.join(', ')}`;
    if (fetch !== undefined) settle(step, fetch, { error });
    state.awaited.delete(id);
  }
}

const readyOf = (step: ExecutorStep): readonly string[] =>
  [...step.state.behind].filter((id) => namedBy(step, id).length === 0);

function begin(step: ExecutorStep, id: string): void {
  const { state, now, commands, limits } = step;
  const fetch = state.feeds.begin(id, now);
  if (fetch === undefined) {
    state.awaited.delete(id);
    return;
  }
  const off = offOf(step, id);
  if (off !== undefined) return settle(step, fetch, { error: off });
  const { source } = fetch;
  const params = hasReferences(step)
    ? (substitute(source.params, lookupOf(step)) as typeof source.params)
    : source.params;
  const refused = refusalOf(
    extentOf(params, limits.mostValue, state.extents),
    `the parameters of ${id}`,
    limits.mostValue,
  );
  if (refused !== undefined) settle(step, fetch, { error: refused });
  else commands.push({ do: 'fetch', fetch, source: { ...source, params }, timeout: limits.feedTimeout });
}

/** Which extension a feed needs that is off, as a reason; undefined: none. */
function offOf({ state, extensions }: ExecutorStep, id: string): string | undefined {
  const spec = state.feeds.entry(id)?.spec;
  if (spec?.source.type === 'remote' && !extensions.has('distributed_feeds'))
    return 'its source is remote, and distributed_feeds are off';
  return spec === undefined ? undefined : state.feeds.refusalOf(spec);
}

const hasReferences = ({ extensions }: ExecutorStep): boolean => extensions.has('cross_feed_references');

/** A fetch has ended: its value is shown, and what waited for it goes on. */
export function fetched(
  step: ExecutorStep,
  fetch: Pick<FeedFetch, 'id' | 'number'>,
  outcome: FeedOutcome,
): void {
  if (isEnding(step.state)) return;
  settle(step, fetch, outcome);
  fetchReady(step);
}

function settle(step: ExecutorStep, fetch: Pick<FeedFetch, 'id' | 'number'>, outcome: FeedOutcome): void {
  const { state, now } = step;
  const settlement = state.feeds.settle(fetch, outcome, now);
  if (settlement === undefined) return;
  const { id, text, isOld, diagnostic } = settlement;
  state.awaited.delete(id);
  if (text !== undefined)
    show(step, { type: 'context_feed', id, text, runtime: true, ...(isOld === true && { stale: true }) });
  if (diagnostic !== undefined) remark(step, 'feed-failed', diagnostic);
  state.ended.push({ feed: id, error: diagnostic });
}

/** Whether the next output of the model may begin. */
export const hasFeeds = ({ awaited, feeds }: ExecutorState): boolean => {
  for (const id of awaited) {
    if (feeds.entry(id) !== undefined) return false;
    awaited.delete(id);
  }
  return true;
};

/** Asks to be told when a periodic feed is due. */
export function askToWake({ state, now, commands }: ExecutorStep): void {
  if (state.phase === 'idle' || isEnding(state)) return;
  const next = state.feeds.nextDue(now);
  if (next === undefined || (state.wakeAt !== undefined && state.wakeAt <= next)) return;
  state.wakeAt = next;
  commands.push({ do: 'wake', after: next - now });
}
