/** Predictions of LM Studio that end well: text, thoughts, calls, stop reasons and usage; and random ones. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import type { Drawn } from './draw.ts';
import { randomCases } from './random.ts';
import { lmstudioEnds } from './lmstudio-ends.ts';
import { begun, end, over, progress, says, send, thinks, tool } from './lmstudio-wire.ts';
import { casesOf, vectorFile } from './table.ts';

const cases = casesOf('lmstudio');
const { valid } = cases;

const hello: readonly JsonObject[] = [...says('Hel', 'lo'), ...end('eosFound')];
const greeting = { content: 'Hello', stop: 'end_turn' } as const;

const texts: readonly Vector[] = [
  valid('text', 'a text in two fragments', 'C11', hello, {
    ...greeting,
    usage: { inputTokens: 20, outputTokens: 8 },
  }),
  valid('text-empty', 'a prediction without any fragment', 'C11', end('eosFound'), { stop: 'end_turn' }),
  valid(
    'text-unicode',
    'characters of one to four bytes, and what JSON escapes',
    'C11',
    [...says('na\u00efve \u20ac ', '\u{1f600} \u2028 e\u0301', ' \n"\\'), ...end('eosFound')],
    {
      content: 'na\u00efve \u20ac \u{1f600} \u2028 e\u0301 \n"\\',
      stop: 'end_turn',
    },
  ),
  valid('text-no-close', 'the channel is not closed behind success', 'C06', hello.slice(0, -1), greeting),
  valid(
    'progress',
    'the progress of the prompt, before the text',
    'C12',
    [progress(0), progress(0.5), progress(1), ...hello],
    greeting,
  ),
  valid(
    'unknown-message',
    'messages that nobody knows',
    'C12',
    [
      send({ type: 'futureMessage', content: 'x' }),
      ...says('Hel'),
      send({ type: 'futureMessage', fragment: { content: 'y' } }),
      ...says('lo'),
      ...end('eosFound'),
    ],
    greeting,
  ),
  valid(
    'unknown-fields',
    'fields that nobody knows',
    'C12',
    hello.map((message) => ({ x_new: { a: [1] }, ...message })),
    greeting,
  ),
  valid(
    'thinking',
    'a thought between its tags, then text',
    'C14',
    [...thinks('Let me ', 'see.'), ...says('42'), ...end('eosFound')],
    {
      content: '42',
      stop: 'end_turn',
      thinking: [{ text: 'Let me see.' }],
    },
  ),
  valid('reset-after-end', 'the connection is lost behind the terminal', 'C06', hello, {
    ...greeting,
    ended: 'reset',
  }),
];

const one = ['1', 'get', { n: 1 }] as const;

const calls: readonly Vector[] = [
  valid(
    'tool',
    'text, then a call',
    'C11',
    [...says('Looking.'), ...tool('1', 'get_weather', '{"city"', ':"Os', 'lo"}'), ...end('toolCalls')],
    {
      content: 'Looking.',
      calls: [['1', 'get_weather', { city: 'Oslo' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-nested',
    'arguments with nested values and escapes',
    'C11',
    [
      ...tool('1', 'write', '{"a":{"b":[1,-2.5,tr', 'ue,null]},"s":"}\\', '"]\\n\\u00e9\u{1f600}"}'),
      ...end('toolCalls'),
    ],
    {
      calls: [['1', 'write', { a: { b: [1, -2.5, true, null] }, s: '}"]\n\u00e9\u{1f600}' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-no-fragments',
    'the arguments come with the end alone',
    'C11',
    [...begun('1', 'get'), over('1', 'get', { n: 1 }), ...end('toolCalls')],
    { calls: [one], stop: 'tool_use' },
  ),
  valid(
    'tool-parallel',
    'three calls, two of them of one tool',
    'C17',
    [
      ...tool('1', 'get', '{"n":', '1}'),
      ...tool('2', 'get', '{"n":2}'),
      ...tool('3', 'put', '{"n":3}'),
      ...end('toolCalls'),
    ],
    {
      calls: [one, ['2', 'get', { n: 2 }], ['3', 'put', { n: 3 }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-empty-object',
    'a call whose arguments are {}',
    'C11',
    [...tool('1', 'now', '{}'), ...end('toolCalls')],
    { calls: [['1', 'now', {}]], stop: 'tool_use' },
  ),
  valid(
    'number-2-53',
    'the largest integer that every reader keeps',
    'C20',
    [...tool('1', 'get', '{"id":9007199254740991}'), ...end('toolCalls')],
    {
      calls: [['1', 'get', { id: 9007199254740991 }]],
      stop: 'tool_use',
    },
  ),
];

/** "`stats.stopReason`: userStopped, modelUnloaded, failed, eosFound, stopStringFound, toolCalls, maxPredictedTokensReached, contextLengthReached." */
const stops: readonly Vector[] = (
  [
    ['maxPredictedTokensReached', 'max_tokens', 'C04'],
    ['stopStringFound', 'stop_sequence', 'C18'],
    ['contextLengthReached', 'context_window', 'C18'],
    ['userStopped', 'cancelled', 'C18'],
    ['someNewReason', 'unknown', 'C18'],
  ] as const
).map(([word, stopReason, row]) =>
  valid(`stop-${word}`, `a text that ends with ${word}`, row, [...says('Hi'), ...end(word)], {
    content: 'Hi',
    stop: stopReason,
  }),
);

/** A drawn generation on the wire. */
const wireOf = ({ text, calls: made, cut, outcome }: Drawn): readonly JsonObject[] => {
  const words: Readonly<Record<string, string>> = {
    max_tokens: 'maxPredictedTokensReached',
    tool_use: 'toolCalls',
  };
  const parts = made.map(({ id, name, pieces }, i) =>
    (cut && i === made.length - 1 ? begun : tool)(id, name, ...pieces),
  );
  return [...says(...text), ...parts.flat(), ...end(words[outcome.stop ?? ''] ?? 'eosFound')];
};

/** The vectors of LM Studio. */
export const lmstudioCases = (seed: string, source: Random): VectorFile =>
  vectorFile('lmstudio', seed, [
    ...texts,
    ...calls,
    ...stops,
    ...lmstudioEnds,
    ...randomCases(cases, seed, source, wireOf),
  ]);
