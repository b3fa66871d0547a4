/** Cases of `tokens.estimate` (TOK-25): ceil(UTF-16 length / 4) + 10 a message; calls and results count by their JSON. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { call, testsOf } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.estimate');

const said = (...contents: readonly string[]): JsonObject => ({
  messages: contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
});

/** Several messages are of a multiple of 4 each: whether each is rounded up or their sum is not for this suite to say. */
const texts: readonly (readonly [id: string, what: string, input: JsonObject, tokens: number])[] = [
  ['no-messages', 'no messages', said(), 0],
  ['empty', 'an empty text', said(''), 10],
  ['one', 'one character', said('a'), 11],
  ['four', 'four of them', said('abcd'), 11],
  ['five', 'five of them', said('abcde'), 12],
  ['thousand', '1000 characters', said('x'.repeat(1000)), 260],
  ['long', '40001 characters', said('y'.repeat(40_001)), 10_011],
  ['umlauts', 'eight characters of one unit and two bytes', said('\u00e4'.repeat(8)), 12],
  ['emoji', 'four characters of two units and four bytes', said('\u{1f600}'.repeat(4)), 12],
  ['emoji-odd', 'three characters of two units', said('\u{1f600}'.repeat(3)), 12],
  ['two', 'two messages', said('abcd', 'abcdefgh'), 23],
  ['five-messages', 'five messages', said('abcd', 'abcd', 'abcd', 'abcd', 'abcd'), 55],
  [
    'system',
    'a system message counts as any other',
    { messages: [{ role: 'system', content: 'abcdefgh' }] },
    12,
  ],
];

/**
 * The JSON of a call has its id, name and input, in a list or alone; so much of it at least, and so much more at most
 * as those names and one list take.
 */
const between = (least: number): Json => ({ tokens: { atLeast: least, atMost: least + 25 } });

const big = 'z'.repeat(4000);

const tools: readonly TokensTest[] = [
  test(
    'estimate-call',
    'a call whose input is a text of 4000 characters',
    25,
    { messages: [{ role: 'assistant', content: '', toolCalls: [call('c1', 'write', { text: big })] }] },
    between(10 + 1000) as JsonObject,
  ),
  test(
    'estimate-result',
    'a result of 4000 characters',
    25,
    { messages: [{ role: 'user', content: '', toolResults: [{ id: 'c1', content: big, isError: false }] }] },
    between(10 + 1000) as JsonObject,
  ),
  test(
    'estimate-escaped',
    'a result of 1000 line ends, each of which is two characters of JSON',
    25,
    {
      messages: [
        {
          role: 'user',
          content: '',
          toolResults: [{ id: 'c1', content: '\n'.repeat(1000), isError: false }],
        },
      ],
    },
    between(10 + 500) as JsonObject,
  ),
  test(
    'estimate-text-and-call',
    'a text and a call of 400 characters each',
    25,
    {
      messages: [
        { role: 'assistant', content: 'x'.repeat(400), toolCalls: [call('c1', 'w', { t: 'z'.repeat(400) })] },
      ],
    },
    between(10 + 200) as JsonObject,
  ),
];

/** Tests of `tokens.estimate`. */
export const estimateTests: readonly TokensTest[] = [
  ...texts.map(([id, what, input, tokens]) => test(`estimate-${id}`, what, 25, input, { tokens })),
  ...tools,
];
