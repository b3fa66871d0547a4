/** Testees that advise wrongly when a budget is near its limit. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { objectAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import type { BudgetNumbers } from './budget-mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** Replaces the advice. */
const editAdvice = (edit: (sums: BudgetNumbers, advice: JsonObject) => JsonObject): AnswerFault =>
  editBudget((sums, ok) => {
    const advice = objectAt(ok, 'advice');
    return { advice: { ...advice, ...edit(sums, advice) } };
  });

/** The mutants of advice. */
export const adviceFaults: ManagerFaults = {
  'advises-early': editAdvice(({ near, ratio }, { summarize = false }) => ({
    summarize: summarize === true || (!near && ratio > 0.7),
  })),
  'always-a-tenth': editAdvice(({ max, available, near }) =>
    near ? {} : { maxRequestSize: Math.min(available, Math.floor(max / 10)) },
  ),
  'prunes-at-80': editAdvice(({ near, ratio }, { prune = false }) => ({
    prune: prune === true || (near && ratio === 0.8),
  })),
  'summarizes-at-70': editAdvice(({ near, ratio }, { summarize = false }) => ({
    summarize: summarize === true || (near && ratio === 0.7),
  })),
  'summarizes-when-near': editAdvice(({ near }) => ({ summarize: near })),
  'rounds-a-tenth': editAdvice(({ max, available, near }) =>
    near ? { maxRequestSize: Math.min(available, Math.round(max / 10)) } : {},
  ),
  'a-tenth-of-nothing': editAdvice(({ max, near }) => (near ? { maxRequestSize: Math.floor(max / 10) } : {})),
};
