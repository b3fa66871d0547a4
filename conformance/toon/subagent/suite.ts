/** The suite of TOON subagents: what drives and judges one. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { referenceSubagent } from '../shared/peers.ts';
import { sharedSuite, carrierTarget } from '../shared/suite.ts';
import { judgedBy } from '../shared/topics.ts';
import type { ToonView } from '../shared/view.ts';
import { subagentMutants } from './mutants/index.ts';
import { subagentRules } from './rules/index.ts';

/** Subagents: the kit is their orchestrator. */
export const toonSubagentSuite: Suite<ToonView> = {
  ...sharedSuite,
  id: 'toon/subagent',
  role: 'subagent',
  title: 'TOON subagents: does this subagent work as TOON (Task Orchestration Over Node) demands?',
  judging: { rules: subagentRules, ...judgedBy('subagent') },
  target: {
    ...carrierTarget,
    probe: {
      scenario: 'subagent-directive-probe',
      obeys: (view) => [...view.streams.values()].at(-1)?.obeyed === true,
    },
  },
  reference: referenceSubagent,
  mutants: subagentMutants,
};
