/** The suite of Koda clients. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { referenceClient } from '../shared/peers.ts';
import { carrierTarget, sharedSuite } from '../shared/suite.ts';
import { kodaJudging } from '../shared/view.ts';
import type { KodaView } from '../shared/view.ts';
import { lawfulClients } from './lawful/index.ts';
import { clientMutants } from './mutants/index.ts';
import { clientRules } from './rules/index.ts';

/** Koda clients. The kit is their engine. */
export const kodaClientSuite: Suite<KodaView> = {
  ...sharedSuite,
  id: 'koda/client',
  role: 'client',
  title: 'Koda clients: does this client answer what its engine asks, once and in time?',
  judging: { rules: clientRules, ...kodaJudging('client') },
  features: [
    { name: 'slash_commands', advertised: true, text: 'sends slash commands (seen in its commands)' },
  ],
  conditionalRows: [],
  target: {
    ...carrierTarget,
    advertised: ({ sent }) => (sent.has('command.slash_command') ? ['slash_commands'] : []),
    drive: 'scripted',
    instruction: 'connect the client, send a first prompt, and answer each of its questions',
  },
  statement: {
    target: `target:
  # An argv array, never a shell string. With {url} the client dials a WebSocket. With {listen} it listens for one. With
  # none of them it speaks on its stdin and stdout. It sends a first prompt by itself once it is connected: its own words,
  # or those of WIREPROOF_PROMPT in its environment.
  command: [./my-client, '{url}']

# stdio or ws, where the command does not show it.
# carrier: ws
`,
  },
  reference: referenceClient,
  mutants: clientMutants,
  lawful: lawfulClients,
};
