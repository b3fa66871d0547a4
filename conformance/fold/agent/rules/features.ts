/** FOLD-A10 to A12: an agent must honour its advertised features, and must survive unknown parts of messages. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { InjectionPriorityNames } from '../../../../src/fold/index.ts';
import type { Request } from '../../../../src/fold/index.ts';
import type { FoldView, StreamView } from '../view.ts';
import { isBlocked, endsRequest } from '../expected.ts';
import { agentMessage, responseOf, serverMessage } from '../view.ts';

/** How long output may still come after a CancelRequest was sent (ms). */
const outputGrace = 1000;

interface FeatureUse {
  /** The first injection of the stream. */
  injected: { readonly seq: number; readonly at: number } | undefined;
  acked: boolean;
  ignoredCancel: { readonly seq: number; readonly by: number } | undefined;
  cancelled: boolean;
  readonly cancelledWhileBlocked: Map<string, number>;
}

const noFeatureUse = (): FeatureUse => ({
  injected: undefined,
  acked: false,
  ignoredCancel: undefined,
  cancelled: false,
  cancelledWhileBlocked: new Map(),
});

function verdictOf(h: FeatureUse, at: TraceEvent, ack: number): Finding | undefined {
  if (h.injected !== undefined && !h.acked && at.at - h.injected.at > ack) {
    return violated(
      at,
      `injection is advertised; expected injections to be acked; no ack came in ${ack} ms`,
      [h.injected.seq],
    );
  }
  if (h.ignoredCancel !== undefined && !h.cancelled) {
    return violated(
      at,
      'cancellation is advertised; expected a cancelled request to stop, it ran on to its end',
      [h.ignoredCancel.by, h.ignoredCancel.seq],
    );
  }
  return undefined;
}

const honours = rule({
  requirement: 'FOLD-A10',
  listens: [
    'welcome',
    'inject_context',
    'injection_ack',
    'cancel_request',
    'response.done',
    'response.cancelled',
    'end',
    'reset',
  ],
  start: () => new Map<string, FeatureUse>(),
  step(state, event, view: FoldView): Finding | undefined {
    const { stream } = view;
    if (stream === undefined) return undefined;
    const h = state.get(event.stream) ?? noFeatureUse();
    state.set(event.stream, h);
    if (event.kind !== 'message') {
      state.delete(event.stream);
      return verdictOf(h, event, view.timeouts.ack);
    }
    return observeHonours(h, event, stream, view);
  },
  end(state, view, last) {
    return [...state.values()].flatMap((h) => verdictOf(h, last, view.timeouts.ack) ?? []);
  },
});

function observeHonours(
  h: FeatureUse,
  event: TraceEvent,
  stream: StreamView,
  view: FoldView,
): Finding | undefined {
  const { session } = stream;
  const m = serverMessage(event);
  // An agent that advertises neither feature has nothing to honour.
  if (m.welcome !== undefined) {
    const { features } = session;
    return features.has('injection') || features.has('cancellation') ? undefined : exercised(event);
  }
  if (m.inject_context !== undefined && session.features.has('injection'))
    h.injected ??= { seq: event.seq, at: event.at };
  if (m.cancel_request !== undefined && session.features.has('cancellation')) {
    const request = session.active.get(m.cancel_request.request_id ?? '');
    if (request !== undefined && isBlocked(request, session, event.at, view.timeouts))
      h.cancelledWhileBlocked.set(request.id, event.seq);
  }
  if (agentMessage(event).injection_ack !== undefined && h.injected !== undefined) {
    h.acked = true;
    return exercised(event);
  }
  const { request } = view;
  const by = request && h.cancelledWhileBlocked.get(request.id);
  if (request === undefined || by === undefined) {
    const isCancelled = event.from === 'target' && responseOf(event).cancelled !== undefined;
    return isCancelled && request?.cancel !== undefined && session.features.has('cancellation')
      ? exercised(event)
      : undefined;
  }
  h.cancelledWhileBlocked.delete(request.id);
  if (event.data['response'] !== undefined && agentMessage(event).response?.cancelled !== undefined) {
    h.cancelled = true;
    return exercised(event);
  }
  // A done right after the cancel is an end with the wrong name. FOLD-A45 judges it.
  if (event.at - (request?.cancel?.at ?? 0) <= outputGrace + view.late) return undefined;
  h.ignoredCancel ??= { seq: event.seq, by };
  return undefined;
}

/** Whether a directive has a step whose effect is an event of its own. */
const asksFor = (
  request: { steps: readonly object[] | undefined } | undefined,
  step: 'usage' | 'tool',
): boolean => request?.steps?.some((s) => step in s) ?? false;

const advertised = rule({
  requirement: 'FOLD-A11',
  listens: ['response.usage', 'response.tool_state', 'response.done'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    const features = view.stream?.session.features;
    if (request === undefined || features === undefined) return undefined;
    const r = agentMessage(event).response ?? {};
    for (const [event_, feature] of [
      ['usage', 'token_usage'],
      ['tool_state', 'tool_states'],
    ] as const) {
      if (r[event_] === undefined) continue;
      if (features.has(feature)) return exercised(event);
      return violated(
        event,
        `${event_} came; expected ${feature} among protocol_features, there are ${[...features].join(', ') || 'none'}`,
      );
    }
    if (features.has('token_usage') && asksFor(request, 'usage') && request.usage.length === 0) {
      return violated(
        event,
        'token_usage is advertised; expected a usage event, the request ended without one',
      );
    }
    const silent = [...request.tools.values()].every((tool) => tool.state === undefined);
    if (features.has('tool_states') && asksFor(request, 'tool') && request.tools.size > 0 && silent) {
      return violated(
        event,
        'tool_states is advertised; expected tool_state events, the request ended without one',
      );
    }
    // Neither advertised nor sent, where the directive asked for it.
    const noUsage = !features.has('token_usage') && asksFor(request, 'usage') && request.usage.length === 0;
    const noStates = !features.has('tool_states') && request.tools.size > 0 && silent;
    return noUsage || noStates ? exercised(event) : undefined;
  },
});

/** Whether a gateway message has a part that the schema does not know, or is empty. */
function hasUnknownPart(event: TraceEvent): boolean {
  if (event.from === 'target' || event.kind !== 'message') return false;
  if (event.note !== undefined || Object.keys(event.data).length === 0) return true;
  const priority = serverMessage(event).inject_context?.priority;
  return typeof priority === 'number' && InjectionPriorityNames[priority] === undefined;
}

const survives = rule({
  requirement: 'FOLD-A12',
  listens: [
    'server',
    'welcome',
    'send_message',
    'inject_context',
    'shutdown',
    'tool_approval',
    'cancel_request',
    'pack_tool_result',
    'response.done',
    'response.error',
    'response.cancelled',
    'half_close',
    'reset',
    'end',
  ],
  /** The last message with an unknown part, by stream (seq). */
  start: () => new Map<string, number>(),
  step(state, event, view: FoldView) {
    if (hasUnknownPart(event)) return void state.set(event.stream, event.seq);
    const odd = state.size === 0 ? undefined : state.get(event.stream);
    if (odd === undefined) return undefined;
    if (event.kind === 'message') {
      const request = event.from === 'target' ? view.request : undefined;
      if (request === undefined) return undefined;
      state.delete(event.stream);
      return judgeOutcome(odd, event, request, view);
    }
    state.delete(event.stream);
    const { stream } = view;
    // If another message came before the end, the end may have another cause.
    const own =
      stream?.lastMessage === odd &&
      event.from === 'target' &&
      !stream.disturbed &&
      stream.session.shutdown === undefined;
    return own
      ? violated(
          event,
          'expected the stream to go on after a message with something unknown in it; the target ended it',
          [odd],
        )
      : undefined;
  },
});

/** Judges the end of a request after a message with an unknown part: the message must not cause an error. */
function judgeOutcome(odd: number, event: TraceEvent, request: Request, view: FoldView): Finding {
  const stopped = view.stream?.session.shutdown !== undefined;
  const own = stopped || (request.steps?.some(endsRequest) ?? true);
  if (responseOf(event).error === undefined || own || request.seq > odd) return exercised(event);
  return violated(
    event,
    `expected request ${request.id} to go on after a message with something unknown in it; it ended in error`,
    [odd],
  );
}

export const featureRules: readonly Rule<FoldView>[] = [honours, advertised, survives];
