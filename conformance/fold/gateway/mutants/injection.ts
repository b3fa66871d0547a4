/** Gateways that violate FOLD-G34 and G35 when they inject. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, onClose, fromAgents, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext, Input, Output } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type InjectContext = NonNullable<ServerMessage['inject_context']>;
type Ack = NonNullable<AgentMessage['injection_ack']>;

/** Edits each InjectContext. */
const injectsWith = (change: (injection: InjectContext) => Partial<InjectContext>) => (): GatewayFault =>
  toAgents(member('inject_context', (injection) => [{ ...injection, ...change(injection) }]));

/** Edits the handling of the acks that fit. */
const acks = (
  fits: (ack: Ack, context: FaultContext, peer: string) => boolean,
  act: (context: FaultContext, peer: string) => void,
): GatewayFault =>
  fromAgents(
    member('injection_ack', (ack, context, peer) => {
      if (fits(ack, context, peer)) act(context, peer);
    }),
  );

const rejects = ({ accepted = false }: Ack): boolean => !accepted;
const isUnknown = ({ injection_id: id = '' }: Ack, context: FaultContext, peer: string): boolean =>
  agentOn(context, peer)?.injections.has(id) === false;

const hangsUp = (context: FaultContext, peer: string): void =>
  context.close(3, 'unexpected injection_ack', peer);

/** Ends all active requests of the agent in error, as if the agent had sent the errors. */
function fails(context: FaultContext, peer: string): void {
  for (const request_id of agentOn(context, peer)?.requests ?? [])
    context.tell({ response: { request_id, error: 'injection failed' } }, peer);
}

/** Holds an injection back while an ack of the agent is missing. */
const oneByOne = (): GatewayFault => {
  const unacked = new Set<string>();
  const waiting: Input[] = [];
  return allFaults(
    toAgents(member('inject_context', ({ injection_id = '' }) => void unacked.add(injection_id))),
    {
      input(input, context) {
        const message = input.type === 'message' ? input.message : {};
        if ('injection_ack' in message) unacked.delete(message.injection_ack?.injection_id ?? '');
        if ('inject' in message && unacked.size > 0) {
          waiting.push(input);
          return [];
        }
        const next = unacked.size === 0 ? waiting.shift() : undefined;
        if (next !== undefined) context.tellInput(next);
        return [input];
      },
    },
  );
};

/** Answers the operator only after the ack of its injection. */
const answersAfterAck = (): GatewayFault => {
  const held = new Map<string, Output[]>();
  const waiting = new Map<string, string>();
  const told = toOperators(
    member('injected', (injected, _, peer) => {
      held.set(peer, [{ type: 'send', peer, message: { injected } }]);
      waiting.set(injected.injection_id, peer);
      return [];
    }),
  );
  const ended = onClose('operator', (close) => {
    const before = held.get(close.peer);
    before?.push(close);
    return before && [];
  });
  const acked = fromAgents(
    member('injection_ack', ({ injection_id = '' }, context) => {
      const peer = waiting.get(injection_id) ?? '';
      for (const output of held.get(peer) ?? []) context.put(output);
      held.delete(peer);
    }),
  );
  return allFaults(acked, told, ended);
};

export const injectionFaults: GatewayFaults = {
  'injection-without-id': injectsWith(() => ({ injection_id: '' })),
  'one-injection-id': injectsWith(() => ({ injection_id: 'injection' })),
  'unknown-priority': injectsWith(() => ({ priority: 7 })),
  'rejection-closes': () => acks(rejects, hangsUp),
  'unknown-ack-closes': () => acks(isUnknown, hangsUp),
  'rejection-fails-request': () => acks(rejects, fails),
  'one-injection-at-a-time': oneByOne,
  'answers-after-ack': answersAfterAck,
};
