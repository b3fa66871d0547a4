/** Gateways that ask of agents what those did not advertise, or refuse what they did: FOLD-G14 to G16. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { protocolFeatures } from '../../../../src/fold/index.ts';
import { agentsSay, operatorsAsk, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { wrong } from './mutant.ts';

/** Every agent is taken to have a feature. */
const assumes = (feature: string) => (): GatewayFault =>
  toAgents((m, hand, peer) => {
    const agent = m.welcome === undefined ? undefined : hand.agentOn(peer);
    if (agent !== undefined) agent.features = new Set([...agent.features, feature]);
    return [m];
  });

/** An agent without the feature is sent a CancelRequest, and the request is over as well. */
const asksAnyway = (): GatewayFault =>
  operatorsAsk((m, hand) => {
    const request = hand.gateway.requests.get(m.cancel?.request_id ?? '');
    const agent = hand.agentOn(request?.agent ?? '');
    if (request !== undefined && agent?.features.has('cancellation') === false)
      hand.send(agent.peer, { cancel_request: { request_id: request.id } });
    return [m];
  });

/** An agent without the feature is sent an InjectContext, and the operator hears that it takes none. */
const injectsAnyway = (): GatewayFault =>
  operatorsAsk((m, hand) => {
    const peer = hand.gateway.agents.get(m.inject?.agent_id ?? '') ?? '';
    if (hand.agentOn(peer)?.features.has('injection') === false)
      hand.send(peer, {
        inject_context: {
          injection_id: 'injection-1',
          content: m.inject?.content ?? '',
          priority: 'INJECTION_PRIORITY_NORMAL',
        },
      });
    return [m];
  });

const known: ReadonlySet<string> = new Set(protocolFeatures);

/** What becomes of a register with such features. */
const registersWith =
  (odd: (features: readonly string[]) => boolean, act: (hand: FaultContext, peer: string) => void) =>
  (): GatewayFault =>
    agentsSay((m, hand, peer) => {
      const { agent_id = '', protocol_features = [] } = m.register ?? {};
      if (m.register === undefined || !odd(protocol_features)) return [m];
      if (hand.agentOn(peer) !== undefined || hand.gateway.agents.has(agent_id)) return [m];
      act(hand, peer);
      return [];
    });

const isUnknown = (features: readonly string[]): boolean => features.some((name) => !known.has(name));
const isEmpty = (features: readonly string[]): boolean => features.length === 0;

/** Mutants of this theme. */
export const featureMutants: readonly Mutant[] = [
  wrong('FOLD-G14', 'injects-into-all', 'It injects context into any agent.', assumes('injection')),
  wrong(
    'FOLD-G14',
    'injects-and-refuses',
    'It injects context into any agent, and tells the operator that it did not.',
    injectsAnyway,
  ),
  wrong('FOLD-G15', 'asks-all-to-cancel', 'It sends a CancelRequest to any agent.', assumes('cancellation')),
  wrong(
    'FOLD-G15',
    'asks-anyway',
    'It ends the request of an agent that knows no cancellation, and sends a CancelRequest too.',
    asksAnyway,
  ),
  wrong(
    'FOLD-G16',
    'unknown-feature-refused',
    'It refuses an agent with a feature that it does not know.',
    registersWith(isUnknown, (hand, peer) => hand.close(peer, 3, 'unknown protocol feature')),
  ),
  wrong(
    'FOLD-G16',
    'unknown-feature-error',
    'It answers a feature that it does not know by a RegistrationError.',
    registersWith(isUnknown, (hand, peer) => {
      hand.send(peer, { registration_error: { reason: 'unknown protocol feature' } });
      hand.close(peer, 0, '');
    }),
  ),
  wrong(
    'FOLD-G16',
    'unknown-feature-unanswered',
    'It never answers a register with a feature that it does not know.',
    registersWith(isUnknown, () => {}),
  ),
  wrong(
    'FOLD-G16',
    'no-features-refused',
    'It refuses an agent without protocol_features.',
    registersWith(isEmpty, (hand, peer) => hand.close(peer, 9, 'protocol_features are required')),
  ),
];
