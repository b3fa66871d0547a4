/** The suite of TOON subagents. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { referenceSubagent } from '../shared/peers.ts';
import { sharedSuite, carrierTarget } from '../shared/suite.ts';
import { toonJudging } from '../shared/topics.ts';
import type { ToonView } from '../shared/view.ts';
import { lawfulSubagents } from './lawful/index.ts';
import { subagentMutants } from './mutants/index.ts';
import { subagentRules } from './rules/index.ts';

/** TOON subagents. The kit is their orchestrator. */
export const toonSubagentSuite: Suite<ToonView> = {
  ...sharedSuite,
  id: 'toon/subagent',
  role: 'subagent',
  title: 'TOON subagents: does this subagent work as TOON (Task Orchestration Over Node) demands?',
  judging: { rules: subagentRules, ...toonJudging('subagent') },
  target: {
    ...carrierTarget,
    probe: {
      scenario: 'subagent-directive-probe',
      obeys: (view) => [...view.streams.values()].at(-1)?.obeyed === true,
    },
  },
  statement: {
    target: `target:
  # An argv array, never a shell string. With {address} the target dials the kit over TCP, with {url} over WebSocket.
  # With {listen} the kit dials it. With none of them it speaks on its stdin and stdout.
  command: [./my-subagent]

# tcp, stdio or ws, where the command does not show it.
# carrier: stdio

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto
`,
  },
  reference: referenceSubagent,
  mutants: subagentMutants,
  lawful: lawfulSubagents,
};
