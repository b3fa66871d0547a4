/** Gateways that violate FOLD-G36 to G39 and G42 when they cancel requests. */
import { bothFaults } from '../../../../src/kit/suite/index.ts';
import type {
  GatewayOptions,
  MessageResponse,
  OperatorRequest,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentOn, onClose, onResponse, fromOperators, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type CancelRequest = NonNullable<ServerMessage['cancel_request']>;
type Cancel = NonNullable<OperatorRequest['cancel']>;

/** Edits the CancelRequest to an agent. */
const cancels =
  (edit: (cancel: CancelRequest, context: FaultContext, peer: string) => readonly ServerMessage[]) =>
  (): GatewayFault =>
    toAgents((m, context, peer) =>
      m.cancel_request === undefined ? [m] : edit(m.cancel_request, context, peer),
    );

/** Edits the handling of an operator's cancel of an active request. */
const onCancel =
  (act: (cancel: Cancel, context: FaultContext, peer: string) => readonly OperatorRequest[]) =>
  (): GatewayFault =>
    fromOperators((m, context, peer) =>
      m.cancel === undefined || !context.state.requests.has(m.cancel.request_id ?? '')
        ? [m]
        : act(m.cancel, context, peer),
    );

function saysOk(context: FaultContext, peer: string): void {
  context.send({ ok: {} }, peer);
  context.close(0, '', peer);
}

/** Ends the request for the operator only. Its agent receives no CancelRequest. */
function endsHereOnly(cancel: Cancel, context: FaultContext, peer: string): readonly OperatorRequest[] {
  const { request_id = '', reason = '' } = cancel;
  const { agent = '' } = context.state.requests.get(request_id) ?? {};
  const message = { response: { request_id, cancelled: { reason } } };
  context.tell(message, agent);
  saysOk(context, peer);
  return [];
}

/** Cancels the agent's oldest request instead of the named one. */
function oldest(cancel: CancelRequest, context: FaultContext, peer: string): readonly ServerMessage[] {
  const [request_id = ''] = agentOn(context, peer)?.requests ?? [];
  return [{ cancel_request: { ...cancel, request_id } }];
}

/** Cancels a finished request like an active one. */
const cancelsTheFinished = (): GatewayFault => {
  const agents = new Map<string, string>();
  const sent = toAgents((m, _, peer) => {
    if (m.send_message !== undefined) agents.set(m.send_message.request_id ?? '', peer);
    return [m];
  });
  const asked = fromOperators((m, context, peer) => {
    const { request_id = '', reason = '' } = m.cancel ?? {};
    const agent = agents.get(request_id);
    if (!context.state.finished.has(request_id) || agent === undefined) return [m];
    context.send({ cancel_request: { request_id, reason } }, agent);
    saysOk(context, peer);
    return [];
  });
  return bothFaults(sent, asked);
};

/** Replaces a `cancelled` by another response. */
const takesFor = (other: (reason: string) => MessageResponse) => (): GatewayFault =>
  onResponse((r) => {
    const { request_id = '', cancelled } = r;
    return [cancelled === undefined ? r : { ...other(cancelled.reason ?? ''), request_id }];
  });

/** Ignores a `cancelled` without a CancelRequest. */
const onlyIfAsked = (): GatewayFault =>
  onResponse((r, { state }) => {
    const asked = state.requests.get(r.request_id ?? '')?.cancelling === true;
    return r.cancelled === undefined || asked ? [r] : [];
  });

/** Changes the time limit of the end after a CancelRequest (ms); undefined: no limit. */
const waitsFor = (ms: number | undefined) => (): GatewayFault => ({
  output(output) {
    if (output.type !== 'start_timer' || !output.id.startsWith('cancel:')) return [output];
    return ms === undefined ? [] : [{ ...output, ms }];
  },
});

/** Disconnects an agent that does not answer, and sends no end to the requester. */
const throwsOutInSilence = (): GatewayFault => {
  const silent = new Set<string>();
  const told = toOperators((m, context, peer) => {
    if (m.error?.error.startsWith('no answer to cancel') !== true) return [m];
    silent.add(peer);
    for (const agent of context.state.agents.values()) context.close(14, 'unresponsive', agent);
    return [];
  });
  return bothFaults(
    told,
    onClose('operator', (close) => (silent.has(close.peer) ? [] : [close])),
  );
};

/** Keeps agents that do not answer, because they receive no CancelRequest. */
const keepsAgents = (given: Partial<GatewayOptions>): Partial<GatewayOptions> => ({
  ...given,
  disconnect_unresponsive: false,
});

export const cancellationFaults: GatewayFaults = {
  'cancel-not-sent': onCancel((_, context, peer) => {
    saysOk(context, peer);
    return [];
  }),
  'cancels-here-only': onCancel(endsHereOnly),
  'cancel-late': {
    fault: cancels((cancel_request, context, peer) => {
      context.later(15_000, (then) => then.send({ cancel_request }, peer));
      return [];
    }),
    options: keepsAgents,
  },
  'cancels-another-id': {
    fault: cancels((cancel) => [
      { cancel_request: { ...cancel, request_id: `cancel ${cancel.request_id ?? ''}` } },
    ]),
    options: keepsAgents,
  },
  'cancels-the-oldest': cancels(oldest),
  'unasked-cancelled-passed-over': onlyIfAsked,
  'cancelled-as-error': takesFor((reason) => ({ error: `cancelled: ${reason}` })),
  'cancelled-as-done': takesFor(() => ({ done: {} })),
  'agents-reason-lost': (): GatewayFault =>
    toOperators((m) => [m.canceled === undefined ? m : { canceled: { reason: '' } }]),
  'never-gives-up': waitsFor(undefined),
  'gives-up-late': waitsFor(30_000),
  'throws-out-in-silence': throwsOutInSilence,
  'cancels-the-finished': cancelsTheFinished,
};
