/** The reference gateway as a target: the kit is its client and its provider. */
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, RoleFault } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { gatewayWire, llmGateway } from '../../../src/llm/gateway/index.ts';
import type { GatewayIn, GatewayOptions, GatewayOut, GatewayState } from '../../../src/llm/gateway/index.ts';
import { keys } from './keys.ts';
import { modelOf, pairs } from './pairs.ts';

/** The provider's address in the simulated world. */
export const simulatedProvider = 'http://llm.simulated';

/** A fault in the messages of a gateway, on both of its sides. */
export type GatewayFault = RoleFault<GatewayState, GatewayIn, GatewayOut, PeerCommand<GatewayOut>>;

/** The second provider's address in the simulated world. */
export const simulatedFallback = 'http://llm-2.simulated';

const routes = pairs.map((pair) => ({
  ...pair,
  model: modelOf(pair),
  url: simulatedProvider,
  headers: { authorization: `Bearer ${keys.provider_key}`, 'x-api-key': keys.provider_key },
}));

/**
 * Runs a gateway. Mutants have other options, or a fault in their messages.
 *
 * @param reference - the scenario's options: with `fallback`, it has a second provider
 */
export function gatewayPeer(
  options: Partial<GatewayOptions> = {},
  { fallback }: JsonObject = {},
  fault: GatewayFault = {},
): MakePeer {
  const own = fallback === true ? routes.map((route) => ({ ...route, fallback: simulatedFallback })) : routes;
  const random = (label: string): ReturnType<typeof seededRandom> => seededRandom(`gateway ${label}`);
  const role = llmGateway({ routes: own, random, idle: 20_000, ...options });
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
