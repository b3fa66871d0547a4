/** Testees that sum the usages of responses wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { listAt, mutant, numberAt } from './mutant.ts';
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
export const usageMutants: readonly Mutant[] = [
  mutant(
    17,
    'no-fallback',
    'It accepts a total of 0.',
    sums((usage) => totalOf(usage, { fallback: false })),
  ),
  mutant(
    17,
    'adds-negatives',
    'It adds negative counts.',
    sums((usage) => totalOf(usage, { clamped: false })),
  ),
  mutant(
    17,
    'plan-only',
    'It reads only inputTokens and outputTokens.',
    sums((usage) => Math.max(0, numberAt(usage, 'inputTokens') + numberAt(usage, 'outputTokens'))),
  ),
  mutant(
    17,
    'adds-the-cache-twice',
    'It adds tokens in a cache to a total that already has them.',
    sums((usage) => totalOf(usage, {}) + cacheOf(usage)),
  ),
  mutant(
    17,
    'last-only',
    'It uses the last usage as the sum.',
    editBudget((_, __, request) => {
      const last = listAt(request, 'usages').at(-1);
      return { used: last === undefined ? 0 : totalOf(last, {}) };
    }),
  ),
  mutant(
    17,
    'capped',
    'It counts no more tokens than maxTokens.',
    editBudget(({ used, max }) => ({ used: Math.min(used, max) })),
  ),
];
