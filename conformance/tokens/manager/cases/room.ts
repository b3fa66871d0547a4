/** Cases of `tokens.turn` about room and failure: budgets, overflow, retries. Source: the plan, Phase 2, "Agent Integration". */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { conversation, say, turns } from './conversations.ts';
import { call, testsOf } from './table.ts';
import type { TokensTest } from './table.ts';
import { asking, done, fails, responds } from './turn.ts';

const test = testsOf('tokens.turn');

const question: Json[] = [say('user', 'u1', 40)];

/** 900 tokens for a conversation: 1000, of which 100 are kept. */
const tight: JsonObject = { maxTokens: 1000, reserveTokens: 100, warningThreshold: 0.8 };
const refused: JsonObject = { sends: { atMost: 0 }, warns: 'budget', ends: 'stop' };

const read = responds('tool_use', [call('c1', 'read', { path: '/a' })]);
const readWith = (usage: JsonObject, id = 'c1'): JsonObject =>
  responds('tool_use', [call(id, 'read', { path: '/a' })], { usage });

const budgets: readonly TokensTest[] = [
  // 10 + ceil(2760 / 4) = 700, and 200 are 900.
  test(
    'budget-fits',
    'estimate + 200 is what there is',
    24,
    asking([say('user', 'u1', 2760)], [done], tight),
    {
      sends: { atLeast: 1, atMost: 1 },
    },
  ),
  test('budget-one-over', 'one token more', 24, asking([say('user', 'u1', 2761)], [done], tight), refused),
  test(
    'budget-far-over',
    'ten times what there is',
    24,
    asking([say('user', 'u1', 40_000)], [done], tight),
    refused,
  ),
  test(
    'budget-long-talk',
    'a talk of many turns: cut until it fits, or not sent',
    24,
    asking(conversation(turns(1, 8), [say('user', 'u9')]), [done], tight),
    { sendsFit: true },
  ),
  test(
    'budget-used-up',
    'a response uses what there is: nothing is sent after it',
    24,
    asking(question, [readWith({ inputTokens: 880, outputTokens: 10 }), done], tight),
    { sends: { atLeast: 1, atMost: 1 }, warns: 'budget' },
  ),
];

/** A talk that compacting makes much smaller: what the assistant said is long, what the user said is short. */
const talk = (n: number): Json[] =>
  conversation(
    ...Array.from({ length: n }, (_, i) => [
      say('user', `u${i + 1}`, 40),
      say('assistant', `a${i + 1}`, 1200),
    ]),
    [say('user', `u${n + 1}`, 40)],
  );

const overflow = fails('overflow');

const overflows: readonly TokensTest[] = [
  test(
    'overflow-error',
    'the prompt is too long: compact, and again',
    45,
    asking(talk(24), [overflow, done]),
    {
      compacts: true,
      sends: { atMost: 2 },
    },
  ),
  test(
    'overflow-stop',
    'the response ran out of window: compact, and again',
    45,
    asking(talk(24), [responds('context_window'), done]),
    { compacts: true, sends: { atMost: 2 } },
  ),
  test(
    'overflow-twice',
    'at most twice',
    45,
    asking(talk(24), [overflow, overflow, overflow, overflow, overflow]),
    {
      compacts: true,
      sends: { atMost: 3 },
      compactions: 2,
    },
  ),
  test(
    'overflow-mixed',
    'of either kind',
    45,
    asking(talk(24), [overflow, responds('context_window'), overflow, responds('context_window'), done]),
    { compacts: true, sends: { atMost: 3 }, compactions: 2 },
  ),
];

const http = (status: number, more: JsonObject = {}): JsonObject => fails('http', { status, ...more });

const again: readonly TokensTest[] = [
  test('retry-network', 'the network', 44, asking(question, [fails('network'), done]), { retries: true }),
  ...[408, 429, 500, 502, 503, 504, 529].map((status) =>
    test(`retry-${status}`, `status ${status}`, 44, asking(question, [http(status), done]), {
      retries: true,
    }),
  ),
  test(
    'retry-twice',
    'two failures of different kinds',
    44,
    asking(question, [fails('network'), http(503), done]),
    {
      retries: true,
      sends: { atLeast: 3 },
    },
  ),
  ...[400, 401, 403, 404, 422].map((status) =>
    test(`retry-not-${status}`, `status ${status}`, 44, asking(question, [http(status), done]), {
      retries: false,
    }),
  ),
  test('retry-not-aborted', 'an abort', 44, asking(question, [fails('aborted'), done]), { retries: false }),
  test('retry-not-stream', 'a stream that had begun', 44, asking(question, [fails('stream'), done]), {
    retries: false,
  }),
  test(
    'retry-not-after-tool',
    'an abort after a tool ran',
    44,
    asking(question, [read, fails('aborted'), done]),
    {
      sends: { atLeast: 2, atMost: 2 },
    },
  ),
];

const many = (failure: JsonObject, n: number): readonly JsonObject[] =>
  Array.from({ length: n }, () => failure);

/** min(1 s * 2^(n-1), 30 s). */
const waits: Json = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000];

const delays: readonly TokensTest[] = [
  test('delay-first', 'one failure', 43, asking(question, [fails('network'), done]), { delays: [1000] }),
  test('delay-doubles', 'four failures', 43, asking(question, [...many(http(503), 4), done]), {
    delays: waits,
  }),
  test('delay-capped', 'seven failures', 43, asking(question, [...many(fails('network'), 7), done]), {
    delays: waits,
  }),
  test('delay-attempts', 'failures without end: ten attempts', 43, asking(question, many(http(500), 14)), {
    delays: waits,
    // Ten attempts, or a first one and ten more: "retry at most 10 attempts" can be read as either.
    sends: { atMost: 11 },
  }),
  test(
    'delay-hint',
    'the provider says when',
    43,
    asking(question, [http(429, { retryAfter: 7000 }), done]),
    {
      delays: [7000],
    },
  ),
  test(
    'delay-hint-long',
    'it says later than 30 s',
    43,
    asking(question, [http(429, { retryAfter: 60_000 }), done]),
    {
      delays: [60_000],
    },
  ),
  test(
    'delay-hint-short',
    'it says sooner than usual, at the third failure',
    43,
    asking(question, [http(503), http(503), http(503, { retryAfter: 500 }), done]),
    { delays: [1000, 2000, 500] },
  ),
];

/** Of 200000 tokens. Less than 60 s pass in a turn: its tools take no time. */
const eighty: JsonObject = { inputTokens: 100_000, outputTokens: 60_000 };
const more: JsonObject = { inputTokens: 1, outputTokens: 0 };

const advised: readonly TokensTest[] = [
  test(
    'compact-advised',
    'more than 80 % are used: compacted before the next request',
    33,
    asking(talk(24), [readWith({ inputTokens: 100_000, outputTokens: 60_001 }), done]),
    { compacts: true },
  ),
  test(
    'compact-not-advised',
    'exactly 80 % are used: not yet',
    33,
    asking(talk(24), [readWith(eighty), done]),
    {
      compactions: 0,
    },
  ),
  test(
    'compact-cooldown',
    'and not again within 60 s',
    33,
    asking(talk(24), [
      readWith(eighty),
      readWith(more, 'c2'),
      readWith(more, 'c3'),
      readWith(more, 'c4'),
      done,
    ]),
    { compactions: 1 },
  ),
];

const last: readonly TokensTest[] = [
  test(
    'compact-keeps',
    'all that the user said, and the last two others',
    34,
    asking(talk(24), [overflow, done]),
    {
      compactedKeeps: [...Array.from({ length: 25 }, (_, i) => `<u${i + 1}>`), '<a23>', '<a24>'],
    },
  ),
];

/** Tests of `tokens.turn` that are about room and failures. */
export const roomTests: readonly TokensTest[] = [
  ...budgets,
  ...overflows,
  ...again,
  ...delays,
  ...advised,
  ...last,
];
