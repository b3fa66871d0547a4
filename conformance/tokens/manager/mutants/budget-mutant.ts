/** Makes mutants of budgets: faults in the numbers of a testee's answer. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editMembers, numberAt, objectAt } from './mutant.ts';

/** The numbers of a budget. */
export interface BudgetNumbers {
  readonly max: number;
  readonly reserve: number;
  readonly used: number;
  readonly available: number;
  readonly ratio: number;
  readonly near: boolean;
}

/** Replaces members of a budget. */
export const editBudget = (
  edit: (sums: BudgetNumbers, ok: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  editMembers('tokens.budget', (ok, request) => {
    const config = objectAt(request, 'config');
    const sums = {
      max: numberAt(config, 'maxTokens'),
      reserve: numberAt(config, 'reserveTokens'),
      used: numberAt(ok, 'used'),
      available: numberAt(ok, 'available'),
      ratio: numberAt(ok, 'ratio'),
      near: ok['near'] === true,
    };
    return edit(sums, ok, request);
  });
