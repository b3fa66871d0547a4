/** A mutant that leaves processes behind: AGENT-21. */
import { onOutput } from '../../../../src/kit/suite/index.ts';
import type { ToolEffect } from '../../../../src/agent/index.ts';
import type { AgentFault } from '../target.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** Stops no run of a tool that its host does. */
const leavesRunning = (): AgentFault =>
  onOutput('effect', ({ effect }) => ((effect as ToolEffect).do === 'cancel' ? [] : undefined));

export const processFaults: WholeAgentFaults = {
  'leaves-processes': () => ({ fault: leavesRunning() }),
};
