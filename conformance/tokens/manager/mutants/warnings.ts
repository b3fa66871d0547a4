/** Testees that warn wrongly of scarce tokens. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { listAt, mutant } from './mutant.ts';
import type { BudgetNumbers } from './budget-mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** Replaces the warnings. */
const editWarnings = (
  edit: (warning: JsonObject, sums: BudgetNumbers) => readonly JsonObject[],
): AnswerFault =>
  editBudget((sums, ok) => ({ warnings: listAt(ok, 'warnings').flatMap((warning) => edit(warning, sums)) }));

/** The mutants of warnings. */
export const warningMutants: readonly Mutant[] = [
  mutant(
    23,
    'never-warns',
    'It never warns.',
    editWarnings(() => []),
  ),
  mutant(
    23,
    'floors-percent',
    'It truncates the percent.',
    editWarnings((warning, { ratio }) => [
      warning['code'] === 'near-limit' ? { ...warning, percent: Math.floor(ratio * 100 + 1e-9) } : warning,
    ]),
  ),
  mutant(
    23,
    'warns-twice',
    'It warns near-limit together with scarce.',
    editWarnings((warning) =>
      warning['code'] === 'scarce' ? [{ code: 'near-limit', percent: 99 }, warning] : [warning],
    ),
  ),
  mutant(
    23,
    'scarce-at-50',
    'It calls 50 tokens scarce.',
    editWarnings((warning, { available }) => [available === 50 ? { code: 'scarce' } : warning]),
  ),
  mutant(
    23,
    'never-scarce',
    'It never warns scarce.',
    editWarnings((warning) => [warning['code'] === 'scarce' ? { code: 'near-limit', percent: 99 } : warning]),
  ),
];
