/** Streams of OpenAI Responses: here calls, ends and usage, and random ones. */
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import type { Drawn } from './draw.ts';
import { randomCases } from './random.ts';
import { openaiResponsesEnds } from './openai-responses-ends.ts';
import { openaiResponsesTexts } from './openai-responses-text.ts';
import {
  argumentsDone,
  begun,
  callDone,
  completed,
  cutTool,
  incomplete,
  more,
  start,
  stream,
  text,
  tool,
} from './openai-responses-wire.ts';
import { casesOf, vectorFile } from './table.ts';

const cases = casesOf('openai-responses');
const { valid } = cases;

const one = ['call_1', 'get', { n: 1 }] as const;
const two = ['call_2', 'get', { n: 2 }] as const;

/** "`function_call` item; `function_call_arguments.delta`; `.done{arguments,name}`; `output_item.done`." */
const calls: readonly Vector[] = [
  valid(
    'tool',
    'text, then a call',
    'C11 C18',
    stream(
      start,
      text(0, 'Looking.'),
      tool(1, 'call_1', 'get_weather', '{"city"', ':"Os', 'lo"}'),
      completed(),
    ),
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
    stream(
      start,
      tool(0, 'call_1', 'write', '{"a":{"b":[1,-2.5,tr', 'ue,null]},"s":"}\\', '"]\\n\\u00e9\u{1f600}"}'),
      completed(),
    ),
    {
      calls: [['call_1', 'write', { a: { b: [1, -2.5, true, null] }, s: '}"]\n\u00e9\u{1f600}' }]],
      stop: 'tool_use',
    },
  ),
  valid(
    'tool-no-deltas',
    'the arguments come whole',
    'C11',
    stream(
      start,
      begun(0, 'call_1', 'get'),
      argumentsDone(0, 'get', '{"n":1}'),
      callDone(0, 'call_1', 'get', '{"n":1}'),
      completed(),
    ),
    { calls: [one], stop: 'tool_use' },
  ),
  valid(
    'tool-parallel',
    'two calls, one after the other',
    'C17',
    stream(start, tool(0, 'call_1', 'get', '{"n":', '1}'), tool(1, 'call_2', 'get', '{"n":2}'), completed()),
    { calls: [one, two], stop: 'tool_use' },
  ),
  valid(
    'tool-interleaved',
    'two calls, piece by piece in turn',
    'C17',
    stream(
      start,
      begun(0, 'call_1', 'get'),
      begun(1, 'call_2', 'get'),
      more(0, '{"n"'),
      more(1, '{"n"', ':2'),
      more(0, ':1', '}'),
      more(1, '}'),
      argumentsDone(0, 'get', '{"n":1}'),
      callDone(0, 'call_1', 'get', '{"n":1}'),
      argumentsDone(1, 'get', '{"n":2}'),
      callDone(1, 'call_2', 'get', '{"n":2}'),
      completed(),
    ),
    { calls: [one, two], stop: 'tool_use' },
  ),
  valid(
    'tool-empty-object',
    'a call whose arguments are {}',
    'C11',
    stream(start, tool(0, 'call_1', 'now', '{}'), completed()),
    { calls: [['call_1', 'now', {}]], stop: 'tool_use' },
  ),
  valid(
    'number-2-53',
    'the largest integers that every reader keeps',
    'C20',
    stream(start, tool(0, 'call_1', 'get', '{"id":9007199254740991,"neg":-9007199254740991}'), completed()),
    {
      calls: [['call_1', 'get', { id: 9007199254740991, neg: -9007199254740991 }]],
      stop: 'tool_use',
    },
  ),
];

const stops: readonly Vector[] = (
  [
    ['max_output_tokens', 'max_tokens', 'C04'],
    ['content_filter', 'content_filter', 'C18'],
    ['some_new_reason', 'unknown', 'C18'],
  ] as const
).map(([word, stopReason, row]) =>
  valid(
    `stop-${word.replaceAll('_', '-')}`,
    `a text that is incomplete for ${word}`,
    row,
    stream(start, text(0, 'Hi'), incomplete(word)),
    { content: 'Hi', stop: stopReason },
  ),
);

const usage: readonly Vector[] = [
  valid(
    'usage-details',
    'tokens of a cache and of reasoning',
    'C11',
    stream(
      start,
      text(0, 'Hi'),
      completed(
        ',"usage":{"input_tokens":120,"input_tokens_details":{"cached_tokens":100},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":22},"total_tokens":150}',
      ),
    ),
    {
      content: 'Hi',
      stop: 'end_turn',
      usage: { inputTokens: 20, outputTokens: 30, cacheReadTokens: 100, thinkingTokens: 22 },
    },
  ),
];

/** A drawn generation on the wire. */
const wireOf = ({ text: pieces, calls: made, cut }: Drawn): string =>
  stream(
    start,
    text(0, ...pieces),
    ...made.map(({ id, name, pieces: input }, i) =>
      cut && i === made.length - 1
        ? cutTool(i + 1, id, name, input.join(''))
        : tool(i + 1, id, name, ...input),
    ),
    cut ? incomplete() : completed(),
  );

/** The vectors of OpenAI Responses. */
export const openaiResponsesCases = (seed: string, source: Random): VectorFile =>
  vectorFile('openai-responses', seed, [
    ...openaiResponsesTexts,
    ...calls,
    ...stops,
    ...usage,
    ...openaiResponsesEnds,
    ...randomCases(cases, seed, source, wireOf),
  ]);
