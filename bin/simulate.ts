/** `wireproof simulate`: play one side of a protocol against a real one. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { SimulateAgentFlags } from './simulate-agent.ts';
import type { SimulateGatewayFlags } from './simulate-gateway.ts';

/** The flags of `simulate`, of all peers together. */
export type SimulateFlags = SimulateAgentFlags & SimulateGatewayFlags;

const peers: { readonly [peer: string]: (flags: SimulateFlags) => Promise<void> } = {
  'fold/agent': async (flags) => (await import('./simulate-agent.ts')).simulateAgent(flags),
  'fold/gateway': async (flags) => (await import('./simulate-gateway.ts')).simulateGateway(flags),
};

/** Runs the verb. */
export async function simulate(peer: string, flags: SimulateFlags): Promise<void> {
  const play = Object.hasOwn(peers, peer) ? peers[peer] : undefined;
  if (play === undefined)
    throw new WireproofError('usage', `simulate ${peer}: there are ${Object.keys(peers).join(', ')}`);
  await play(flags);
}
