/** Cases of `tokens.prune` about texts and results: what is cut, and which of several stays. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answering, calling, conversation, result, say, turns } from './conversations.ts';
import type { TokensTest } from './table.ts';
import { input, test } from './tidy.ts';

const emoji = '\u{1f600}';

/** A turn of emoji, from an offset that `start` moves: between two of them, a cut at any offset splits a pair. */
const emojiTurn = (n: number, start: string): readonly JsonObject[] => [
  say('user', `u${n}`),
  calling(`k${n}`, [`c${n}`]),
  answering([`c${n}`], Array.from({ length: 6 }, () => start + emoji.repeat(150)).join('\n')),
  { role: 'assistant', content: `<a${n}> ${start}${emoji.repeat(1000)}` },
];

const whole: readonly TokensTest[] = [
  test(
    'emoji-even',
    'results and answers of emoji, over the limit',
    37,
    input(conversation(emojiTurn(1, ''), emojiTurn(2, ''), turns(3, 5)), 900, 2),
    { whole: true },
  ),
  test(
    'emoji-odd',
    'the same, a unit further',
    37,
    input(conversation(emojiTurn(1, 'x'), emojiTurn(2, 'x'), turns(3, 5)), 901, 2),
    { whole: true },
  ),
  test(
    'emoji-one-line',
    'a result of one long line',
    37,
    input(
      conversation(
        [
          say('user', 'u1'),
          calling('k1', ['c1']),
          answering(['c1'], `y${emoji.repeat(4000)}`),
          say('assistant', 'a1'),
        ],
        turns(2, 5),
      ),
      900,
      2,
    ),
    { whole: true },
  ),
];

const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1} of what the tool found, in some words`);

const shortened: readonly TokensTest[] = [
  test(
    'lines-cut',
    'an old result of forty lines, over the limit',
    36,
    input(
      conversation(
        [
          say('user', 'u1'),
          calling('k1', ['c1']),
          answering(['c1'], lines.join('\n')),
          say('assistant', 'a1'),
        ],
        turns(2, 4),
      ),
      700,
      1,
    ),
    { shortens: { id: 'c1', lines: 3 } },
  ),
];

const failed = (id: string): JsonObject => result(id, 'failed for good', true);
const completed = (id: string): JsonObject => result(id, 'went well');

/** A recent turn with a call that has several results. */
const twice = (...toolResults: readonly JsonObject[]): Json[] =>
  conversation(turns(1, 7), [
    say('user', 'u8'),
    calling('k8', ['c8']),
    { role: 'user', content: '', toolResults: [...toolResults] },
    say('assistant', 'a8'),
  ]);

const duplicates: readonly TokensTest[] = [
  test(
    'twice-failed-last',
    'completed, then failed: failed stays',
    39,
    input(twice(completed('c8'), failed('c8')), 900, 2),
    {
      oneResult: { id: 'c8', isError: true },
    },
  ),
  test(
    'twice-failed-first',
    'failed, then completed: failed stays',
    39,
    input(twice(failed('c8'), completed('c8')), 900, 2),
    {
      oneResult: { id: 'c8', isError: true },
    },
  ),
  test(
    'twice-completed',
    'twice completed: one of them',
    39,
    input(twice(completed('c8'), completed('c8')), 900, 2),
    {
      oneResult: { id: 'c8', isError: false },
    },
  ),
];

/** Tests of texts and results. */
export const textTests: readonly TokensTest[] = [...shortened, ...whole, ...duplicates];
