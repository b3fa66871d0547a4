/** The suite of Koda engines. */
import type { Feature, Suite } from '../../../src/kit/suite/index.ts';
import { referenceEngine } from '../shared/peers.ts';
import { carrierTarget, sharedSuite } from '../shared/suite.ts';
import { kodaJudging, lostPromptNote } from '../shared/view.ts';
import type { KodaView } from '../shared/view.ts';
import { lawfulEngines } from './lawful/index.ts';
import { engineMutants } from './mutants/index.ts';
import { engineRules } from './rules/index.ts';

/** The events by which an engine shows a feature. */
const shownBy = {
  thinking: ['thinking_start', 'thinking_delta', 'thinking_done'],
  footer: ['footer'],
  status: ['status_update'],
} as const;

const features: readonly Feature[] = [
  { name: 'thinking', advertised: true, text: 'shows the thoughts of its model (seen in its events)' },
  { name: 'footer', advertised: true, text: 'ends a turn with its totals (seen in its events)' },
  { name: 'status', advertised: true, text: 'sends status_update (seen in its events)' },
  { name: 'approvals', advertised: false, text: 'asks for approval, and blocks actions' },
  { name: 'questions', advertised: false, text: 'asks the user' },
  { name: 'caps', advertised: false, text: 'pauses at a cap of iterations' },
  { name: 'sub_agents', advertised: false, text: 'has sub-agents' },
];

/** Koda engines. The kit is their client. */
export const kodaEngineSuite: Suite<KodaView> = {
  ...sharedSuite,
  id: 'koda/engine',
  role: 'engine',
  title: 'Koda engines: are the events of its turns those that a client can rely on?',
  judging: { rules: engineRules, ...kodaJudging('engine') },
  features,
  conditionalRows: [],
  target: {
    ...carrierTarget,
    advertised: ({ sent }) =>
      Object.entries(shownBy).flatMap(([name, types]) =>
        types.some((type) => sent.has(`event.${type}`)) ? [name] : [],
      ),
    note: lostPromptNote,
    drive: 'passive',
    probe: { scenario: 'engine-directive-probe', obeys: ({ obeyed }) => obeyed },
  },
  statement: {
    target: `target:
  # An argv array, never a shell string. With {listen} the engine listens for a WebSocket. With {url} it dials one. With
  # none of them it speaks on its stdin and stdout.
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
