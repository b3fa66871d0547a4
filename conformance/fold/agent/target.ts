/** The options of the reference agent as the simulated world's target. */
import type { AgentOptions } from '../../../src/fold/index.ts';

/** The options of the simulated target and of its mutants. Some rows need the credentials and the keepalive. */
export const targetOptions: Partial<AgentOptions> = {
  agent_id: 'reference',
  keepalive: 5000,
  metadata: (stream) => ({ 'x-ssh-pubkey': 'ssh-ed25519 AAAA', 'x-ssh-nonce': `nonce-${stream}` }),
};
