/** Streams of Ollama: here text, calls, which come whole in one line, and stop reasons; and random ones. */
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import type { Drawn } from './draw.ts';
import { randomCases } from './random.ts';
import { ollamaEnds } from './ollama-ends.ts';
import { call, end, line, says } from './ollama-wire.ts';
import { casesOf, flagged, vectorFile } from './table.ts';

const cases = casesOf('ollama');
const { valid } = cases;

const hello = says('Hel', 'lo') + end('stop');
const greeting = { content: 'Hello', stop: 'end_turn' } as const;
const first = call('call_1', 0, 'get', '{"n":1}');
const whole = ['call_1', 'get', { n: 1 }] as const;

const texts: readonly Vector[] = [
  valid('text', 'a text in two lines', 'C11', hello, {
    ...greeting,
    usage: { inputTokens: 26, outputTokens: 9 },
  }),
  valid('text-empty', 'nothing but the last line', 'C11', end('stop'), { stop: 'end_turn' }),
  valid(
    'text-last',
    'the last line has content of its own',
    'C11',
    says('Hel') + end('stop').replace('"content":""', '"content":"lo"'),
    greeting,
  ),
  valid(
    'text-unicode',
    'characters of one to four bytes, separators that end no line, and escapes',
    'C11',
    says('na\u00efve \u20ac ', '\u{1f600} \u2028\u0085 e\u0301') +
      line('"content":" \\u00e9 \\ud83d\\ude00 \\n\\"\\\\"') +
      end('stop'),
    {
      content: 'na\u00efve \u20ac \u{1f600} \u2028\u0085 e\u0301 \u00e9 \u{1f600} \n"\\',
      stop: 'end_turn',
    },
  ),
  valid('lines-crlf', 'lines that end in CRLF', 'C11', hello.replaceAll('\n', '\r\n'), greeting),
  valid('lines-empty', 'empty lines between the lines', 'C11', hello.replaceAll('\n', '\n\n'), greeting),
  valid('lines-last', 'the last line has no line end', 'C11', hello.slice(0, -1), greeting),
  valid(
    'unknown-fields',
    'fields that nobody knows',
    'C12',
    hello.replaceAll('{"model"', '{"x_new":{"a":[1]},"model"').replaceAll('"role"', '"x_role":null,"role"'),
    greeting,
  ),
  valid(
    'thinking',
    'a thought, then text',
    'C14',
    line('"content":"","thinking":"Let me "') +
      line('"content":"","thinking":"see."') +
      says('42') +
      end('stop'),
    {
      content: '42',
      stop: 'end_turn',
      thinking: [{ text: 'Let me see.' }],
    },
  ),
  valid('reset-after-end', 'the connection is reset behind the last line', 'C06', hello, {
    ...greeting,
    ended: 'reset',
  }),
  valid(
    'stop-absent',
    'the last line has no done_reason: done is the terminal all the same',
    'C06',
    says('Hi') + end('stop').replace(',"done_reason":"stop"', ''),
    { content: 'Hi' },
  ),
  valid(
    'usage-no-prompt',
    'a count of zero is left out: the prompt was in the cache',
    'C11',
    says('Hi') + end('stop', '"eval_count":9'),
    {
      content: 'Hi',
      stop: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 9 },
    },
  ),
];

/** "Whole call in one line … then stop"; there is no word for tools. */
const calls: readonly Vector[] = [
  valid(
    'tool',
    'text, then a call',
    'C11 C18',
    says('Looking.') + call('call_1', 0, 'get_weather', '{"city":"Oslo"}') + end('stop'),
    {
      content: 'Looking.',
      calls: [['call_1', 'get_weather', { city: 'Oslo' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-nested',
    'arguments with nested values and escapes',
    'C11',
    call('call_1', 0, 'write', '{"a":{"b":[1,-2.5,true,null]},"s":"}\\"]\\n\\u00e9"}') + end('stop'),
    {
      calls: [['call_1', 'write', { a: { b: [1, -2.5, true, null] }, s: '}"]\n\u00e9' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-parallel',
    'calls in two lines',
    'C17',
    first + call('call_2', 1, 'get', '{"n":2}') + end('stop'),
    {
      calls: [whole, ['call_2', 'get', { n: 2 }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-parallel-line',
    'two calls in one line',
    'C17',
    line(
      '"content":"","tool_calls":[{"id":"call_1","function":{"index":0,"name":"get","arguments":{"n":1}}},{"id":"call_2","function":{"index":1,"name":"get","arguments":{"n":2}}}]',
    ) + end('stop'),
    {
      calls: [whole, ['call_2', 'get', { n: 2 }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-empty-object',
    'a call whose arguments are {}',
    'C11',
    call('call_1', 0, 'now', '{}') + end('stop'),
    { calls: [['call_1', 'now', {}]], stop: 'tool_use' },
  ),
  valid(
    'number-2-53',
    'the largest integer that every reader keeps',
    'C20',
    call('call_1', 0, 'get', '{"id":9007199254740991}') + end('stop'),
    {
      calls: [['call_1', 'get', { id: 9007199254740991 }]],
      stop: 'tool_use',
    },
  ),
  ...flagged('exact-numbers', [
    valid(
      'number-beyond',
      'an integer that a double changes',
      'C20',
      call('call_1', 0, 'get', '{"id":9007199254740993}') + end('stop'),
      {},
    ),
  ]),
];

const stops: readonly Vector[] = (
  [
    ['length', 'max_tokens', 'C04'],
    ['load', 'end_turn', 'C18'],
    ['unload', 'end_turn', 'C18'],
    ['some_new_reason', 'unknown', 'C18'],
  ] as const
).map(([word, stopReason, row]) =>
  valid(`stop-${word.replaceAll('_', '-')}`, `a text that ends with ${word}`, row, says('Hi') + end(word), {
    content: 'Hi',
    stop: stopReason,
  }),
);

/** A drawn generation on the wire: what is cut is dropped. */
const wireOf = ({ text, calls: made, cut, outcome }: Drawn): string =>
  says(...text) +
  (cut ? made.slice(0, -1) : made)
    .map(({ id, name, input }, i) => call(id, i, name, JSON.stringify(input)))
    .join('') +
  end(outcome.stop === 'max_tokens' ? 'length' : 'stop');

/** The vectors of Ollama. */
export const ollamaCases = (seed: string, source: Random): VectorFile =>
  vectorFile('ollama', seed, [
    ...texts,
    ...calls,
    ...stops,
    ...ollamaEnds,
    ...randomCases(cases, seed, source, wireOf, false),
  ]);
