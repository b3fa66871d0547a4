/** A mutant that leaves processes behind: AGENT-21. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ToolEffect } from '../../../../src/agent/index.ts';
import type { AgentFault } from '../target.ts';
import { mutant } from './mutant.ts';

/** Stops no run of a tool that its host does. */
const leavesRunning = (): AgentFault => ({
  output: (output) =>
    output.type === 'effect' && (output.effect as ToolEffect).do === 'cancel' ? [] : [output],
});

/** The mutants of this theme. */
export const processMutants: readonly Mutant[] = [
  mutant('AGENT-21', 'leaves-processes', 'It lets the process of a cancelled tool run on.', () => ({
    fault: leavesRunning(),
  })),
];
