/** Testees that count the available tokens of a budget wrongly. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant, numberAt, objectAt } from './mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** The mutants of available tokens. */
export const budgetMutants: readonly Mutant[] = [
  mutant(
    15,
    'below-zero',
    'It lets available fall below 0.',
    editBudget(({ max, reserve, used, available }) => ({
      available: Math.min(available, max - reserve - used),
    })),
  ),
  mutant(
    15,
    'counts-twice',
    'It subtracts used tokens twice.',
    editBudget(({ available, used }) => ({ available: Math.max(0, available - used) })),
  ),
  mutant(
    16,
    'fits-strictly',
    'It refuses a request that fits exactly.',
    editBudget(({ available }, ok, request) => ({
      ...ok,
      fits: numberAt(objectAt(request, 'ask'), 'fits') < available,
    })),
  ),
  mutant(
    16,
    'fits-in-reserve',
    'It allows a request to use the reserve.',
    editBudget(({ max, used }, ok, request) => ({
      ...ok,
      fits: numberAt(objectAt(request, 'ask'), 'fits') <= max - used,
    })),
  ),
];
