/** The peers of a simulated system. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import {
  agent,
  agentCodec,
  defaultAgentOptions,
  protocolFeatures,
  serverCodec,
} from '../../../src/fold/index.ts';
import { gatewayPeers } from '../gateway/target.ts';
import { packText } from './talk.ts';

/** A peer of a system, by its name. */
export interface Member {
  readonly name: string;
  readonly make: MakePeer;
}

/** One to three agents, possibly a rogue, a valid pack, an invalid pack, and the operator. */
export function cast(random: Random): readonly Member[] {
  const count = 1 + random.below(3);
  const agents = Array.from({ length: count }, (_, n) => referenceAgent(`agent${n + 1}`, random));
  const rogue = simulated('rogue', 'fold/agent', { agent_id: 'rogue', register: false });
  return [
    ...agents,
    ...(random.below(2) === 0 ? [rogue] : []),
    simulated('pack', 'fold/pack', packText),
    simulated('pack2', 'fold/pack', { pack_id: 'pack2', dial: false }),
    simulated('operator', 'fold/operator', {}),
  ];
}

/** An agent with most of the features. */
function referenceAgent(name: string, random: Random): Member {
  // Only an injection releases a hold. Without that feature, a request might never end.
  const has = (feature: string): boolean => feature === 'injection' || random.below(5) > 0;
  const protocol_features = protocolFeatures.filter(has);
  const register = { ...defaultAgentOptions.register, protocol_features };
  return { name, make: peerOf(agent({ agent_id: name, register }), serverCodec, agentCodec) };
}

function simulated(name: string, role: string, options: JsonObject): Member {
  const make = gatewayPeers[role];
  if (make === undefined) throw new Error(`expected a simulated peer for the role ${role}`);
  return { name, make: make(options) };
}
