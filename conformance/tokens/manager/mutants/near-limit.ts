/** Testees that judge wrongly whether a budget is near its limit, or use other defaults. */
import { numberAt, objectAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** The mutants of ratios, thresholds and defaults. */
export const nearLimitFaults: ManagerFaults = {
  'ratio-of-available': editBudget(({ max, reserve, used }) => ({
    ratio: used / Math.max(1, max - reserve),
  })),
  'zero-max-as-one': editBudget(({ max, used }) => (max === 0 ? { ratio: used } : undefined)),
  'calm-without-max': editBudget(({ max }, ok) =>
    max === 0 ? { advice: { ...objectAt(ok, 'advice'), summarize: false, prune: false } } : undefined,
  ),
  'near-above': editBudget(({ near, ratio }, _, request) => ({
    near: near && ratio !== numberAt(objectAt(request, 'config'), 'warningThreshold'),
  })),
  'threshold-90': editBudget(({ ratio }, _, request) =>
    objectAt(request, 'config')['warningThreshold'] === undefined ? { near: ratio >= 0.9 } : undefined,
  ),
  'no-reserve': editBudget(({ max, used }, _, request) =>
    objectAt(request, 'config')['reserveTokens'] === undefined ? { available: max - used } : undefined,
  ),
};
