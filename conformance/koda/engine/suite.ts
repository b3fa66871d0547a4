/** The suite of Koda engines. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { referenceEngine } from '../shared/peers.ts';
import { carrierTarget, sharedSuite } from '../shared/suite.ts';
import { kodaJudging } from '../shared/view.ts';
import type { KodaView } from '../shared/view.ts';
import { lawfulEngines } from './lawful/index.ts';
import { engineMutants } from './mutants/index.ts';
import { engineRules } from './rules/index.ts';

/** Koda engines. The kit is their client. */
export const kodaEngineSuite: Suite<KodaView> = {
  ...sharedSuite,
  id: 'koda/engine',
  role: 'engine',
  title: 'Koda engines: are the events of its turns those that a client can rely on?',
  judging: { rules: engineRules, ...kodaJudging('engine') },
  target: {
    ...carrierTarget,
    drive: 'passive',
    probe: { scenario: 'engine-directive-probe', obeys: ({ obeyed }) => obeyed },
  },
  statement: {
    target: `target:
  # An argv array, never a shell string. With {port} or {listen} the engine listens for a WebSocket. With {url} it dials
  # one. With none of them it speaks on its stdin and stdout.
  command: [./my-engine]

# stdio or ws, where the command does not show it.
# carrier: stdio

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto
`,
  },
  reference: referenceEngine,
  mutants: engineMutants,
  lawful: lawfulEngines,
};
