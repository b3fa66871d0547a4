/** Testees that sum the usages of responses wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { listAt, numberAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import { editBudget } from './budget-mutant.ts';

/** Sums usages in another way. */
const sums = (of: (usage: JsonObject) => number): AnswerFault =>
  editBudget((_, __, request) => ({
    used: listAt(request, 'usages').reduce((n, usage) => n + of(usage), 0),
  }));

/** The total of a usage, with a fault. */
const totalOf = (
  usage: JsonObject,
  { clamped = true, fallback = true }: { clamped?: boolean; fallback?: boolean },
): number => {
  const atLeast = clamped ? 0 : Number.NEGATIVE_INFINITY;
  const count = (name: string): number => Math.max(atLeast, numberAt(usage, name));
  const parts =
    count('promptTokens') + count('completionTokens') + count('inputTokens') + count('outputTokens');
  const total = count('totalTokens');
  if (total !== 0) return total;
  return fallback || usage['totalTokens'] === undefined ? parts : 0;
};

const cacheOf = (usage: JsonObject): number =>
  numberAt(usage, 'cacheReadTokens') + numberAt(usage, 'cacheWriteTokens');

/** The mutants of sums of usages. */
export const usageFaults: ManagerFaults = {
  'no-fallback': sums((usage) => totalOf(usage, { fallback: false })),
  'adds-negatives': sums((usage) => totalOf(usage, { clamped: false })),
  'plan-only': sums((usage) => Math.max(0, numberAt(usage, 'inputTokens') + numberAt(usage, 'outputTokens'))),
  'adds-the-cache-twice': sums((usage) => totalOf(usage, {}) + cacheOf(usage)),
  'last-only': editBudget((_, __, request) => {
    const last = listAt(request, 'usages').at(-1);
    return { used: last === undefined ? 0 : totalOf(last, {}) };
  }),
  capped: editBudget(({ used, max }) => ({ used: Math.min(used, max) })),
};
