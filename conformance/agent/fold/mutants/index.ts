/** The reference agent, wrong in one way each. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { wholeAgentWith } from './mutant.ts';
import { approvalFaults } from './approvals.ts';
import { budgetFaults } from './budget.ts';
import { callFaults } from './calls.ts';
import { cancellationFaults } from './cancellation.ts';
import { endFaults } from './ends.ts';
import { failureFaults } from './failures.ts';
import { injectionFaults } from './injections.ts';
import { mixingFaults } from './mixing.ts';
import { processFaults } from './processes.ts';

export const agentMutants: () => readonly Mutant[] = mutantsOf(
  'agent/fold',
  [
    cancellationFaults,
    processFaults,
    callFaults,
    approvalFaults,
    injectionFaults,
    endFaults,
    budgetFaults,
    failureFaults,
    mixingFaults,
  ],
  wholeAgentWith,
);
