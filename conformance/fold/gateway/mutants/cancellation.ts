/** Gateways that violate FOLD-G36 to G39 and G42 when they cancel requests. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type {
  GatewayOptions,
  MessageResponse,
  OperatorRequest,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentOn, both, editCloses, editResponses, fromOperators, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { mutant } from './mutant.ts';

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
  return both(sent, asked);
};

/** Replaces a `cancelled` by another response. */
const takesFor = (other: (reason: string) => MessageResponse) => (): GatewayFault =>
  editResponses((r) => {
    const { request_id = '', cancelled } = r;
    return [cancelled === undefined ? r : { ...other(cancelled.reason ?? ''), request_id }];
  });

/** Ignores a `cancelled` without a CancelRequest. */
const onlyIfAsked = (): GatewayFault =>
  editResponses((r, { state }) => {
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
  return both(
    told,
    editCloses('operator', (close) => (silent.has(close.peer) ? [] : [close])),
  );
};

/** Keeps agents that do not answer, because they receive no CancelRequest. */
const keepsAgents = (given: Partial<GatewayOptions>): Partial<GatewayOptions> => ({
  ...given,
  disconnect_unresponsive: false,
});

/** Mutants of this theme. */
export const cancellationMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G36',
    'cancel-not-sent',
    'It tells the operator that a request is being stopped, and sends no CancelRequest.',
    onCancel((_, context, peer) => {
      saysOk(context, peer);
      return [];
    }),
  ),
  mutant(
    'FOLD-G36',
    'cancels-here-only',
    'It ends a request that is to be stopped for the operator, and its agent goes on.',
    onCancel(endsHereOnly),
  ),
  mutant(
    'FOLD-G36',
    'cancel-late',
    'It sends a CancelRequest 15 s late.',
    cancels((cancel_request, context, peer) => {
      context.later(15_000, (then) => then.send({ cancel_request }, peer));
      return [];
    }),
    keepsAgents,
  ),
  mutant(
    'FOLD-G36',
    'cancels-another-id',
    'Its CancelRequest has an id that no request has.',
    cancels((cancel) => [{ cancel_request: { ...cancel, request_id: `cancel ${cancel.request_id ?? ''}` } }]),
    keepsAgents,
  ),
  mutant(
    'FOLD-G36',
    'cancels-the-oldest',
    'It stops the oldest request of the agent, whichever is meant.',
    cancels(oldest),
  ),
  mutant(
    'FOLD-G37',
    'unasked-cancelled-passed-over',
    'It ignores a cancelled without a CancelRequest.',
    onlyIfAsked,
  ),
  mutant(
    'FOLD-G38',
    'cancelled-as-error',
    'It tells the operator that a cancelled request failed.',
    takesFor((reason) => ({ error: `cancelled: ${reason}` })),
  ),
  mutant(
    'FOLD-G38',
    'cancelled-as-done',
    'It tells the operator that a cancelled request is done.',
    takesFor(() => ({ done: {} })),
  ),
  mutant('FOLD-G38', 'agents-reason-lost', 'It shows canceled without the reason.', (): GatewayFault =>
    toOperators((m) => [m.canceled === undefined ? m : { canceled: { reason: '' } }]),
  ),
  mutant(
    'FOLD-G39',
    'never-gives-up',
    'It waits for ever for the end of a request that is to be stopped.',
    waitsFor(undefined),
  ),
  mutant(
    'FOLD-G39',
    'gives-up-late',
    'It gives up a request that is to be stopped after half a minute.',
    waitsFor(30_000),
  ),
  mutant(
    'FOLD-G39',
    'throws-out-in-silence',
    'It ends the stream of an agent that does not stop, and tells the operator nothing.',
    throwsOutInSilence,
  ),
  mutant(
    'FOLD-G42',
    'cancels-the-finished',
    'It sends a CancelRequest for a request that has ended.',
    cancelsTheFinished,
  ),
];
