/** All mutants of executors: the reference testee with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { failureMutants } from './failures.ts';
import { iterationMutants } from './iterations.ts';
import { orderMutants } from './order.ts';
import { variableMutants } from './variables.ts';

/** Every mutant, by theme. */
export const executorMutants: readonly Mutant[] = [
  ...orderMutants,
  ...failureMutants,
  ...variableMutants,
  ...iterationMutants,
];
