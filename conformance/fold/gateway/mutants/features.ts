/** Gateways that use features which an agent does not advertise, or refuse its features: FOLD-G14 to G16. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { protocolFeatures } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromOperators, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { mutant } from './mutant.ts';

/** Assumes a feature of every agent. */
const assumes = (feature: string) => (): GatewayFault =>
  toAgents((m, context, peer) => {
    const agent = m.welcome === undefined ? undefined : agentOn(context, peer);
    if (agent !== undefined) agent.features = new Set([...agent.features, feature]);
    return [m];
  });

/** Sends a CancelRequest to an agent without the feature, and also ends the request. */
const asksAnyway = (): GatewayFault =>
  fromOperators((m, context) => {
    const request = context.state.requests.get(m.cancel?.request_id ?? '');
    const agent = agentOn(context, request?.agent ?? '');
    if (request !== undefined && agent?.features.has('cancellation') === false)
      context.send({ cancel_request: { request_id: request.id } }, agent.peer);
    return [m];
  });

/** Sends an InjectContext to an agent without the feature, and tells the operator that the agent does not have it. */
const injectsAnyway = (): GatewayFault =>
  fromOperators((m, context) => {
    const peer = context.state.agents.get(m.inject?.agent_id ?? '') ?? '';
    if (agentOn(context, peer)?.features.has('injection') === false)
      context.send(
        {
          inject_context: {
            injection_id: 'injection-1',
            content: m.inject?.content ?? '',
            priority: 'INJECTION_PRIORITY_NORMAL',
          },
        },
        peer,
      );
    return [m];
  });

const known: ReadonlySet<string> = new Set(protocolFeatures);

/** Edits the handling of a register whose features fit. */
const registersWith =
  (odd: (features: readonly string[]) => boolean, act: (context: FaultContext, peer: string) => void) =>
  (): GatewayFault =>
    fromAgents((m, context, peer) => {
      const { agent_id = '', protocol_features = [] } = m.register ?? {};
      if (m.register === undefined || !odd(protocol_features)) return [m];
      if (agentOn(context, peer) !== undefined || context.state.agents.has(agent_id)) return [m];
      act(context, peer);
      return [];
    });

const isUnknown = (features: readonly string[]): boolean => features.some((name) => !known.has(name));
const isEmpty = (features: readonly string[]): boolean => features.length === 0;

/** Mutants of this theme. */
export const featureMutants: readonly Mutant[] = [
  mutant('FOLD-G14', 'injects-into-all', 'It injects context into any agent.', assumes('injection')),
  mutant(
    'FOLD-G14',
    'injects-and-refuses',
    'It injects context into any agent, and tells the operator that it did not.',
    injectsAnyway,
  ),
  mutant('FOLD-G15', 'asks-all-to-cancel', 'It sends a CancelRequest to any agent.', assumes('cancellation')),
  mutant(
    'FOLD-G15',
    'asks-anyway',
    'It ends the request of an agent that knows no cancellation, and sends a CancelRequest too.',
    asksAnyway,
  ),
  mutant(
    'FOLD-G16',
    'unknown-feature-refused',
    'It refuses an agent with a feature that it does not know.',
    registersWith(isUnknown, (context, peer) => context.close(3, 'unknown protocol feature', peer)),
  ),
  mutant(
    'FOLD-G16',
    'unknown-feature-error',
    'It answers a feature that it does not know by a RegistrationError.',
    registersWith(isUnknown, (context, peer) => {
      context.send({ registration_error: { reason: 'unknown protocol feature' } }, peer);
      context.close(0, '', peer);
    }),
  ),
  mutant(
    'FOLD-G16',
    'unknown-feature-unanswered',
    'It never answers a register with a feature that it does not know.',
    registersWith(isUnknown, () => {}),
  ),
  mutant(
    'FOLD-G16',
    'no-features-refused',
    'It refuses an agent without protocol_features.',
    registersWith(isEmpty, (context, peer) => context.close(9, 'protocol_features are required', peer)),
  ),
];
