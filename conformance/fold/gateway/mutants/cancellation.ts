/** Gateways that stop requests otherwise than FOLD-G36, G38, G39 and G42 say. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type {
  GatewayOptions,
  MessageResponse,
  OperatorRequest,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { answers, both, closes, operatorsAsk, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { wrong } from './mutant.ts';

type CancelRequest = NonNullable<ServerMessage['cancel_request']>;
type Cancel = NonNullable<OperatorRequest['cancel']>;

/** What an agent is sent instead of a CancelRequest. */
const cancels =
  (edit: (cancel: CancelRequest, hand: FaultContext, peer: string) => readonly ServerMessage[]) =>
  (): GatewayFault =>
    toAgents((m, hand, peer) => (m.cancel_request === undefined ? [m] : edit(m.cancel_request, hand, peer)));

/** What becomes of an operator's cancel of a request that runs. */
const onCancel =
  (act: (cancel: Cancel, hand: FaultContext, peer: string) => readonly OperatorRequest[]) =>
  (): GatewayFault =>
    operatorsAsk((m, hand, peer) =>
      m.cancel === undefined || !hand.gateway.requests.has(m.cancel.request_id ?? '')
        ? [m]
        : act(m.cancel, hand, peer),
    );

function saysOk(hand: FaultContext, peer: string): void {
  hand.send(peer, { ok: {} });
  hand.close(peer, 0, '');
}

/** The request ends for the operator; its agent hears nothing. */
function endsHereOnly(cancel: Cancel, hand: FaultContext, peer: string): readonly OperatorRequest[] {
  const { request_id = '', reason = '' } = cancel;
  const { agent = '' } = hand.gateway.requests.get(request_id) ?? {};
  const message = { response: { request_id, cancelled: { reason } } };
  hand.tell({ type: 'message', peer: agent, message });
  saysOk(hand, peer);
  return [];
}

/** The agent's oldest request, whichever was to be stopped. */
function oldest(cancel: CancelRequest, hand: FaultContext, peer: string): readonly ServerMessage[] {
  const [request_id = ''] = hand.agentOn(peer)?.requests ?? [];
  return [{ cancel_request: { ...cancel, request_id } }];
}

/** A finished request is stopped as one that runs. */
const cancelsTheFinished = (): GatewayFault => {
  const agents = new Map<string, string>();
  const sent = toAgents((m, _, peer) => {
    if (m.send_message !== undefined) agents.set(m.send_message.request_id ?? '', peer);
    return [m];
  });
  const asked = operatorsAsk((m, hand, peer) => {
    const { request_id = '', reason = '' } = m.cancel ?? {};
    const agent = agents.get(request_id);
    if (!hand.gateway.finished.has(request_id) || agent === undefined) return [m];
    hand.send(agent, { cancel_request: { request_id, reason } });
    saysOk(hand, peer);
    return [];
  });
  return both(sent, asked);
};

/** What it takes a `cancelled` for. */
const takesFor = (other: (reason: string) => MessageResponse) => (): GatewayFault =>
  answers((r) => {
    const { request_id = '', cancelled } = r;
    return [cancelled === undefined ? r : { ...other(cancelled.reason ?? ''), request_id }];
  });

/** A `cancelled` that nobody asked for is passed over. */
const onlyIfAsked = (): GatewayFault =>
  answers((r, { gateway }) => {
    const asked = gateway.requests.get(r.request_id ?? '')?.cancelling === true;
    return r.cancelled === undefined || asked ? [r] : [];
  });

/** How long it waits for the end after a CancelRequest; undefined: for ever. */
const waitsFor = (ms: number | undefined) => (): GatewayFault => ({
  output(output) {
    if (output.type !== 'start_timer' || !output.id.startsWith('cancel:')) return [output];
    return ms === undefined ? [] : [{ ...output, ms }];
  },
});

/** An agent that does not answer is thrown out, and whoever asked hears nothing of it. */
const throwsOutInSilence = (): GatewayFault => {
  const silent = new Set<string>();
  const told = toOperators((m, hand, peer) => {
    if (m.error?.error.startsWith('no answer to cancel') !== true) return [m];
    silent.add(peer);
    for (const agent of hand.gateway.agents.values()) hand.close(agent, 14, 'unresponsive');
    return [];
  });
  return both(
    told,
    closes('operator', (close) => (silent.has(close.peer) ? [] : [close])),
  );
};

/** Agents are kept that did not answer what they were not asked. */
const keepsAgents = (given: Partial<GatewayOptions>): Partial<GatewayOptions> => ({
  ...given,
  disconnect_unresponsive: false,
});

/** Mutants of this theme. */
export const cancellationMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G36',
    'cancel-not-sent',
    'It tells the operator that a request is being stopped, and sends no CancelRequest.',
    onCancel((_, hand, peer) => {
      saysOk(hand, peer);
      return [];
    }),
  ),
  wrong(
    'FOLD-G36',
    'cancels-here-only',
    'It ends a request that is to be stopped for the operator, and its agent goes on.',
    onCancel(endsHereOnly),
  ),
  wrong(
    'FOLD-G36',
    'cancel-late',
    'It sends a CancelRequest 15 s late.',
    cancels((cancel_request, hand, peer) => {
      hand.later(15_000, (then) => then.send(peer, { cancel_request }));
      return [];
    }),
    keepsAgents,
  ),
  wrong(
    'FOLD-G36',
    'cancels-another-id',
    'Its CancelRequest has an id that no request has.',
    cancels((cancel) => [{ cancel_request: { ...cancel, request_id: `cancel ${cancel.request_id ?? ''}` } }]),
    keepsAgents,
  ),
  wrong(
    'FOLD-G36',
    'cancels-the-oldest',
    'It stops the oldest request of the agent, whichever is meant.',
    cancels(oldest),
  ),
  wrong(
    'FOLD-G37',
    'unasked-cancelled-passed-over',
    'It passes over a cancelled that nobody asked for.',
    onlyIfAsked,
  ),
  wrong(
    'FOLD-G38',
    'cancelled-as-error',
    'It tells the operator that a cancelled request failed.',
    takesFor((reason) => ({ error: `cancelled: ${reason}` })),
  ),
  wrong(
    'FOLD-G38',
    'cancelled-as-done',
    'It tells the operator that a cancelled request is done.',
    takesFor(() => ({ done: {} })),
  ),
  wrong(
    'FOLD-G39',
    'never-gives-up',
    'It waits for ever for the end of a request that is to be stopped.',
    waitsFor(undefined),
  ),
  wrong(
    'FOLD-G39',
    'gives-up-late',
    'It gives up a request that is to be stopped after half a minute.',
    waitsFor(30_000),
  ),
  wrong(
    'FOLD-G39',
    'throws-out-in-silence',
    'It ends the stream of an agent that does not stop, and tells the operator nothing.',
    throwsOutInSilence,
  ),
  wrong(
    'FOLD-G42',
    'cancels-the-finished',
    'It sends a CancelRequest for a request that has ended.',
    cancelsTheFinished,
  ),
];
