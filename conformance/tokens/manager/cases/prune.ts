/**
 * Cases of `tokens.prune`. Source: the plan, Phase 3, "ConversationPruner". No two pruners need to cut alike: what must
 * stay, stays; what stays is a conversation; and what can go, goes as far as the limit demands.
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import {
  answering,
  calling,
  conversation,
  marksFrom,
  marksOf,
  say,
  toolTurn,
  turn,
  turns,
} from './conversations.ts';
import type { TokensTest } from './table.ts';
import { input, system, test, tidyTests } from './tidy.ts';
import { textTests } from './texts.ts';

const survives: readonly TokensTest[] = [
  test('keep-two', 'of eight turns the last two', 27, input(conversation(turns(1, 8)), 700, 2), {
    keeps: marksFrom(7, 8),
  }),
  test('keep-one', 'of eight turns the last', 27, input(conversation(turns(1, 8)), 400, 1), {
    keeps: marksFrom(8, 8),
  }),
  test('keep-four', 'of eight turns the last four', 27, input(conversation(turns(1, 8)), 900, 4), {
    keeps: marksFrom(5, 8),
  }),
  test(
    'keep-over',
    'three recent turns, though they exceed the limit',
    27,
    input(conversation(turns(1, 8)), 300, 3),
    {
      keeps: marksFrom(6, 8),
    },
  ),
  test('keep-system', 'the system message', 27, input(conversation([system], turns(1, 8)), 700, 2), {
    keeps: ['<s>', ...marksFrom(7, 8)],
  }),
  test(
    'keep-systems',
    'two system messages',
    27,
    input(conversation([system, say('system', 't', 80)], turns(1, 8)), 700, 2),
    { keeps: ['<s>', '<t>'] },
  ),
  test(
    'keep-tools',
    'the call of an old turn',
    27,
    input(conversation(turn(1), toolTurn(2), turns(3, 8)), 1200, 2),
    { keepsCalls: ['c2'] },
  ),
  test(
    'keep-tools-several',
    'the calls of two old turns, some of them side by side',
    27,
    input(conversation(toolTurn(1, ['c1', 'd1']), turns(2, 4), toolTurn(5), turns(6, 9)), 1500, 2),
    { keepsCalls: ['c1', 'd1', 'c5'] },
  ),
  test(
    'keep-recent-tools',
    'a recent turn with its calls',
    27,
    input(conversation(turns(1, 7), toolTurn(8)), 900, 2),
    { keeps: ['<u8>', '<k8>', '<a8>'], keepsCalls: ['c8'] },
  ),
];

const chain = conversation(
  [
    say('user', 'u2'),
    calling('k2', ['c1']),
    answering(['c1']),
    calling('l2', ['c2', 'c3']),
    answering(['c2', 'c3']),
  ],
  [say('assistant', 'a2')],
) as JsonObject[];

const together: readonly TokensTest[] = [
  test(
    'pair-old',
    'calls in old turns',
    28,
    input(conversation(toolTurn(1), toolTurn(2), turns(3, 8)), 1200, 2),
    {
      paired: true,
    },
  ),
  test('pair-recent', 'calls in the last turn', 28, input(conversation(turns(1, 7), toolTurn(8)), 700, 1), {
    paired: true,
  }),
  test(
    'pair-chain',
    'several calls one after the other',
    28,
    input(conversation(turn(1), chain, turns(3, 8)), 1200, 2),
    {
      paired: true,
    },
  ),
  test(
    'pair-tight',
    'a limit that nothing meets',
    28,
    input(conversation(toolTurn(1), toolTurn(2), toolTurn(3), turn(4)), 100, 1),
    { paired: true },
  ),
  test(
    'pair-same-ids',
    'ids that are used anew in each turn',
    28,
    input(conversation(toolTurn(1, ['c']), turns(2, 5), toolTurn(6, ['c']), turn(7)), 900, 2),
    { paired: true },
  ),
  test(
    'turns-whole',
    'turns go as a whole, and as many as the limit demands',
    28,
    input(conversation(turns(1, 8)), 700, 2),
    { wholeTurns: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [...marksOf(n)]), fits: true },
  ),
  test(
    'turns-whole-odd',
    'a limit in the middle of a turn',
    28,
    input(conversation([system], turns(1, 6)), 30 + 4 * 220 + 110, 2),
    { wholeTurns: [1, 2, 3, 4, 5, 6].map((n) => [...marksOf(n)]), fits: true },
  ),
  test(
    'turns-whole-long',
    'turns of several messages of the assistant and its tools',
    28,
    input(conversation(turn(1), turn(2, 1200), turn(3, 200), turns(4, 6)), 800, 2),
    { wholeTurns: [1, 2, 3, 4, 5, 6].map((n) => [...marksOf(n)]), fits: true },
  ),
];

const noOps: readonly TokensTest[] = [
  test('same-fits', 'all fits', 30, input(conversation(turns(1, 6)), 2000, 2), { unchanged: true }),
  test('same-exactly', 'all fits exactly', 30, input(conversation(turns(1, 6)), 6 * 220, 2), {
    unchanged: true,
  }),
  test(
    'same-few',
    'two turns of which four stay, over the limit',
    30,
    input(conversation(turns(1, 2)), 300, 4),
    {
      unchanged: true,
    },
  ),
  test('same-as-many', 'as many as stay, over the limit', 30, input(conversation(turns(1, 3)), 300, 3), {
    unchanged: true,
  }),
  test('same-one', 'one message', 30, input([say('user', 'u1')], 50, 1), { unchanged: true }),
  test('same-none', 'no messages', 30, input([], 100, 2), { unchanged: true }),
  test(
    'same-tools',
    'calls and a system message',
    30,
    input(conversation([system], toolTurn(1), turn(2)), 2000, 2),
    {
      unchanged: true,
    },
  ),
];

const sound: readonly TokensTest[] = [
  test(
    'sound-mixed',
    'old and recent calls, side by side and one after the other, and a system message',
    48,
    input(
      conversation([system], toolTurn(1, ['c1', 'd1']), turn(2), chain, turns(4, 7), toolTurn(8)),
      1000,
      2,
    ),
    { sound: true },
  ),
  test(
    'sound-tight',
    'a limit that nothing meets',
    48,
    input(conversation(turns(1, 3), toolTurn(4), turn(5)), 10, 1),
    { sound: true },
  ),
  test(
    'sound-long',
    'forty turns, every third with a call',
    48,
    input(
      conversation(
        ...Array.from({ length: 40 }, (_, i) =>
          i % 3 === 0 ? toolTurn(i + 1, [`c${i}`], 120) : turn(i + 1, 120),
        ),
      ),
      1500,
      3,
    ),
    { sound: true },
  ),
];

/** Tests of `tokens.prune`. */
export const pruneTests: readonly TokensTest[] = [
  ...survives,
  ...together,
  ...tidyTests,
  ...noOps,
  ...textTests,
  ...sound,
];
