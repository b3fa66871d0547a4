/** Requests that should have ended: they have been silent for too long, and the gateway owes them nothing. */
import type { PendingEvent } from '../../../../src/kit/judge/index.ts';
import type { Request, Session, Tool } from '../../../../src/fold/index.ts';
import { approvalTimeoutOf, isBlocked, isUndecided } from '../expected.ts';
import type { FoldView, StreamView } from '../view.ts';
import { patienceOf } from '../view.ts';

/** The last event of a request, or the last decision about a tool of it (ms): a wait for a decision is no silence. */
function lastAt({ last, tools }: Request): number {
  let at = last.at;
  for (const { decided } of tools.values()) if (decided !== undefined) at = Math.max(at, decided.at);
  return at;
}

/** Since when a request has been silent (ms). A request that has not begun may have waited for the ends of earlier ones. */
function silentSince(request: Request, { requests }: Session): number {
  if (request.last.seq !== request.seq) return lastAt(request);
  let since = request.at;
  for (const { seq, terminal } of requests.values())
    if (seq < request.seq && terminal !== undefined) since = Math.max(since, terminal.at);
  return since;
}

/** Whether a request has not begun and an earlier one is active: an agent may run its requests one after another. */
const isQueued = (request: Request, { active }: Session): boolean =>
  request.last.seq === request.seq && active.values().next().value !== request;

/** Whether a tool was denied, and the agent asked for its approval again. */
const isAskedAgain = ({ asks, decided, ended, result }: Tool): boolean =>
  asks > 1 && decided?.approved === false && ended === undefined && result === undefined;

/** Whether the gateway owes a request a decision. */
const awaitsDecision = (request: Request, at: number, { timeouts }: FoldView): boolean =>
  [...request.tools.values()].some((tool) => {
    if (!isUndecided(tool) && !isAskedAgain(tool)) return false;
    const since = isUndecided(tool) ? (tool.asked?.at ?? 0) : request.last.at;
    return at - since < approvalTimeoutOf(request, tool, timeouts.approval);
  });

/** The tools of a request that were denied. */
export const deniedTools = (request: Request): Tool[] =>
  request.tools.size === 0 || !request.steered
    ? []
    : [...request.tools.values()].filter((tool) => tool.decided?.approved === false);

/** Whether FOLD-A20 judges a decision about a tool, because the tool shows no effect of it. It judges directives only. */
export const lacksEffect = ({ steps }: Request, { decided, ended, result }: Tool): boolean =>
  steps !== undefined && decided !== undefined && ended === undefined && result === undefined;

/** The requests of a stream that nothing keeps from ending, and that have been silent for too long at a time (ms). */
export function silentRequests(stream: StreamView, view: FoldView, at: number): Request[] {
  const { session, disturbed, ended } = stream;
  if (disturbed || ended?.by === 'kit' || session.shutdown !== undefined) return [];
  if (session.packCalls.size > 0) return []; // the gateway owes a result
  return [...session.active.values()].filter(
    (request) =>
      at - silentSince(request, session) >= patienceOf(request, view) &&
      request.cancel === undefined &&
      !isQueued(request, session) &&
      !awaitsDecision(request, at, view) &&
      !isBlocked(request, session, at, view.timeouts),
  );
}

/** Those of them that FOLD-A14 judges: FOLD-A33 judges the end after a denial. */
export const stalled = (stream: StreamView, view: FoldView, { at }: { readonly at: number }): Request[] =>
  silentRequests(stream, view, at).filter(
    (request) =>
      deniedTools(request).length === 0 &&
      ![...request.tools.values()].some((tool) => lacksEffect(request, tool)),
  );

/** The missing end of a request that has been silent for too long. */
export const pendingEnd = (
  request: Request,
  view: FoldView,
  expected: string,
  also: readonly number[] = [],
): PendingEvent => ({
  seq: request.seq,
  at: lastAt(request),
  within: patienceOf(request, view),
  expected,
  also: [...also, request.last.seq],
});
