/** Testees that warn wrongly of scarce tokens. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { listAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import type { BudgetNumbers } from './budget-mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** Replaces the warnings. */
const editWarnings = (
  edit: (warning: JsonObject, sums: BudgetNumbers) => readonly JsonObject[],
): AnswerFault =>
  editBudget((sums, ok) => ({ warnings: listAt(ok, 'warnings').flatMap((warning) => edit(warning, sums)) }));

/** The mutants of warnings. */
export const warningFaults: ManagerFaults = {
  'never-warns': editWarnings(() => []),
  'floors-percent': editWarnings((warning, { ratio }) => [
    warning['code'] === 'near-limit' ? { ...warning, percent: Math.floor(ratio * 100 + 1e-9) } : warning,
  ]),
  'warns-twice': editWarnings((warning) =>
    warning['code'] === 'scarce' ? [{ code: 'near-limit', percent: 99 }, warning] : [warning],
  ),
  'scarce-at-50': editWarnings((warning, { available }) => [available === 50 ? { code: 'scarce' } : warning]),
  'never-scarce': editWarnings((warning) => [
    warning['code'] === 'scarce' ? { code: 'near-limit', percent: 99 } : warning,
  ]),
};
