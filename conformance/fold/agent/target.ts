/** How the reference agent is set up as the simulated world's target: with credentials and keepalive, which some rows need. */
import type { AgentOptions } from '../../../src/fold/index.ts';

/** Options of the simulated target; its mutants have the same but for their fault. */
export const targetOptions: Partial<AgentOptions> = {
  agent_id: 'reference',
  keepalive: 5000,
  metadata: (stream) => ({ 'x-ssh-pubkey': 'ssh-ed25519 AAAA', 'x-ssh-nonce': `nonce-${stream}` }),
};
