/** The reference agent, wrong in one way each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { approvalMutants } from './approvals.ts';
import { budgetMutants } from './budget.ts';
import { callMutants } from './calls.ts';
import { cancellationMutants } from './cancellation.ts';
import { endMutants } from './ends.ts';
import { failureMutants } from './failures.ts';
import { injectionMutants } from './injections.ts';
import { mixingMutants } from './mixing.ts';
import { processMutants } from './processes.ts';

/** All of them. */
export const agentMutants: readonly Mutant[] = [
  ...cancellationMutants,
  ...processMutants,
  ...callMutants,
  ...approvalMutants,
  ...injectionMutants,
  ...endMutants,
  ...budgetMutants,
  ...failureMutants,
  ...mixingMutants,
];
