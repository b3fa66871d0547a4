/** Streams of OpenAI Chat Completions that end well: text, framing, calls, finish reasons and usage; and random ones. */
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import type { Drawn } from './draw.ts';
import { randomCases } from './random.ts';
import { openaiChatEnds } from './openai-chat-ends.ts';
import {
  begun,
  call,
  chunk,
  counts,
  delta,
  done,
  end,
  finish,
  more,
  role,
  says,
} from './openai-chat-wire.ts';
import { casesOf, vectorFile } from './table.ts';

const cases = casesOf('openai-chat');
const { valid } = cases;

const hello = role + says('Hel', 'lo') + end('stop');
const greeting = { content: 'Hello', stop: 'end_turn' } as const;

/** Lines end in CRLF, LF or CR; a line that begins with a colon is a comment. Source: HTML, 9.2.6. */
const texts: readonly Vector[] = [
  valid('text', 'a text in two pieces', 'C11', hello, {
    ...greeting,
    usage: { inputTokens: 20, outputTokens: 8 },
  }),
  valid('text-empty', 'a response without text', 'C11', role + end('stop'), { stop: 'end_turn' }),
  valid(
    'text-no-usage',
    'no usage was asked for',
    'C11',
    (role + says('Hi') + finish('stop') + done).replaceAll(',"usage":null', ''),
    { content: 'Hi', stop: 'end_turn' },
  ),
  valid(
    'text-unicode',
    'characters of one to four bytes, a separator that is no line end here, and escapes',
    'C11',
    role +
      says('na\u00efve \u20ac ', '\u{1f600} \u2028 e\u0301') +
      delta('{"content":" \\u00e9 \\ud83d\\ude00 \\n\\"\\\\"}') +
      end('stop'),
    {
      content: 'na\u00efve \u20ac \u{1f600} \u2028 e\u0301 \u00e9 \u{1f600} \n"\\',
      stop: 'end_turn',
    },
  ),
  valid('text-done', 'a text that says [DONE]', 'C11', role + says('data: [DONE]', '[DONE]') + end('stop'), {
    content: 'data: [DONE][DONE]',
    stop: 'end_turn',
  }),
  valid('lines-crlf', 'lines that end in CRLF', 'C11', hello.replaceAll('\n', '\r\n'), greeting),
  valid('lines-cr', 'lines that end in CR', 'C11', hello.replaceAll('\n', '\r'), greeting),
  valid(
    'lines-no-space',
    'no space after the colons of fields',
    'C11',
    hello.replaceAll('data: ', 'data:'),
    greeting,
  ),
  valid(
    'comments',
    'comments before and between chunks',
    'C12',
    `: OPENROUTER PROCESSING\n\n${hello.replaceAll('data:', ':\ndata:')}`,
    greeting,
  ),
  valid(
    'unknown-fields',
    'fields that nobody knows, in chunks, choices and deltas, and padding',
    'C12',
    hello
      .replaceAll('{"id"', '{"x_new":{"a":[1]},"obfuscation":"aB3","id"')
      .replaceAll('"delta":{"', '"x_new":1,"delta":{"x_new":[],"'),
    greeting,
  ),
  valid(
    'unknown-choices',
    'a chunk without choices before the first, and one with an empty delta',
    'C12',
    chunk('') + role + delta('{}') + says('Hello') + end('stop'),
    greeting,
  ),
  valid(
    'thinking',
    'thoughts of compatible servers stand beside the text',
    'C14',
    role +
      delta('{"reasoning_content":"Let me "}') +
      delta('{"reasoning_content":"see."}') +
      says('42') +
      end('stop'),
    {
      content: '42',
      stop: 'end_turn',
      thinking: [{ text: 'Let me see.' }],
    },
  ),
  valid('reset-after-end', 'the connection is reset behind [DONE]', 'C06', hello, {
    ...greeting,
    ended: 'reset',
  }),
];

const one = ['call_1', 'get', { n: 1 }] as const;
const two = ['call_2', 'get', { n: 2 }] as const;

/** "First delta has index, id, name; later ones only `index` and `arguments`." */
const calls: readonly Vector[] = [
  valid(
    'tool',
    'text, then a call',
    'C11',
    role + says('Looking.') + call(0, 'call_1', 'get_weather', '{"city"', ':"Os', 'lo"}') + end('tool_calls'),
    {
      content: 'Looking.',
      calls: [['call_1', 'get_weather', { city: 'Oslo' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-at-once',
    'a call in one delta',
    'C11',
    role + begun(0, 'call_1', 'get', '{"n":1}') + end('tool_calls'),
    { calls: [one], stop: 'tool_use' },
  ),
  valid(
    'tool-nested',
    'arguments with nested values and escapes',
    'C11',
    role +
      call(0, 'call_1', 'write', '{"a":{"b":[1,-2.5,tr', 'ue,null]},"s":"}\\', '"]\\n\\u00e9\u{1f600}"}') +
      end('tool_calls'),
    {
      calls: [['call_1', 'write', { a: { b: [1, -2.5, true, null] }, s: '}"]\n\u00e9\u{1f600}' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-parallel',
    'two calls, one after the other',
    'C17',
    role +
      call(0, 'call_1', 'get', '{"n":', '1}') +
      call(1, 'call_2', 'get', '{"n":', '2}') +
      end('tool_calls'),
    { calls: [one, two], stop: 'tool_use' },
  ),
  valid(
    'tool-interleaved',
    'two calls, piece by piece in turn',
    'C17',
    role +
      begun(0, 'call_1', 'get') +
      begun(1, 'call_2', 'get') +
      more(0, '{"n"') +
      more(1, '{"n"') +
      more(1, ':2') +
      more(0, ':1', '}') +
      more(1, '}') +
      end('tool_calls'),
    { calls: [one, two], stop: 'tool_use' },
  ),
  valid(
    'tool-one-chunk',
    'pieces of two calls in one chunk',
    'C17',
    role +
      begun(0, 'call_1', 'get') +
      begun(1, 'call_2', 'get') +
      delta(
        '{"tool_calls":[{"index":1,"function":{"arguments":"{\\"n\\":2}"}},{"index":0,"function":{"arguments":"{\\"n\\":1}"}}]}',
      ) +
      end('tool_calls'),
    { calls: [one, two], stop: 'tool_use' },
  ),
  valid(
    'tool-empty-object',
    'a call whose arguments are {}',
    'C11',
    role + call(0, 'call_1', 'now', '{}') + end('tool_calls'),
    { calls: [['call_1', 'now', {}]], stop: 'tool_use' },
  ),
  valid(
    'tool-says-stop',
    'a whole call, and the reason stop',
    'C11',
    role + call(0, 'call_1', 'get', '{"n":1}') + end('stop'),
    { calls: [one] },
  ),
  valid(
    'number-2-53',
    'the largest integers that every reader keeps',
    'C20',
    role + call(0, 'call_1', 'get', '{"id":9007199254740991,"neg":-9007199254740991}') + end('tool_calls'),
    {
      calls: [['call_1', 'get', { id: 9007199254740991, neg: -9007199254740991 }]],
      stop: 'tool_use',
    },
  ),
];

const stops: readonly Vector[] = (
  [
    ['length', 'max_tokens', 'C04'],
    ['content_filter', 'content_filter', 'C18'],
    ['some_new_reason', 'unknown', 'C18'],
  ] as const
).map(([word, stopReason, row]) =>
  valid(
    `stop-${word.replaceAll('_', '-')}`,
    `a text that ends with ${word}`,
    row,
    role + says('Hi') + end(word),
    { content: 'Hi', stop: stopReason },
  ),
);

/** Usage stands in a chunk of its own, and its prompt tokens hold what a cache held. */
const usage: readonly Vector[] = [
  valid(
    'usage-details',
    'tokens of a cache and of thoughts',
    'C11',
    role +
      says('Hi') +
      finish('stop') +
      counts(
        '{"prompt_tokens":120,"completion_tokens":30,"total_tokens":150,"prompt_tokens_details":{"cached_tokens":100,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":22}}',
      ) +
      done,
    {
      content: 'Hi',
      stop: 'end_turn',
      usage: { inputTokens: 20, outputTokens: 30, cacheReadTokens: 100, thinkingTokens: 22 },
    },
  ),
];

/** A drawn generation on the wire; the pieces of its calls come in turn. */
function wireOf({ text, calls: made, outcome }: Drawn): string {
  const turns = Math.max(0, ...made.map(({ pieces }) => pieces.length));
  const pieces = Array.from({ length: turns }, (_, turn) =>
    made.map(({ pieces: each }, i) => more(i, ...each.slice(turn, turn + 1))).join(''),
  );
  const words: Readonly<Record<string, string>> = { max_tokens: 'length', tool_use: 'tool_calls' };
  const starts = made.map(({ id, name }, i) => begun(i, id, name));
  return role + says(...text) + starts.join('') + pieces.join('') + end(words[outcome.stop ?? ''] ?? 'stop');
}

/** The vectors of OpenAI Chat Completions. */
export const openaiChatCases = (seed: string, source: Random): VectorFile =>
  vectorFile('openai-chat', seed, [
    ...texts,
    ...calls,
    ...stops,
    ...usage,
    ...openaiChatEnds,
    ...randomCases(cases, seed, source, wireOf),
  ]);
