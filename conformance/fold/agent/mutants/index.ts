/** All mutants of the reference agent, in the order of the requirements that they break. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { approvalMutants } from './approvals.ts';
import { concurrencyMutants } from './concurrency.ts';
import { cancellationMutants } from './cancellation.ts';
import { featureMutants } from './features.ts';
import { injectionMutants } from './injection.ts';
import { lifecycleMutants } from './lifecycle.ts';
import { registrationMutants } from './registration.ts';
import { requestMutants } from './requests.ts';
import { toolResultMutants } from './tool-results.ts';
import { toolStateMutants } from './tool-states.ts';
import { toolMutants } from './tools.ts';
import { usageMutants } from './usage.ts';

/** Every mutant of the reference agent. */
export const agentMutants: readonly Mutant[] = [
  ...registrationMutants,
  ...featureMutants,
  ...requestMutants,
  ...concurrencyMutants,
  ...toolMutants,
  ...toolStateMutants,
  ...toolResultMutants,
  ...approvalMutants,
  ...usageMutants,
  ...injectionMutants,
  ...cancellationMutants,
  ...lifecycleMutants,
];
