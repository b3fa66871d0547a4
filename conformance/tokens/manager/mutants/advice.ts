/** Testees that advise wrongly when a budget is near its limit. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant, objectAt } from './mutant.ts';
import type { BudgetNumbers } from './budget-mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** Replaces the advice. */
const editAdvice = (edit: (sums: BudgetNumbers, advice: JsonObject) => JsonObject): AnswerFault =>
  editBudget((sums, ok) => {
    const advice = objectAt(ok, 'advice');
    return { advice: { ...advice, ...edit(sums, advice) } };
  });

/** The mutants of advice. */
export const adviceMutants: readonly Mutant[] = [
  mutant(
    21,
    'advises-early',
    'It advises to summarize from 70 %, with any threshold.',
    editAdvice(({ near, ratio }, { summarize = false }) => ({
      summarize: summarize === true || (!near && ratio > 0.7),
    })),
  ),
  mutant(
    21,
    'always-a-tenth',
    'It limits every request to a tenth of max.',
    editAdvice(({ max, available, near }) =>
      near ? {} : { maxRequestSize: Math.min(available, Math.floor(max / 10)) },
    ),
  ),
  mutant(
    22,
    'prunes-at-80',
    'It advises to prune at exactly 80 %.',
    editAdvice(({ near, ratio }, { prune = false }) => ({
      prune: prune === true || (near && ratio === 0.8),
    })),
  ),
  mutant(
    22,
    'summarizes-at-70',
    'It advises to summarize at exactly 70 %.',
    editAdvice(({ near, ratio }, { summarize = false }) => ({
      summarize: summarize === true || (near && ratio === 0.7),
    })),
  ),
  mutant(
    22,
    'summarizes-when-near',
    'It advises to summarize whenever it is near the limit.',
    editAdvice(({ near }) => ({ summarize: near })),
  ),
  mutant(
    22,
    'rounds-a-tenth',
    'It rounds the tenth of max up.',
    editAdvice(({ max, available, near }) =>
      near ? { maxRequestSize: Math.min(available, Math.round(max / 10)) } : {},
    ),
  ),
  mutant(
    22,
    'a-tenth-of-nothing',
    'It allows a request of a tenth of max when less is available.',
    editAdvice(({ max, near }) => (near ? { maxRequestSize: Math.floor(max / 10) } : {})),
  ),
];
