/** FOLD-A44 to A49: requests that are cancelled. */
import { saysUnsupported } from '../../../../src/kit/base/index.ts';
import { deadline, exercised, momentOf, rule, undelayed, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, Wait } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { MessageResponse, Request, Tool } from '../../../../src/fold/index.ts';
import { endsRequest, isBlocked, toolStepOf } from '../expected.ts';
import { terminals } from '../topics.ts';
import type { FoldView, StreamView } from '../view.ts';
import { agentMessage, responseOf, serverMessage } from '../view.ts';

/** A request whose directive ends sooner than this after a cancel may end before the cancel arrives (ms). */
const raceMargin = 500;

interface CancelWait extends Wait {
  readonly stream: StreamView;
  readonly request: Request;
}

const endsInTime = deadline<CancelWait, FoldView>({
  requirement: 'FOLD-A44',
  listens: ['cancel_request', ...terminals],
  begins(event, { stream }) {
    const id = event.from === 'target' ? undefined : serverMessage(event).cancel_request?.request_id;
    const request = id === undefined ? undefined : stream?.session.active.get(id);
    if (stream === undefined || request === undefined || request.cancel !== undefined) return undefined;
    if (!stream.session.features.has('cancellation')) return undefined;
    const expected = `request ${request.id} to end after its CancelRequest`;
    return { ...momentOf(event), key: `${stream.id} ${request.id}`, expected, stream, request };
  },
  settles: (wait, _, { request }) => (request === wait.request ? 'exercised' : undefined),
  within: ({ timeouts }) => timeouts.cancel,
  overdue: ({ stream }) => (stream.ended !== undefined || stream.disturbed ? 'dropped' : 'violated'),
});

const endsAsCancelled = rule({
  requirement: 'FOLD-A45',
  listens: ['cancel_request', ...terminals],
  start: () => new Map<string, { readonly seq: number; readonly late: number }>(),
  step(state, event, view: FoldView) {
    if (state.size === 0 && event.from === 'target') return undefined;
    const session = view.stream?.session;
    if (session?.features.has('cancellation') !== true) return undefined;
    const cancel = event.from === 'target' ? undefined : serverMessage(event).cancel_request;
    if (cancel !== undefined) {
      const request = session.active.get(cancel.request_id ?? '');
      const held =
        request !== undefined &&
        isBlocked(request, session, event.at + raceMargin + view.late, view.timeouts);
      if (held && request.cancel === undefined)
        state.set(`${event.stream} ${request.id}`, { seq: event.seq, late: view.late });
      return undefined;
    }
    const { request } = view;
    const key = `${event.stream} ${request?.id ?? ''}`;
    const by = state.get(key);
    if (request === undefined || by === undefined) return undefined;
    state.delete(key);
    if (responseOf(event).cancelled !== undefined) return exercised(event);
    // The kit may have delayed the cancel since. A Shutdown ends requests, too.
    if (by.late !== view.late || session.shutdown !== undefined) return undefined;
    const came = responseOf(event).done === undefined ? 'error' : 'done';
    return violated(
      event,
      `expected request ${request.id} to end as cancelled, for it was blocked when CancelRequest came; it ended as ${came}`,
      [by.seq],
    );
  },
});

/** A `cancelled` that comes sooner than this after a CancelRequest was sent may have crossed it (ms). */
const crossingTime = 5;

const echoesReason = rule({
  requirement: 'FOLD-A46',
  listens: ['response.cancelled'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request?.cancel === undefined) return undefined;
    const reason = responseOf(event).cancelled?.reason ?? '';
    if (reason === request.cancel.reason) return exercised(event);
    // The agent may have cancelled the request by itself, before the CancelRequest came. A directive leaves it no reason to.
    const crossing = event.at - request.cancel.at < crossingTime + view.late;
    if (crossing && request.steps === undefined) return undefined;
    return violated(
      event,
      `expected cancelled.reason to echo ${JSON.stringify(request.cancel.reason)}; it is ${JSON.stringify(reason.slice(0, 80))}`,
      [request.cancel.seq],
    );
  },
});

/** How long output may still come after a CancelRequest was sent (ms). */
const outputGrace = 1000;

const stopsPromptly = rule({
  requirement: 'FOLD-A47',
  listens: ['steered'],
  start: () => null,
  step(_, event, view: FoldView): Findings {
    const { request } = view;
    const session = view.stream?.session;
    if (session === undefined || request?.cancel === undefined) return undefined;
    const response = responseOf(event);
    const after = event.at - request.cancel.at;
    if (response.cancelled === undefined) {
      const output =
        response.done === undefined && response.error === undefined && response.tool_state === undefined;
      if (!output || after <= outputGrace + view.late) return undefined;
      return violated(
        event,
        `expected output of request ${request.id} to stop within ${outputGrace} ms of its CancelRequest; some came after ${Math.round(after)} ms`,
        [request.cancel.seq],
      );
    }
    const blocked = isBlocked(request, session, event.at, view.timeouts);
    const tool = uncancelledTool(request, blocked);
    if (tool === undefined) return exercised(event);
    const came = tool.ended === undefined ? `stayed ${String(tool.state)}` : `became ${tool.ended.state}`;
    return violated(event, `expected the open tool ${tool.id} to become TOOL_STATE_CANCELLED; it ${came}`, [
      tool.seq,
    ]);
  },
});

/** A tool of a cancelled request that has not ended, or, where nothing but the cancel could end it, not as cancelled. */
function uncancelledTool(request: Request, blocked: boolean): Tool | undefined {
  const tools = [...request.tools.values()];
  const open = tools.find((tool) => tool.state !== undefined && tool.ended === undefined);
  if (open !== undefined) return open;
  return tools.find(
    (tool) =>
      request.releases === 0 &&
      tool.asked === undefined &&
      tool.ended !== undefined &&
      tool.ended.seq > (request.cancel?.seq ?? 0) &&
      tool.ended.state !== 'TOOL_STATE_CANCELLED' &&
      toolStepOf(request, tool)?.hold === true &&
      blocked,
  );
}

interface Companions {
  /** Requests that were active when another was cancelled, by stream and id: the other, and the time of its cancel. */
  readonly beside: Map<string, { readonly cancelled: string; readonly at: number }>;
}

/** Whether a request that did not end with done may have ended for another reason than the cancel of another, `after` ms before. */
function hasOtherCause(request: Request, { error }: MessageResponse, after: number, view: FoldView): boolean {
  if (view.stream?.session.shutdown !== undefined) return true;
  if (error === undefined)
    return request.steps === undefined && after > undelayed(view.timeouts.cancel, view);
  return request.steps === undefined || request.steps.some(endsRequest) || saysUnsupported(error);
}

const leavesOthers = rule({
  requirement: 'FOLD-A48',
  listens: ['cancel_request', ...terminals],
  start: (): Companions => ({ beside: new Map() }),
  step(state, event, view: FoldView) {
    if (state.beside.size === 0 && event.from === 'target' && view.request !== undefined) return undefined;
    const session = view.stream?.session;
    if (session?.features.has('cancellation') !== true) return undefined;
    const cancel = event.from === 'target' ? undefined : serverMessage(event).cancel_request;
    if (cancel !== undefined) {
      const cancelled = session.active.get(cancel.request_id ?? '');
      if (cancelled === undefined) return undefined;
      for (const other of session.active.values())
        if (other !== cancelled)
          state.beside.set(`${event.stream} ${other.id}`, { cancelled: cancelled.id, at: event.at });
      return undefined;
    }
    const response = responseOf(event);
    const key = `${event.stream} ${response.request_id ?? ''}`;
    const request = session.requests.get(response.request_id ?? '');
    if (request?.terminal !== undefined) {
      const second = request.cancel !== undefined && request.terminal.event === 'cancelled';
      return second
        ? violated(
            event,
            `expected one terminal for request ${request.id}, which was cancelled; a second came`,
            [request.terminal.seq],
          )
        : undefined;
    }
    const other = state.beside.get(key);
    if (request === undefined || other === undefined) return undefined;
    state.beside.delete(key);
    if (request.cancel !== undefined) return undefined;
    if (response.done !== undefined) return exercised(event);
    if (hasOtherCause(request, response, event.at - other.at, view)) return undefined;
    return violated(
      event,
      `expected the cancel of ${other.cancelled} to leave ${request.id} running; it ended as ${response.error === undefined ? 'cancelled' : 'error'} too`,
      [request.seq],
    );
  },
});

const ignoresUnknown = rule({
  requirement: 'FOLD-A49',
  listens: ['cancel_request', 'stray', ...terminals, 'half_close', 'reset', 'end'],
  start: () => new Map<string, { readonly id: string; readonly seq: number }>(),
  step(state, event, view: FoldView) {
    if (state.size === 0 && event.from === 'target') return undefined;
    const { stream } = view;
    if (stream?.session.features.has('cancellation') !== true) return undefined;
    const { session } = stream;
    const cancel =
      event.kind === 'message' && event.from !== 'target' ? serverMessage(event).cancel_request : undefined;
    if (cancel !== undefined) {
      const id = cancel.request_id ?? '';
      if (!session.active.has(id)) state.set(event.stream, { id, seq: event.seq });
      return undefined;
    }
    const stray = state.size === 0 ? undefined : state.get(event.stream);
    return stray === undefined ? undefined : afterStray(state, stray, event, view);
  },
});

function afterStray(
  state: Map<string, { id: string; seq: number }>,
  stray: { id: string; seq: number },
  event: TraceEvent,
  view: FoldView,
): Findings {
  const { stream } = view;
  const notIgnored = (came: string): Findings =>
    violated(event, `expected a cancel of ${stray.id}, which is not active, to be ignored; ${came}`, [
      stray.seq,
    ]);
  if (event.kind !== 'message') {
    state.delete(event.stream);
    const own =
      event.from === 'target' && stream?.disturbed === false && stream.session.shutdown === undefined;
    return own ? notIgnored('the target ended the stream') : undefined;
  }
  const response = agentMessage(event).response ?? {};
  const terminal = (response.done ?? response.error ?? response.cancelled) !== undefined;
  if ((response.request_id ?? '') === stray.id) {
    // FOLD-A15 judges output of an ended request that does not answer the cancel.
    if (!terminal && stream?.session.requests.has(stray.id) === true) return undefined;
    state.delete(event.stream);
    return notIgnored('a response for it came');
  }
  const { request } = view;
  if (request === undefined || !terminal) return undefined;
  state.delete(event.stream);
  // A cancel cannot end a request that was sent after it.
  const hit = response.cancelled !== undefined && request.cancel === undefined && request.seq < stray.seq;
  if (!hit) return exercised(event);
  return notIgnored(`request ${request.id} ended as cancelled`);
}

export const cancellationRules: readonly Rule<FoldView>[] = [
  endsInTime,
  endsAsCancelled,
  echoesReason,
  stopsPromptly,
  leavesOthers,
  ignoresUnknown,
];
