/** All mutants of the reference agent, in the order of the requirements that they break. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { agentWith } from './mutant.ts';
import { approvalFaults } from './approvals.ts';
import { concurrencyFaults } from './concurrency.ts';
import { cancellationFaults } from './cancellation.ts';
import { featureFaults } from './features.ts';
import { injectionFaults } from './injection.ts';
import { lifecycleFaults } from './lifecycle.ts';
import { registrationFaults } from './registration.ts';
import { requestFaults } from './requests.ts';
import { toolResultFaults } from './tool-results.ts';
import { toolStateFaults } from './tool-states.ts';
import { toolFaults } from './tools.ts';
import { usageFaults } from './usage.ts';

/** Every mutant of the reference agent. */
export const agentMutants: () => readonly Mutant[] = mutantsOf(
  'fold/agent',
  [
    registrationFaults,
    featureFaults,
    requestFaults,
    concurrencyFaults,
    toolFaults,
    toolStateFaults,
    toolResultFaults,
    approvalFaults,
    usageFaults,
    injectionFaults,
    cancellationFaults,
    lifecycleFaults,
  ],
  agentWith,
);
