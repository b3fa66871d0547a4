/** Gateways that use features which an agent does not advertise, or refuse its features: FOLD-G14 to G16. */
import { member } from '../../../../src/kit/suite/index.ts';
import { protocolFeatures } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromOperators, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** Assumes a feature of every agent. */
const assumes = (feature: string) => (): GatewayFault =>
  toAgents(
    member('welcome', (_, context, peer) => {
      const agent = agentOn(context, peer);
      if (agent !== undefined) agent.features = new Set([...agent.features, feature]);
    }),
  );

/** Sends a CancelRequest to an agent without the feature, and also ends the request. */
const asksAnyway = (): GatewayFault =>
  fromOperators(
    member('cancel', ({ request_id = '' }, context) => {
      const request = context.state.requests.get(request_id);
      const agent = agentOn(context, request?.agent ?? '');
      if (request !== undefined && agent?.features.has('cancellation') === false)
        context.send({ cancel_request: { request_id: request.id } }, agent.peer);
    }),
  );

/** Sends an InjectContext to an agent without the feature, and tells the operator that the agent does not have it. */
const injectsAnyway = (): GatewayFault =>
  fromOperators(
    member('inject', ({ agent_id, content }, context) => {
      const peer = context.state.agents.get(agent_id) ?? '';
      const priority = 'INJECTION_PRIORITY_NORMAL';
      if (agentOn(context, peer)?.features.has('injection') === false)
        context.send({ inject_context: { injection_id: 'injection-1', content, priority } }, peer);
    }),
  );

const known: ReadonlySet<string> = new Set(protocolFeatures);

/** Edits the handling of a register whose features fit. */
const registersWith =
  (odd: (features: readonly string[]) => boolean, act: (context: FaultContext, peer: string) => void) =>
  (): GatewayFault =>
    fromAgents(
      member('register', ({ agent_id = '', protocol_features = [] }, context, peer) => {
        if (!odd(protocol_features)) return;
        if (agentOn(context, peer) !== undefined || context.state.agents.has(agent_id)) return;
        act(context, peer);
        return [];
      }),
    );

const isUnknown = (features: readonly string[]): boolean => features.some((name) => !known.has(name));
const isEmpty = (features: readonly string[]): boolean => features.length === 0;

export const featureFaults: GatewayFaults = {
  'injects-into-all': assumes('injection'),
  'injects-and-refuses': injectsAnyway,
  'asks-all-to-cancel': assumes('cancellation'),
  'asks-anyway': asksAnyway,
  'unknown-feature-refused': registersWith(isUnknown, (context, peer) =>
    context.close(3, 'unknown protocol feature', peer),
  ),
  'unknown-feature-error': registersWith(isUnknown, (context, peer) => {
    context.send({ registration_error: { reason: 'unknown protocol feature' } }, peer);
    context.close(0, '', peer);
  }),
  'unknown-feature-unanswered': registersWith(isUnknown, () => {}),
  'no-features-refused': registersWith(isEmpty, (context, peer) =>
    context.close(9, 'protocol_features are required', peer),
  ),
};
