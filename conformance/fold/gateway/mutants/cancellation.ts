/** Gateways that violate FOLD-G36 to G39 and G42 when they cancel requests. */
import { allFaults, member, onOutput } from '../../../../src/kit/suite/index.ts';
import type {
  GatewayOptions,
  MessageResponse,
  OperatorRequest,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentOn, onClose, onResponse, fromOperators, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type CancelRequest = NonNullable<ServerMessage['cancel_request']>;
type Cancel = NonNullable<OperatorRequest['cancel']>;

/** Edits the CancelRequest to an agent. */
const cancels = (edit: MessageEdit<CancelRequest>) => (): GatewayFault =>
  toAgents(member('cancel_request', edit));

/** Edits the handling of an operator's cancel of an active request. */
const onCancel = (edit: MessageEdit<Cancel>) => (): GatewayFault =>
  fromOperators(
    member('cancel', (cancel, context, peer) =>
      context.state.requests.has(cancel.request_id ?? '') ? edit(cancel, context, peer) : undefined,
    ),
  );

function saysOk(context: FaultContext, peer: string): void {
  context.send({ ok: {} }, peer);
  context.close(0, '', peer);
}

/** Ends the request for the operator only. Its agent receives no CancelRequest. */
const endsHereOnly: MessageEdit<Cancel> = ({ request_id = '', reason = '' }, context, peer) => {
  const { agent = '' } = context.state.requests.get(request_id) ?? {};
  context.tell({ response: { request_id, cancelled: { reason } } }, agent);
  saysOk(context, peer);
  return [];
};

/** Cancels a finished request like an active one. */
const cancelsTheFinished = (): GatewayFault => {
  const agents = new Map<string, string>();
  return allFaults(
    toAgents(member('send_message', ({ request_id = '' }, _, peer) => void agents.set(request_id, peer))),
    fromOperators(
      member('cancel', ({ request_id = '', reason = '' }, context, peer) => {
        const agent = agents.get(request_id);
        if (!context.state.finished.has(request_id) || agent === undefined) return;
        context.send({ cancel_request: { request_id, reason } }, agent);
        saysOk(context, peer);
        return [];
      }),
    ),
  );
};

/** Replaces a `cancelled` by another response. */
const takesFor = (other: (reason: string) => MessageResponse) => (): GatewayFault =>
  onResponse(
    ({ request_id = '', cancelled }) => cancelled && [{ ...other(cancelled.reason ?? ''), request_id }],
  );

/** Ignores a `cancelled` without a CancelRequest. */
const onlyIfAsked = (): GatewayFault =>
  onResponse(({ request_id = '', cancelled }, { state }) =>
    cancelled && state.requests.get(request_id)?.cancelling !== true ? [] : undefined,
  );

/** Changes the time limit of the end after a CancelRequest (ms); undefined: no limit. */
const waitsFor = (ms: number | undefined) => (): GatewayFault =>
  onOutput('start_timer', (timer) => {
    if (!timer.id.startsWith('cancel:')) return;
    return ms === undefined ? [] : [{ ...timer, ms }];
  });

/** Disconnects an agent that does not answer, and sends no end to the requester. */
const throwsOutInSilence = (): GatewayFault => {
  const silent = new Set<string>();
  return allFaults(
    toOperators(
      member('error', ({ error }, context, peer) => {
        if (!error.startsWith('no answer to cancel')) return;
        silent.add(peer);
        for (const agent of context.state.agents.values()) context.close(14, 'unresponsive', agent);
        return [];
      }),
    ),
    onClose('operator', ({ peer }) => (silent.has(peer) ? [] : undefined)),
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
    fault: cancels((cancel) => [{ ...cancel, request_id: `cancel ${cancel.request_id ?? ''}` }]),
    options: keepsAgents,
  },
  'cancels-the-oldest': cancels((cancel, context, peer) => [
    { ...cancel, request_id: [...(agentOn(context, peer)?.requests ?? [])][0] ?? '' },
  ]),
  'unasked-cancelled-passed-over': onlyIfAsked,
  'cancelled-as-error': takesFor((reason) => ({ error: `cancelled: ${reason}` })),
  'cancelled-as-done': takesFor(() => ({ done: {} })),
  'agents-reason-lost': () => toOperators(member('canceled', () => [{ reason: '' }])),
  'never-gives-up': waitsFor(undefined),
  'gives-up-late': waitsFor(30_000),
  'throws-out-in-silence': throwsOutInSilence,
  'cancels-the-finished': cancelsTheFinished,
};
