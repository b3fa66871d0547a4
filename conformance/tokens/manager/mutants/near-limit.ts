/** Testees that judge wrongly whether a budget is near its limit, or use other defaults. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant, numberAt, objectAt } from './mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** The mutants of ratios, thresholds and defaults. */
export const nearLimitMutants: readonly Mutant[] = [
  mutant(
    18,
    'ratio-of-available',
    'Its ratio is relative to max minus the reserve.',
    editBudget(({ max, reserve, used }) => ({ ratio: used / Math.max(1, max - reserve) })),
  ),
  mutant(
    18,
    'zero-max-as-one',
    'It treats a max of 0 as 1.',
    editBudget(({ max, used }) => (max === 0 ? { ratio: used } : undefined)),
  ),
  mutant(
    18,
    'calm-without-max',
    'With a max of 0 it advises nothing, though its ratio is 1.',
    editBudget(({ max }, ok) =>
      max === 0 ? { advice: { ...objectAt(ok, 'advice'), summarize: false, prune: false } } : undefined,
    ),
  ),
  mutant(
    19,
    'near-above',
    'It is near the limit only above the threshold, not at it.',
    editBudget(({ near, ratio }, _, request) => ({
      near: near && ratio !== numberAt(objectAt(request, 'config'), 'warningThreshold'),
    })),
  ),
  mutant(
    20,
    'threshold-90',
    'Its default threshold is 90 %.',
    editBudget(({ ratio }, _, request) =>
      objectAt(request, 'config')['warningThreshold'] === undefined ? { near: ratio >= 0.9 } : undefined,
    ),
  ),
  mutant(
    20,
    'no-reserve',
    'Its default reserve is 0.',
    editBudget(({ max, used }, _, request) =>
      objectAt(request, 'config')['reserveTokens'] === undefined ? { available: max - used } : undefined,
    ),
  ),
];
