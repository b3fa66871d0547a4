/** The reference gateway as a target: the kit is its client and its provider. */
import type { PeerCommand } from '../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, RoleFault } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { gatewayWire, llmGateway } from '../../../src/llm/gateway/index.ts';
import type { GatewayIn, GatewayOptions, GatewayOut, GatewayState } from '../../../src/llm/gateway/index.ts';
import { modelOf, pairs } from './pairs.ts';

/** The provider's address in the simulated world. */
export const simulatedProvider = 'http://llm.simulated';

/** A fault in the messages of a gateway, on both of its sides. */
export type GatewayFault = RoleFault<GatewayState, GatewayIn, GatewayOut, PeerCommand<GatewayOut>>;

const routes = pairs.map((pair) => ({ ...pair, model: modelOf(pair), url: simulatedProvider }));

/** Runs a gateway. Mutants have other options, or a fault in their messages. */
export function gatewayPeer(options: Partial<GatewayOptions> = {}, fault: GatewayFault = {}): MakePeer {
  const role = llmGateway({ routes, random: (label) => seededRandom(`gateway ${label}`), ...options });
  const codecs = gatewayWire({});
  return peerOf(
    intercepted(role, () => fault),
    codecs.receives,
    codecs.sends,
    {
      wireOf: gatewayWire,
    },
  );
}
