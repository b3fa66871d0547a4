/** FOLD-A18 to A20: concurrent requests, and an agent that keeps reading while they run. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Request } from '../../../../src/fold/index.ts';
import { isBlocked, saysOf } from '../expected.ts';
import { terminals } from '../topics.ts';
import type { FoldView, StreamView } from '../view.ts';
import { agentMessage, responseOf, serverMessage } from '../view.ts';
import { nonceRules } from './nonces.ts';

const noMixing = rule({
  requirement: 'FOLD-A18',
  listens: ['response.text', ...terminals],
  start: () => ({ shared: new Set<string>() }),
  step(state, event, view: FoldView) {
    const session = view.stream?.session;
    const { text } = responseOf(event);
    if (session === undefined || (text === undefined ? state.shared.size === 0 : session.active.size < 2))
      return undefined;
    const { request } = view;
    if (request?.steps === undefined) return undefined;
    const key = `${event.stream} ${request.id}`;
    if (text === undefined) return state.shared.delete(key) ? exercised(event) : undefined;
    if (saysOf(request).has(text)) return void state.shared.add(key);
    for (const other of session.active.values()) {
      if (other !== request && saysOf(other).has(text)) {
        return violated(
          event,
          `expected each request's own text; request ${request.id} got text of request ${other.id}`,
          [request.seq, other.seq],
        );
      }
    }
    return undefined;
  },
});

const threadOrder = rule({
  requirement: 'FOLD-A19',
  listens: ['send_message', ...terminals, 'end', 'reset'],
  start: () => new Map<string, { readonly stream: string; readonly before: readonly Request[] }>(),
  step(state, event, view: FoldView) {
    if (state.size === 0 && event.from === 'target') return undefined;
    const session = view.stream?.session;
    if (session === undefined) return undefined;
    const sent = serverMessage(event).send_message;
    if (sent !== undefined && event.from !== 'target') {
      const thread = sent.thread_id ?? '';
      if (thread === '' || session.active.size === 0) return undefined;
      const before = [...session.active.values()].filter((r) => r.thread === thread);
      if (before.length > 0)
        state.set(`${event.stream} ${sent.request_id ?? ''}`, { stream: event.stream, before });
      return undefined;
    }
    if (event.kind !== 'message') {
      for (const [key, { stream }] of state) if (stream === event.stream) state.delete(key);
      return undefined;
    }
    const { request } = view;
    const key = `${event.stream} ${request?.id ?? ''}`;
    const queued = state.get(key);
    if (request === undefined || queued === undefined) return undefined;
    state.delete(key);
    if (request.cancel !== undefined) return undefined;
    const open = queued.before.find((r) => r.terminal === undefined);
    if (open === undefined) return exercised(event);
    return violated(
      event,
      `expected requests of thread ${request.thread} to be answered in order; ${request.id} ended before ${open.id}`,
      [open.seq, request.seq],
    );
  },
});

interface PendingStimulus {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly due: number;
  readonly request: Request;
}

/** Gateway messages that came while a request was blocked, and have shown no effect yet. */
interface Stimuli {
  /** By injection id. */
  readonly acks: Map<string, PendingStimulus>;
  /** By request id. */
  readonly decisions: Map<string, PendingStimulus>;
  readonly cancels: Map<string, PendingStimulus>;
}

const keepsReading = rule({
  requirement: 'FOLD-A20',
  listens: ['inject_context', 'tool_approval', 'cancel_request', 'injection_ack', 'steered', 'end', 'reset'],
  start: (): Stimuli => ({ acks: new Map(), decisions: new Map(), cancels: new Map() }),
  step(state, event, view: FoldView): Findings {
    const nothingSent = state.acks.size + state.decisions.size + state.cancels.size === 0;
    if (nothingSent && event.from === 'target') return undefined;
    const { stream } = view;
    if (stream === undefined) return undefined;
    if (event.kind === 'message') {
      return event.from === 'target' ? judgeEffect(state, event) : noteStimulus(state, event, stream, view);
    }
    for (const kind of [state.acks, state.decisions, state.cancels]) {
      for (const [key, b] of kind) if (b.stream === event.stream) kind.delete(key);
    }
    return undefined;
  },
  pending: ({ decisions }) =>
    [...decisions.values()]
      .filter(({ request }) => request.terminal === undefined)
      .map(({ seq, at, due, request }) => ({
        seq,
        at,
        within: due,
        expected: `the decision to take effect within ${due} ms while request ${request.id} is blocked`,
        came: 'no effect',
      })),
});

function noteStimulus(state: Stimuli, event: TraceEvent, stream: StreamView, view: FoldView): undefined {
  const { session } = stream;
  const { ack, cancel, step } = view.timeouts;
  const m = serverMessage(event);
  const put = (kind: Map<string, PendingStimulus>, key: string, due: number, request: Request): void => {
    if (!isBlocked(request, session, event.at, view.timeouts)) return;
    kind.set(key, { stream: event.stream, seq: event.seq, at: event.at, due, request });
  };
  const [first] = session.active.values();
  if (m.inject_context !== undefined && first !== undefined && session.features.has('injection')) {
    put(state.acks, m.inject_context.injection_id ?? '', ack, first);
  }
  const cancelled = session.active.get(m.cancel_request?.request_id ?? '');
  if (cancelled !== undefined && session.features.has('cancellation')) {
    put(state.cancels, cancelled.id, cancel, cancelled);
  }
  if (m.tool_approval === undefined) return undefined;
  for (const request of session.active.values()) {
    const tool = request.tools.get(m.tool_approval.id ?? '');
    // A decision has no effect on a tool whose own time has run out.
    if (tool?.asked === undefined || tool.ended !== undefined || tool.result !== undefined) continue;
    if (tool.decided === undefined) put(state.decisions, request.id, step, request);
  }
  return undefined;
}

/** Whether a state may have been on its way when the decision was sent. Such a state is not an effect of the decision. */
function stillWaits(event: TraceEvent): boolean {
  const { tool_approval_request, tool_state } = responseOf(event);
  return (
    tool_approval_request !== undefined ||
    tool_state?.state === 'TOOL_STATE_PENDING' ||
    tool_state?.state === 'TOOL_STATE_AWAITING_APPROVAL'
  );
}

function judgeEffect({ acks, decisions, cancels }: Stimuli, event: TraceEvent): Findings {
  const ack = agentMessage(event).injection_ack;
  if (ack !== undefined) return judgeTiming(acks, ack.injection_id ?? '', event);
  if (decisions.size === 0 && cancels.size === 0) return undefined;
  const { request_id: id = '', done, error, cancelled } = responseOf(event);
  const decision = decisions.get(id);
  if (decision !== undefined && !stillWaits(event)) {
    decisions.delete(id);
    const took = Math.round(event.at - decision.at);
    if (took <= decision.due) return exercised(event);
    return violated(
      event,
      `expected the decision to take effect within ${decision.due} ms while request ${id} is blocked; it took ${took} ms`,
      [decision.seq],
    );
  }
  if (cancelled !== undefined) return judgeTiming(cancels, id, event);
  if (done !== undefined || error !== undefined) cancels.delete(id);
  return undefined;
}

/** Judges an ack, or the end of a cancelled request. FOLD-A40 and FOLD-A44 judge late ones. */
function judgeTiming(kind: Map<string, PendingStimulus>, key: string, event: TraceEvent): Findings {
  const b = kind.get(key);
  if (b === undefined) return undefined;
  kind.delete(key);
  return event.at - b.at <= b.due ? exercised(event) : undefined;
}

export const concurrencyRules: readonly Rule<FoldView>[] = [
  noMixing,
  ...nonceRules,
  threadOrder,
  keepsReading,
];
