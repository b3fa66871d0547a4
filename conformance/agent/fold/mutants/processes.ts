/** A mutant that leaves processes behind: AGENT-21. */
import type { ToolEffect } from '../../../../src/agent/index.ts';
import type { AgentFault } from '../target.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** Stops no run of a tool that its host does. */
const leavesRunning = (): AgentFault => ({
  output: (output) =>
    output.type === 'effect' && (output.effect as ToolEffect).do === 'cancel' ? [] : [output],
});

/** The mutants of this theme. */
export const processFaults: WholeAgentFaults = {
  'leaves-processes': () => ({
    fault: leavesRunning(),
  }),
};
