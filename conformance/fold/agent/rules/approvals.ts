/** FOLD-A32 to A37: tools that need a person's decision. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { finalStates } from '../../../../src/fold/index.ts';
import type { Request, Tool } from '../../../../src/fold/index.ts';
import { approvalTimeoutOf, toolStepOf, isUndecided } from '../expected.ts';
import { terminals } from '../topics.ts';
import type { FoldView } from '../view.ts';
import { responseOf, serverMessage, toolOf } from '../view.ts';
import { deniedTools, lacksEffect, pendingEnd, silentRequests } from './silence.ts';

const outcomes = ['response.tool_state', 'response.tool_result'];

/** Whether an event shows that its tool ran: RUNNING, COMPLETED, or a result without is_error. */
function showsRun(event: TraceEvent): boolean {
  const { tool_state, tool_result } = responseOf(event);
  if (tool_result !== undefined) return tool_result.is_error !== true;
  return tool_state?.state === 'TOOL_STATE_RUNNING' || tool_state?.state === 'TOOL_STATE_COMPLETED';
}

const shownAs = (event: TraceEvent): string =>
  String(responseOf(event).tool_state?.state ?? 'a tool_result without is_error');

const gated = rule({
  requirement: 'FOLD-A32',
  listens: outcomes,
  start: () => null,
  step(_, event, view: FoldView): Findings {
    const { request } = view;
    const tool = toolOf(view, event);
    if (request === undefined || tool === undefined || !showsRun(event)) return undefined;
    if (tool.decided !== undefined) return tool.decided.approved ? exercised(event) : undefined;
    if (tool.asked !== undefined)
      return violated(
        event,
        `expected tool ${tool.id} to wait for approved=true; it came to ${shownAs(event)} undecided`,
        [tool.asked.seq],
      );
    const ungated = request.approveAll === undefined && toolStepOf(request, tool)?.approval === true;
    return ungated
      ? violated(
          event,
          `expected a tool_approval_request for the gated tool ${tool.id} before it runs; it came to ${shownAs(event)} without`,
          [tool.seq],
        )
      : undefined;
  },
});

const deniedNeverRuns = rule({
  requirement: 'FOLD-A33',
  listens: [...outcomes, ...terminals],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request === undefined) return undefined;
    const tool = toolOf(view, event);
    if (tool === undefined) return deniedTools(request).length > 0 ? exercised(event) : undefined;
    if (tool.decided?.approved !== false || !showsRun(event)) return undefined;
    return violated(
      event,
      `expected tool ${tool.id} never to run after approved=false; it came to ${shownAs(event)}`,
      [tool.decided.seq],
    );
  },
  pending: (_, view, now) =>
    [...view.streams.values()]
      .filter(({ ended }) => ended === undefined)
      .flatMap((stream) =>
        silentRequests(stream, view, now.at).flatMap((request) => {
          const tool = deniedTools(request).at(-1);
          if (tool?.decided === undefined || lacksEffect(request, tool)) return [];
          const expected = `request ${request.id} to end after tool ${tool.id} was denied`;
          return [pendingEnd(request, view, expected, [tool.decided.seq])];
        }),
      ),
});

const shownDenied = rule({
  requirement: 'FOLD-A34',
  listens: ['response.done', 'response.error'],
  start: () => null,
  step(_, event, view: FoldView): Findings {
    const { request } = view;
    const { stream } = view;
    if (request === undefined || stream?.session.features.has('tool_states') !== true) return undefined;
    return deniedTools(request).flatMap((tool) => {
      const state = tool.ended?.state ?? tool.state;
      if (state === 'TOOL_STATE_DENIED') return [exercised(event)];
      // A Shutdown may have come before the decision.
      if (state === 'TOOL_STATE_CANCELLED' && stream.session.shutdown !== undefined) return [];
      // FOLD-A33 judges a denied tool that ran. FOLD-A11 judges an agent that shows no state.
      if (state === 'TOOL_STATE_COMPLETED' || state === 'TOOL_STATE_RUNNING' || state === undefined)
        return [];
      return [
        violated(
          event,
          `expected the denied tool ${tool.id} to be shown as TOOL_STATE_DENIED; it is ${String(state)}`,
          [tool.decided?.seq ?? tool.seq],
        ),
      ];
    });
  },
});

const approveAll = rule({
  requirement: 'FOLD-A35',
  listens: ['response.tool_approval_request', 'response.done'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    const all = request?.approveAll;
    if (request === undefined || all === undefined) return undefined;
    if (responseOf(event).done === undefined) {
      // Only a tool that ran shows that the decision arrived before this request for approval.
      const approved = [...request.tools.values()].find((tool) => tool.decided?.seq === all.seq);
      if (approved?.result === undefined || approved.result.isError || approved.result.seq < all.seq)
        return undefined;
      return violated(
        event,
        `expected no further asking in request ${request.id} after approve_all; tool_approval_request came`,
        [all.seq],
      );
    }
    const later = [...request.tools.values()].some((tool) => tool.seq > all.seq && tool.result !== undefined);
    return later ? exercised(event) : undefined;
  },
});

interface StrayDecision {
  readonly seq: number;
  /** The tools that waited for their own decision. */
  readonly waiting: ReadonlySet<Tool>;
}

const strayDecision = rule({
  requirement: 'FOLD-A36',
  listens: ['tool_approval', ...outcomes, ...terminals, 'half_close', 'reset', 'end'],
  start: () => new Map<string, StrayDecision>(),
  step(state, event, view: FoldView): Findings {
    if (state.size === 0 && event.from === 'target') return undefined;
    const { stream } = view;
    if (stream === undefined) return undefined;
    const decision = event.from === 'target' ? undefined : serverMessage(event).tool_approval;
    if (decision !== undefined) {
      const tools = [...stream.session.active.values()].flatMap((r) => [...r.tools.values()]);
      if (tools.some((tool) => tool.id === decision.id)) return undefined;
      return void state.set(event.stream, { seq: event.seq, waiting: new Set(tools.filter(isUndecided)) });
    }
    const stray = state.get(event.stream);
    if (stray === undefined) return undefined;
    return event.kind === 'message'
      ? afterStray(state, stray, event, view)
      : endedByStray(state, stray, event, stream);
  },
});

function afterStray(
  state: Map<string, StrayDecision>,
  stray: StrayDecision,
  event: TraceEvent,
  view: FoldView,
): Findings {
  const { request } = view;
  const tool = toolOf(view, event);
  if (tool !== undefined) {
    if (!stray.waiting.has(tool) || !isUndecided(tool)) return undefined;
    const { tool_state, tool_result } = responseOf(event);
    const timedOut =
      request !== undefined &&
      event.at + view.late - (tool.asked?.at ?? 0) >=
        approvalTimeoutOf(request, tool, view.timeouts.approval) * 0.5;
    const ended = tool_result !== undefined || finalStates.has(tool_state?.state ?? 0);
    const dropped = tool_state?.state === 'TOOL_STATE_CANCELLED';
    const moved = showsRun(event) || (ended && !timedOut && !dropped);
    if (!moved) return undefined;
    state.delete(event.stream);
    return violated(
      event,
      `expected a decision for an unknown id to change nothing; tool ${tool.id} came to ${shownAs(event)} by it`,
      [stray.seq],
    );
  }
  if (view.request === undefined) return undefined;
  state.delete(event.stream);
  return exercised(event);
}

function endedByStray(
  state: Map<string, StrayDecision>,
  stray: StrayDecision,
  event: TraceEvent,
  stream: { disturbed: boolean; session: { shutdown: unknown } },
): Findings {
  state.delete(event.stream);
  if (event.from !== 'target' || stream.disturbed || stream.session.shutdown !== undefined) return undefined;
  return violated(event, 'expected a decision for an unknown id to be ignored; the target ended the stream', [
    stray.seq,
  ]);
}

/** The denial that is awaited for a tool without a decision. */
function awaitedDenial(request: Request, tool: Tool, { timeouts }: FoldView): PendingEvent {
  const { approval, step } = timeouts;
  const limit = approvalTimeoutOf(request, tool, approval);
  const shortened = limit === approval ? '' : `, which the directive shortened from ${approval} ms`;
  return {
    seq: tool.asked?.seq ?? tool.seq,
    at: tool.asked?.at ?? 0,
    within: limit + step * 0.9,
    expected: `a denial of tool ${tool.id} when no decision came in ${limit} ms${shortened}`,
    came: 'no denial; it still waits',
  };
}

/** The violation of a tool that still waits at `at`; undefined while it may wait. */
function overdueDenial(request: Request, tool: Tool, at: TraceEvent, view: FoldView): Finding | undefined {
  const { seq, at: since, within, expected, came = '' } = awaitedDenial(request, tool, view);
  if (at.at - since < within) return undefined;
  return violated(at, `expected ${expected}; came ${came}`, [seq]);
}

const waitingTools = (request: Request): Tool[] =>
  request.cancel === undefined ? [...request.tools.values()].filter(isUndecided) : [];

const unanswered = rule({
  requirement: 'FOLD-A37',
  listens: [...outcomes, 'cancel_request'],
  start: () => null,
  step(_, event, view: FoldView): Findings {
    if (event.from !== 'target') {
      const request = view.stream?.session.active.get(serverMessage(event).cancel_request?.request_id ?? '');
      return request === undefined
        ? undefined
        : waitingTools(request).flatMap((tool) => overdueDenial(request, tool, event, view) ?? []);
    }
    const { request } = view;
    const tool = toolOf(view, event);
    if (request === undefined || tool?.asked === undefined || !isUndecided(tool) || showsRun(event))
      return undefined;
    const { state } = responseOf(event).tool_state ?? {};
    if (state !== undefined && state !== 'TOOL_STATE_DENIED') return undefined;
    // An early denial is not a denial by timeout. The limit is half the time, because a busy machine delays both clocks.
    const due = event.at - tool.asked.at >= approvalTimeoutOf(request, tool, view.timeouts.approval) * 0.5;
    return overdueDenial(request, tool, event, view) ?? (due ? exercised(event) : undefined);
  },
  pending: (_, view) =>
    [...view.streams.values()]
      .filter(({ ended, session }) => ended === undefined && session.phase !== 'closed')
      .flatMap(({ session }) => [...session.active.values()])
      .flatMap((request) => waitingTools(request).map((tool) => awaitedDenial(request, tool, view))),
});

export const approvalRules: readonly Rule<FoldView>[] = [
  gated,
  deniedNeverRuns,
  shownDenied,
  approveAll,
  strayDecision,
  unanswered,
];
