/** Testees that count the available tokens of a budget wrongly. */
import { numberAt, objectAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** The mutants of available tokens. */
export const budgetFaults: ManagerFaults = {
  'below-zero': editBudget(({ max, reserve, used, available }) => ({
    available: Math.min(available, max - reserve - used),
  })),
  'counts-twice': editBudget(({ available, used }) => ({ available: Math.max(0, available - used) })),
  'fits-strictly': editBudget(({ available }, ok, request) => ({
    ...ok,
    fits: numberAt(objectAt(request, 'ask'), 'fits') < available,
  })),
  'fits-in-reserve': editBudget(({ max, used }, ok, request) => ({
    ...ok,
    fits: numberAt(objectAt(request, 'ask'), 'fits') <= max - used,
  })),
};
