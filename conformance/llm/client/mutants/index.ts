/** All mutants of clients: the reference, wrong in one way each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { callMutants } from './calls.ts';
import { requestMutants } from './requests.ts';
import { resultMutants } from './results.ts';
import { timeMutants } from './time.ts';

/** Every mutant, in the order of what they get wrong. */
export const clientMutants: readonly Mutant[] = [
  ...callMutants,
  ...resultMutants,
  ...requestMutants,
  ...timeMutants,
];
