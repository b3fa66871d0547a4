/**
 * Cases of `tokens.turn` about what a response leads to. Source: the plan, Phase 1 and "Graceful Degradation"; its
 * fallback strategies.
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { conversation, say, toolTurn, turns } from './conversations.ts';
import { call, testsOf, tool } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.turn');

const string: JsonObject = { type: 'string' };

/** What turns may call: `write` needs two texts, `read` one. */
const tools: readonly JsonObject[] = [
  { ...tool('write', { path: string, content: string }, ['path', 'content']), output: 'written' },
  { ...tool('read', { path: string }, ['path']), output: 'what it says' },
];

const window: JsonObject = { maxTokens: 200_000, reserveTokens: 2000, warningThreshold: 0.8 };

/** A turn's input: the conversation, and what the provider answers, call by call. */
export const asking = (
  history: Json[],
  provider: readonly JsonObject[],
  config: JsonObject = window,
): JsonObject => ({
  history,
  config,
  tools: [...tools],
  provider: [...provider],
});

/** A response of the provider. */
export const responds = (
  stopReason: string,
  toolCalls: readonly JsonObject[] = [],
  more: JsonObject = {},
): JsonObject => ({
  response: { content: 'Here is what I think.', toolCalls: [...toolCalls], stopReason, ...more },
});

/** The provider fails. */
export const fails = (kind: string, more: JsonObject = {}): JsonObject => ({ error: { kind, ...more } });

/** What ends most turns. */
export const done: JsonObject = responds('end_turn');

const question: Json[] = [say('user', 'u1', 40)];

const write = (id: string): JsonObject => call(id, 'write', { path: '/a', content: 'x' });
const cut = (id: string): JsonObject => call(id, 'write', { path: '/a' });
const read = (id: string): JsonObject => call(id, 'read', { path: '/a' });

const running: readonly TokensTest[] = [
  test(
    'run-tool-use',
    'tool_use runs its calls, and goes on',
    14,
    asking(question, [responds('tool_use', [read('c1')]), done]),
    {
      runsTools: true,
      sends: { atLeast: 2 },
    },
  ),
  ...['end_turn', 'stop_sequence', 'refusal', 'content_filter'].map((reason) =>
    test(
      `run-not-${reason.replaceAll('_', '-')}`,
      `${reason} with calls that are pending`,
      14,
      asking(question, [responds(reason, [read('c1'), read('c2')])]),
      { runsTools: false, cancelled: ['c1', 'c2'] },
    ),
  ),
  test(
    'run-not-max-tokens',
    'max_tokens with a whole call',
    14,
    asking(question, [responds('max_tokens', [read('c1')])]),
    {
      runsTools: false,
      cancelled: ['c1'],
    },
  ),
];

const opened = (id: string, name: string, partial: string): JsonObject => ({ open: { id, name, partial } });

const open: readonly TokensTest[] = [
  test(
    'turn-open-repaired',
    'an open call, repaired until it is whole, is not heard of again',
    47,
    asking(question, [
      responds('max_tokens', [write('z')], opened('z', 'write', '{"path":"/a","content":"x')),
      done,
    ]),
    { without: ['z'], runsTools: false },
  ),
];

/** So many responses that the limit cut. */
const cutTimes = (n: number, text: string): readonly JsonObject[] =>
  Array.from({ length: n }, (_, i) => responds('max_tokens', [cut(`c${i}`)], { content: text }));

const differing: readonly TokensTest[] = [
  test('retry-differs', 'a call is dropped', 49, asking(question, [...cutTimes(1, 'I write it.'), done]), {
    differs: true,
  }),
  test(
    'retry-differs-no-text',
    'a call is dropped that came without text',
    49,
    asking(question, [...cutTimes(1, ''), done]),
    {
      differs: true,
    },
  ),
  test(
    'retry-differs-again',
    'and again, word for word',
    49,
    asking(question, [...cutTimes(2, 'I write it.'), done]),
    {
      differs: true,
    },
  ),
  test('retry-bounded', 'and again, for ever', 49, asking(question, cutTimes(24, 'I write it.')), {
    sends: { atLeast: 1, atMost: 20 },
    ends: 'stop',
  }),
];

const unknown: readonly TokensTest[] = [
  test(
    'stop-unknown',
    'a stop reason that nobody knows',
    40,
    asking(question, [responds('ran_out_of_ideas')]),
    {
      warns: 'unknown',
    },
  ),
  test(
    'stop-unknown-calls',
    'such a one with a call',
    40,
    asking(question, [responds('ran_out_of_ideas', [read('c1')])]),
    {
      warns: 'unknown',
      runsTools: false,
    },
  ),
];

const known: readonly TokensTest[] = ['max_output_tokens', 'context_window_exceeded'].map((reason) =>
  test(
    `stop-known-${reason.replaceAll('_', '-')}`,
    `${reason} is another spelling, and no unknown word`,
    40,
    asking(question, [responds(reason), done]),
    { silentOn: 'unknown' },
  ),
);

const sound: readonly TokensTest[] = [
  test('turn-sound-plain', 'a question and its answer', 48, asking(question, [done]), { sound: true }),
  test(
    'turn-sound-dropped',
    'a call is dropped, and there was no text',
    48,
    asking(question, [...cutTimes(1, ''), done]),
    {
      sound: true,
    },
  ),
  test(
    'turn-sound-space',
    'a call is dropped, and the text was white space',
    48,
    asking(question, [...cutTimes(1, ' \n'), done]),
    { sound: true },
  ),
  test(
    'turn-sound-some',
    'one call is dropped, and one survives',
    48,
    asking(question, [responds('max_tokens', [write('a'), cut('b')]), done]),
    { sound: true },
  ),
  test(
    'turn-sound-pending',
    'the turn ends with a call that did not run',
    48,
    asking(question, [responds('end_turn', [read('c1')], { content: '' })]),
    { sound: true },
  ),
  test(
    'turn-sound-empty',
    'the answer is empty',
    48,
    asking(question, [responds('end_turn', [], { content: '' })]),
    {
      sound: true,
    },
  ),
  test(
    'turn-sound-tools',
    'several calls, then a failure that ends the turn',
    48,
    asking(question, [responds('tool_use', [read('c1'), write('c2')]), fails('http', { status: 400 })]),
    { sound: true },
  ),
  test(
    'turn-sound-aborted',
    'the user gives up',
    48,
    asking(question, [responds('tool_use', [read('c1')]), fails('aborted')]),
    {
      sound: true,
    },
  ),
  test(
    'turn-sound-all',
    'a dropped call, an overflow, a tool, a cut text, after a long talk',
    48,
    asking(conversation(turns(1, 6, 800), toolTurn(7), turns(8, 20, 800), [say('user', 'u21')]), [
      ...cutTimes(1, ''),
      fails('overflow'),
      responds('tool_use', [read('c1')]),
      responds('max_tokens'),
    ]),
    { sound: true },
  ),
];

/** Tests of `tokens.turn` that are about responses. */
export const turnTests: readonly TokensTest[] = [
  ...running,
  ...unknown,
  ...known,
  ...open,
  ...sound,
  ...differing,
];
