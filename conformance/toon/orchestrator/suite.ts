/** The suite of TOON orchestrators. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { referenceOrchestrator } from '../shared/peers.ts';
import { sharedSuite, carrierTarget } from '../shared/suite.ts';
import { toonJudging } from '../shared/topics.ts';
import type { ToonView } from '../shared/view.ts';
import { lawfulOrchestrators } from './lawful/index.ts';
import { orchestratorMutants } from './mutants/index.ts';
import { orchestratorRules } from './rules/index.ts';

/** TOON orchestrators. The kit is their subagent. An orchestrator gives an INSTRUCTION right after it is connected. */
export const toonOrchestratorSuite: Suite<ToonView> = {
  ...sharedSuite,
  id: 'toon/orchestrator',
  role: 'orchestrator',
  title: 'TOON orchestrators: does this orchestrator work as TOON (Task Orchestration Over Node) demands?',
  judging: { rules: orchestratorRules, ...toonJudging('orchestrator') },
  target: carrierTarget,
  statement: {
    target: `target:
  # An argv array, never a shell string. With {address} the target dials the kit over TCP, with {url} over WebSocket.
  # With {listen} the kit dials it. With none of them it speaks on its stdin and stdout.
  command: [./my-orchestrator]

# tcp, stdio or ws, where the command does not show it.
# carrier: stdio
`,
  },
  reference: referenceOrchestrator,
  mutants: orchestratorMutants,
  lawful: lawfulOrchestrators,
};
