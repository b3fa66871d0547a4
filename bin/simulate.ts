/** `wireproof simulate`: play one side of a protocol against a real one. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { SimulateAgentFlags } from './simulate-agent.ts';
import type { SimulateGatewayFlags } from './simulate-gateway.ts';
import type { SimulateLlmFlags } from './simulate-llm.ts';
import type { SimulateToonFlags } from './simulate-toon.ts';

/** The flags of `simulate`, of all peers together. */
export type SimulateFlags = SimulateAgentFlags & SimulateGatewayFlags & SimulateLlmFlags & SimulateToonFlags;

/** As they come: where nothing is said, each peer has a place of its own. */
type Given = Omit<SimulateFlags, 'listen' | 'connect'> & {
  readonly listen?: string;
  readonly connect?: string;
};

const foldPlace = '127.0.0.1:50051';
const fold = (flags: Given): SimulateAgentFlags & SimulateGatewayFlags => ({
  ...flags,
  listen: flags.listen ?? foldPlace,
  connect: flags.connect ?? foldPlace,
});

const peers: { readonly [peer: string]: (flags: Given, command: readonly string[]) => Promise<void> } = {
  'fold/agent': async (flags) => (await import('./simulate-agent.ts')).simulateAgent(fold(flags)),
  'fold/gateway': async (flags) => (await import('./simulate-gateway.ts')).simulateGateway(fold(flags)),
  llm: async (flags, command) => (await import('./simulate-llm.ts')).simulateLlm(command, flags),
  'toon/orchestrator': async (flags, command) =>
    (await import('./simulate-toon.ts')).simulateToon('orchestrator', command, flags),
  'toon/subagent': async (flags, command) =>
    (await import('./simulate-toon.ts')).simulateToon('subagent', command, flags),
};

/** Runs the verb. */
export async function simulate(peer: string, command: readonly string[], flags: Given): Promise<void> {
  const play = Object.hasOwn(peers, peer) ? peers[peer] : undefined;
  if (play === undefined)
    throw new WireproofError('usage', `simulate ${peer}: there are ${Object.keys(peers).join(', ')}`);
  if (command.length > 0 && peer.startsWith('fold/'))
    throw new WireproofError('usage', `simulate ${peer} starts no program; leave out ${command.join(' ')}`);
  await play(flags, command);
}
