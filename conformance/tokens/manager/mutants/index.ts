/** All mutants of token managers: the reference testee with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { budgetMutants } from './budget.ts';
import { messageMutants } from './messages.ts';
import { responseMutants } from './response.ts';
import { roomMutants } from './room.ts';
import { turnMutants } from './turn.ts';

/** Every mutant, by theme. */
export const managerMutants: readonly Mutant[] = [
  ...responseMutants,
  ...budgetMutants,
  ...messageMutants,
  ...turnMutants,
  ...roomMutants,
];
