/** Streams of Anthropic: here calls, stop reasons and usage, and random ones. */
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { anthropicEnds } from './anthropic-ends.ts';
import { anthropicTexts } from './anthropic-text.ts';
import { end, openTool, reason, start, text, tool } from './anthropic-wire.ts';
import type { Drawn } from './draw.ts';
import { randomCases } from './random.ts';
import { casesOf, vectorFile } from './table.ts';

const cases = casesOf('anthropic');
const { valid } = cases;

/** Calls that are whole. "`input_json_delta{partial_json}`, first often empty." */
const calls: readonly Vector[] = [
  valid(
    'tool',
    'text, then a call, whose first piece is empty',
    'C11',
    start() +
      text(0, 'Looking.') +
      tool(1, 'toolu_1', 'get_weather', '', '{"city"', ': "Os', 'lo"}') +
      end('tool_use'),
    {
      content: 'Looking.',
      calls: [['toolu_1', 'get_weather', { city: 'Oslo' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-nested',
    'arguments with nested values, escapes, and what looks like JSON in strings',
    'C11',
    start() +
      tool(
        0,
        'toolu_1',
        'write',
        '{"a":{"b":[1,-2.5,tr',
        'ue,null]},"s":"}\\',
        '"]\\n',
        '\\u00e9\u{1f600}"}',
      ) +
      end('tool_use'),
    {
      calls: [['toolu_1', 'write', { a: { b: [1, -2.5, true, null] }, s: '}"]\n\u00e9\u{1f600}' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-parallel',
    'three calls, two of them of one tool',
    'C17',
    start() +
      tool(0, 'toolu_1', 'get', '{"n":', '1}') +
      tool(1, 'toolu_2', 'get', '{"n":2}') +
      tool(2, 'toolu_3', 'put', '{"n":3}') +
      end('tool_use'),
    {
      calls: [
        ['toolu_1', 'get', { n: 1 }],
        ['toolu_2', 'get', { n: 2 }],
        ['toolu_3', 'put', { n: 3 }],
      ],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-empty-object',
    'a call whose arguments are {}',
    'C11',
    start() + tool(0, 'toolu_1', 'now', '{}') + end('tool_use'),
    { calls: [['toolu_1', 'now', {}]], stop: 'tool_use' },
  ),
  valid(
    'tool-empty-between',
    'a call without any text of arguments, before another: the input of its start holds',
    'C11',
    start() + tool(0, 'toolu_1', 'now', '') + tool(1, 'toolu_2', 'get', '{"n":2}') + end('tool_use'),
    {
      calls: [
        ['toolu_1', 'now', {}],
        ['toolu_2', 'get', { n: 2 }],
      ],
      stop: 'tool_use',
    },
  ),
  valid(
    'number-2-53',
    'the largest integers that every reader keeps',
    'C20',
    start() + tool(0, 'toolu_1', 'get', '{"id":9007199254740991,"neg":-9007199254740991}') + end('tool_use'),
    {
      calls: [['toolu_1', 'get', { id: 9007199254740991, neg: -9007199254740991 }]],
      stop: 'tool_use',
    },
  ),
];

/** "Stop reasons: end_turn, max_tokens, stop_sequence, tool_use, pause_turn, refusal, model_context_window_exceeded." */
const stops: readonly Vector[] = (
  [
    ['max_tokens', 'max_tokens', 'C04'],
    ['stop_sequence', 'stop_sequence', 'C18'],
    ['pause_turn', 'pause_turn', 'C18'],
    ['refusal', 'refusal', 'C18'],
    ['model_context_window_exceeded', 'context_window', 'C18'],
    ['some_new_reason', 'unknown', 'C18'],
  ] as const
).map(([word, stopReason, row]) =>
  valid(
    `stop-${word.replaceAll('_', '-')}`,
    `a text that ends with ${word}`,
    row,
    start() + text(0, 'Hi') + end(word),
    {
      content: 'Hi',
      stop: stopReason,
    },
  ),
);

/** "Values in message_delta are cumulative, never add them." */
const usage: readonly Vector[] = [
  valid(
    'usage-cumulative',
    'counts at the start and in two deltas: the last ones hold',
    'C13',
    start('{"input_tokens":25,"output_tokens":1}') +
      text(0, 'Hi') +
      reason(null, '{"output_tokens":5}') +
      end('end_turn', '{"output_tokens":12}'),
    {
      content: 'Hi',
      stop: 'end_turn',
      usage: { inputTokens: 25, outputTokens: 12 },
    },
  ),
  valid(
    'usage-again',
    'the delta says the counts of the prompt again',
    'C13',
    start(
      '{"input_tokens":25,"output_tokens":1,"cache_read_input_tokens":100,"cache_creation_input_tokens":7}',
    ) +
      text(0, 'Hi') +
      end(
        'end_turn',
        '{"input_tokens":25,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":12}',
      ),
    {
      content: 'Hi',
      stop: 'end_turn',
      usage: { inputTokens: 25, outputTokens: 12, cacheReadTokens: 100, cacheWriteTokens: 7 },
    },
  ),
];

/** A drawn generation on the wire. */
const wireOf = ({ text: pieces, calls: made, cut, outcome }: Drawn): string =>
  start() +
  text(0, ...pieces) +
  made
    .map(({ id, name, pieces: input }, i) =>
      (cut && i === made.length - 1 ? openTool : tool)(i + 1, id, name, '', ...input),
    )
    .join('') +
  end(outcome.stop ?? '');

/** The vectors of Anthropic. */
export const anthropicCases = (seed: string, source: Random): VectorFile =>
  vectorFile('anthropic', seed, [
    ...anthropicTexts,
    ...calls,
    ...stops,
    ...usage,
    ...anthropicEnds,
    ...randomCases(cases, seed, source, wireOf),
  ]);
