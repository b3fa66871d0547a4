/** Cases of `tokens.budget`. Source: the plan, Phase 2, "TokenBudgetManager"; numbers as tokens managers publish them. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { testsOf } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.budget');

/** 10000 tokens, of which 500 are kept for the answer; near the limit from 80 %. */
const budget = (used: number, more: JsonObject = {}, ask: JsonObject = {}): JsonObject => ({
  config: { maxTokens: 10_000, reserveTokens: 500, warningThreshold: 0.8, ...more },
  usages: used === 0 ? [] : [spent(used)],
  ask,
});

/** So many tokens, in the plan's words. */
const spent = (inputTokens: number, outputTokens = 0): JsonObject => ({ inputTokens, outputTokens });

/** As published: a total beside its two parts. */
const published = (totalTokens: number, promptTokens = 0, completionTokens = 0): JsonObject => ({
  promptTokens,
  completionTokens,
  totalTokens,
});

const available: readonly TokensTest[] = (
  [
    ['unused', 'nothing used: max - reserve', 0, {}, 9500],
    ['some', 'max - reserve - used', 4000, {}, 5500],
    ['last', 'one token left', 9499, {}, 1],
    ['none', 'exactly none left', 9500, {}, 0],
    ['over', 'more used than there is: never below 0', 20_000, {}, 0],
    ['reserve-all', 'a reserve as large as all', 0, { reserveTokens: 10_000 }, 0],
    ['reserve-more', 'a reserve larger than all', 0, { reserveTokens: 12_000 }, 0],
    ['reserve-none', 'no reserve', 4000, { reserveTokens: 0 }, 6000],
    ['window-none', 'no window at all', 0, { maxTokens: 0, reserveTokens: 0 }, 0],
  ] as const
).map(([id, what, used, more, left]) =>
  test(`available-${id}`, what, 15, budget(used, more), { available: left }),
);

const fits: readonly TokensTest[] = (
  [
    ['exactly', 'an estimate of exactly what is available', 4000, 5500, true],
    ['one-more', 'one more than that', 4000, 5501, false],
    ['nothing', 'nothing fits always', 9500, 0, true],
    ['one-of-none', 'one token where none is left', 9500, 1, false],
    ['small', 'a small one', 0, 10, true],
    ['in-reserve', 'what only the reserve could take', 0, 9600, false],
  ] as const
).map(([id, what, used, ask, fit]) =>
  test(`fits-${id}`, what, 16, budget(used, {}, { fits: ask }), { fits: fit }),
);

/** Each list of usages with the sum that it makes. */
const sums: readonly (readonly [
  id: string,
  what: string,
  usages: readonly (JsonObject | null)[],
  used: number,
])[] = [
  ['none', 'no response yet', [], 0],
  ['plan', 'in the words of the plan', [spent(100, 20)], 120],
  ['plan-several', 'several of them', [spent(100, 20), spent(200, 30), spent(0, 7)], 357],
  ['total', 'a total, which is believed', [published(150, 100, 20)], 150],
  ['total-alone', 'a total alone', [{ totalTokens: 75 }], 75],
  ['total-zero', 'a total of 0 falls back to its parts', [published(0, 100, 20)], 120],
  ['total-absent', 'so does none', [{ promptTokens: 40, completionTokens: 2 }], 42],
  ['both-words', 'both words in one run', [spent(10, 5), published(30, 20, 10)], 45],
  ['negative-total', 'a negative total, and nothing else', [{ totalTokens: -50 }], 0],
  ['negative-parts', 'negative parts', [published(0, -3, -4)], 0],
  ['negative-plan', 'negative counts in the words of the plan', [spent(-10, -20)], 0],
  ['negative-after', 'a negative one takes nothing away', [spent(500, 100), { totalTokens: -300 }], 600],
  ['without', 'a response without usage', [spent(100, 20), null, spent(1, 1)], 122],
];

const used: readonly TokensTest[] = sums.map(([id, what, usages, sum]) =>
  test(`used-${id}`, what, 17, { ...budget(0), usages: [...usages] }, { used: sum }),
);

const ratios: readonly TokensTest[] = (
  [
    ['none', 'nothing used', budget(0), 0],
    ['quarter', 'a quarter', budget(2500), 0.25],
    ['all', 'all', budget(10_000), 1],
    ['over', 'more than all', budget(15_000), 1.5],
    ['of-max', 'of max, whatever the reserve is', budget(5000, { reserveTokens: 5000 }), 0.5],
    ['zero-max', 'a max of 0 counts as 1', budget(3, { maxTokens: 0, reserveTokens: 0 }), 3],
    ['zero-of-zero', 'nothing of 0', budget(0, { maxTokens: 0, reserveTokens: 0 }), 0],
  ] as const
).map(([id, what, input, ratio]) => test(`ratio-${id}`, what, 18, input, { ratio }));

const near: readonly TokensTest[] = (
  [
    ['below', 'one token below the threshold', budget(7999), false],
    ['at', 'exactly at it', budget(8000), true],
    ['above', 'above it', budget(8001), true],
    ['half-below', 'below one half', budget(4999, { warningThreshold: 0.5 }), false],
    ['half-at', 'at one half', budget(5000, { warningThreshold: 0.5 }), true],
    ['late', 'a threshold of 0.95', budget(9400, { warningThreshold: 0.95 }), false],
    ['over', 'more than all', budget(12_000), true],
  ] as const
).map(([id, what, input, is]) => test(`near-${id}`, what, 19, input, { near: is }));

/** What is not said: both readings of the default reserve give 500 of 10000 (5 %, and the number of the plan). */
const unsaid = (used: number, config: JsonObject): JsonObject => ({ ...budget(used), config });

const defaults: readonly TokensTest[] = [
  test(
    'default-reserve',
    'no reserve said: 500 of 10000',
    20,
    unsaid(0, { maxTokens: 10_000, warningThreshold: 0.8 }),
    {
      available: 9500,
    },
  ),
  test(
    'default-threshold-below',
    'no threshold said: 79 %',
    20,
    unsaid(7900, { maxTokens: 10_000, reserveTokens: 500 }),
    {
      near: false,
    },
  ),
  test(
    'default-threshold-above',
    'no threshold said: 81 %',
    20,
    unsaid(8100, { maxTokens: 10_000, reserveTokens: 500 }),
    {
      near: true,
    },
  ),
  test('configured-reserve', 'a reserve that is said', 20, budget(0, { reserveTokens: 1234 }), {
    available: 8766,
  }),
  test('configured-threshold', 'a threshold that is said', 20, budget(3100, { warningThreshold: 0.3 }), {
    near: true,
  }),
];

const silent = { summarize: false, prune: false };

const calm: readonly TokensTest[] = (
  [
    ['unused', 'nothing used', budget(0), 9500],
    ['below', 'just below the threshold', budget(7999), 1501],
    ['above-seven', '75 %, below a threshold of 80 %', budget(7500), 2000],
    ['late-threshold', '85 %, below a threshold of 90 %', budget(8500, { warningThreshold: 0.9 }), 1000],
  ] as const
).map(([id, what, input, maxRequestSize]) =>
  test(`calm-${id}`, what, 21, input, { ...silent, maxRequestSize }),
);

const early = { warningThreshold: 0.5 };

const advised: readonly TokensTest[] = [
  test('advice-60', '60 %: neither', 22, budget(6000, early), silent),
  test('advice-70', 'exactly 70 %: not yet', 22, budget(7000, early), silent),
  test('advice-71', 'just above 70 %: summarize', 22, budget(7001, early), { summarize: true, prune: false }),
  test('advice-80', 'exactly 80 %: summarize, and do not prune', 22, budget(8000), {
    summarize: true,
    prune: false,
  }),
  test('advice-81', 'just above 80 %: both', 22, budget(8001), { summarize: true, prune: true }),
  test('advice-over', 'more than all: both', 22, budget(12_000), { summarize: true, prune: true }),
  test('size-tenth', 'a tenth of max, where more is available', 22, budget(6000, early), {
    maxRequestSize: 1000,
  }),
  test('size-available', 'what is available, where that is less', 22, budget(9000), { maxRequestSize: 500 }),
  test('size-floor', 'a tenth of 9999 is 999', 22, budget(5000, { ...early, maxTokens: 9999 }), {
    maxRequestSize: 999,
  }),
  test('size-none', 'nothing is available', 22, budget(9800), { maxRequestSize: 0 }),
];

const warning = (percent: number): JsonObject => ({ warns: { code: 'near-limit', percent } });
const scarce: JsonObject = { warns: { code: 'scarce' } };
const quiet: JsonObject = { warns: 'none' };

const warnings: readonly TokensTest[] = [
  test('warn-below', 'below the threshold', 23, budget(7999), quiet),
  test('warn-at', 'at the threshold', 23, budget(8000), warning(80)),
  test('warn-rounds-down', '81.4 %', 23, budget(8140), warning(81)),
  test('warn-rounds-up', '85.6 %', 23, budget(8560), warning(86)),
  test('warn-early', 'a threshold of 50 %', 23, budget(5030, early), warning(50)),
  test('warn-fifty-left', '50 tokens left', 23, budget(9450), { warns: { code: 'near-limit' } }),
  test('warn-scarce', '49 tokens left', 23, budget(9451), scarce),
  test('warn-none-left', 'none left', 23, budget(9500), scarce),
  test('warn-over', 'more than all', 23, budget(12_000), scarce),
];

/** Tests of `tokens.budget`. */
export const budgetTests: readonly TokensTest[] = [
  ...available,
  ...fits,
  ...used,
  ...ratios,
  ...near,
  ...defaults,
  ...calm,
  ...advised,
  ...warnings,
];
