/** All mutants of clients: the reference with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { callMutants } from './calls.ts';
import { programMutants } from './program.ts';
import { refusedMutants } from './refused.ts';
import { requestMutants } from './requests.ts';
import { resultMutants } from './results.ts';
import { shapeMutants } from './shapes.ts';
import { streamMutants } from './streams.ts';
import { timeMutants } from './time.ts';

/** Every mutant, by theme. */
export const clientMutants: readonly Mutant[] = [
  ...callMutants,
  ...programMutants,
  ...resultMutants,
  ...requestMutants,
  ...refusedMutants,
  ...timeMutants,
  ...streamMutants,
  ...shapeMutants,
];
