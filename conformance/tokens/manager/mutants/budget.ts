/** Testees with wrong budgets and estimates. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editMembers, listAt, mutant, numberAt, objectAt, textAt } from './mutant.ts';

/** The numbers of a budget. */
interface BudgetNumbers {
  readonly max: number;
  readonly reserve: number;
  readonly used: number;
  readonly available: number;
  readonly ratio: number;
  readonly near: boolean;
}

/** Replaces members of a budget. */
const editBudget = (
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

/** Replaces the advice. */
const editAdvice = (edit: (sums: BudgetNumbers, advice: JsonObject) => JsonObject): AnswerFault =>
  editBudget((sums, ok) => {
    const advice = objectAt(ok, 'advice');
    return { advice: { ...advice, ...edit(sums, advice) } };
  });

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

/** Replaces the warnings. */
const editWarnings = (
  edit: (warning: JsonObject, sums: BudgetNumbers) => readonly JsonObject[],
): AnswerFault =>
  editBudget((sums, ok) => ({ warnings: listAt(ok, 'warnings').flatMap((warning) => edit(warning, sums)) }));

/** Replaces the estimate of each message. */
const editEstimate = (of: (message: JsonObject) => number): AnswerFault =>
  editMembers('tokens.estimate', (ok, request) => {
    const more = listAt(request, 'messages').reduce((n, message) => n + of(message), 0);
    return { tokens: numberAt(ok, 'tokens') + more };
  });

const quarter = (length: number): number => Math.ceil(length / 4);
const jsonLength = (value: Json | undefined): number =>
  value === undefined ? 0 : JSON.stringify(value).length;

/** The difference of a message's estimate when its text has another length. */
const byLength = (length: (text: string) => number): AnswerFault =>
  editEstimate(
    (message) => quarter(length(textAt(message, 'content'))) - quarter(textAt(message, 'content').length),
  );

/** The mutants of this theme. */
export const budgetMutants: readonly Mutant[] = [
  mutant(
    15,
    'below-zero',
    'It lets available fall below 0.',
    editBudget(({ max, reserve, used, available }) => ({
      available: Math.min(available, max - reserve - used),
    })),
  ),
  mutant(
    15,
    'counts-twice',
    'It subtracts used tokens twice.',
    editBudget(({ available, used }) => ({ available: Math.max(0, available - used) })),
  ),
  mutant(
    16,
    'fits-strictly',
    'It refuses a request that fits exactly.',
    editBudget(({ available }, ok, request) => ({
      ...ok,
      fits: numberAt(objectAt(request, 'ask'), 'fits') < available,
    })),
  ),
  mutant(
    16,
    'fits-in-reserve',
    'It allows a request to use the reserve.',
    editBudget(({ max, used }, ok, request) => ({
      ...ok,
      fits: numberAt(objectAt(request, 'ask'), 'fits') <= max - used,
    })),
  ),
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
    'last-only',
    'It uses the last usage as the sum.',
    editBudget((_, __, request) => {
      const last = listAt(request, 'usages').at(-1);
      return { used: last === undefined ? 0 : totalOf(last, {}) };
    }),
  ),
  mutant(
    18,
    'ratio-of-available',
    'Its ratio is relative to max minus the reserve.',
    editBudget(({ max, reserve, used }) => ({ ratio: used / Math.max(1, max - reserve) })),
  ),
  mutant(
    18,
    'zero-max',
    'It treats a max of 0 as full.',
    editBudget(({ max }) => (max === 0 ? { ratio: 1 } : undefined)),
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
  mutant(
    25,
    'counts-bytes',
    'It counts UTF-8 bytes.',
    byLength((text) => Buffer.byteLength(text)),
  ),
  mutant(
    25,
    'counts-characters',
    'It counts characters instead of UTF-16 units.',
    byLength((text) => Array.from(text).length),
  ),
  mutant(
    25,
    'rounds-down',
    'It rounds down.',
    editEstimate((message) => (textAt(message, 'content').length % 4 === 0 ? 0 : -1)),
  ),
  mutant(
    25,
    'no-overhead',
    'It omits the 10 tokens of each message.',
    editEstimate(() => -10),
  ),
  mutant(
    25,
    'forgets-calls',
    'It does not count calls.',
    editEstimate(({ toolCalls }) => -quarter(jsonLength(toolCalls))),
  ),
  mutant(
    25,
    'forgets-results',
    'It does not count results.',
    editEstimate(({ toolResults }) => -quarter(jsonLength(toolResults))),
  ),
];
