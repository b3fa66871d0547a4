/** Streams of Anthropic that are cut, lie, end early or fail. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { close, end, error, open, openTool, reason, start, text, textDelta, tool } from './anthropic-wire.ts';
import { calledCases, cutCases } from './ends.ts';
import { casesOf } from './table.ts';

const { valid, invalid } = casesOf('anthropic');
const called = calledCases(
  'anthropic',
  (...pieces) => start() + tool(0, 'toolu_1', 'get', ...pieces) + end('tool_use'),
  { stop: 'tool_use' },
);

const first = tool(1, 'toolu_1', 'get', '{"n":1}');
const whole = ['toolu_1', 'get', { n: 1 }] as const;

/** Where the limit cuts: by default between parameters, with `eager_input_streaming` anywhere. Always `max_tokens`. */
const cuts = cutCases(
  'anthropic',
  [
    ['boundary', 'between two parameters', '{"path":"a.txt"'],
    'brace',
    'key',
    'string',
    ['escape', 'inside an escape', '{"body":"a\\'],
    'literal',
    'number',
    ['comma', 'behind a comma', '{"n":12,'],
  ],
  (partial) => start() + text(0, 'Writing.') + tool(1, 'toolu_1', 'write', partial) + end('max_tokens'),
  { id: 'toolu_1', content: 'Writing.' },
);

const otherCuts: readonly Vector[] = [
  valid(
    'cut-unclosed',
    'the block of the cut call is not closed',
    'C01 C04',
    start() + openTool(0, 'toolu_1', 'write', '{"path":"a') + end('max_tokens'),
    {
      stop: 'max_tokens',
      open: { id: 'toolu_1', name: 'write', partial: '{"path":"a' },
    },
  ),
  valid(
    'cut-last-brace',
    'the limit cuts behind the last brace: the arguments parse, and the block is not closed',
    'C01 C04',
    start() + openTool(0, 'toolu_1', 'write', '{"path":"a"}') + end('max_tokens'),
    {
      stop: 'max_tokens',
      open: { id: 'toolu_1', name: 'write' },
    },
  ),
  valid(
    'cut-nothing',
    'the limit cuts before the first parameter is whole: nothing of the arguments came',
    'C01 C04',
    start() + tool(0, 'toolu_1', 'write', '') + end('max_tokens'),
    {
      stop: 'max_tokens',
      open: { id: 'toolu_1', name: 'write' },
    },
  ),
  valid(
    'cut-second',
    'the limit cuts the second call; the first was whole',
    'C01 C03 C04',
    start() + text(0, 'Two.') + first + tool(2, 'toolu_2', 'get', '{"n":') + end('max_tokens'),
    {
      content: 'Two.',
      calls: [whole],
      stop: 'max_tokens',
      open: { id: 'toolu_2', name: 'get', partial: '{"n":' },
    },
  ),
  valid(
    'cut-text-after',
    'the limit cuts text behind a whole call',
    'C03 C04',
    start() + text(0, 'Two.') + first + text(2, ' An') + end('max_tokens'),
    {
      content: 'Two. An',
      calls: [whole],
      stop: 'max_tokens',
    },
  ),
  valid(
    'cut-context',
    'the window is full inside the arguments',
    'C01 C18',
    start() + tool(0, 'toolu_1', 'write', '{"path":"a') + end('model_context_window_exceeded'),
    {
      stop: 'context_window',
      open: { id: 'toolu_1', name: 'write' },
    },
  ),
];

/** "A lying or contradictory signal with unparsable arguments MUST NOT execute" (LLM-C05). */
const lies: readonly Vector[] = [
  valid(
    'lying-tool-use',
    'tool_use, and the arguments are cut',
    'C05',
    start() + tool(0, 'toolu_1', 'write', '{"path":"a') + end('tool_use'),
    { stop: 'tool_use' },
  ),
  valid(
    'lying-end-turn',
    'end_turn, and the arguments are cut',
    'C05',
    start() + tool(0, 'toolu_1', 'write', '{"path":"a') + end('end_turn'),
    { stop: 'end_turn' },
  ),
  valid(
    'lying-second',
    'tool_use; the first call is whole, the second cut',
    'C03 C05',
    start() + first + tool(2, 'toolu_2', 'get', '{"n":') + end('tool_use'),
    { calls: [whole], stop: 'tool_use' },
  ),
  valid(
    'contradictory',
    'max_tokens and then tool_use: the limit stays',
    'C04 C05',
    start() + tool(0, 'toolu_1', 'write', '{"path":"a') + reason('max_tokens') + end('tool_use'),
    { stop: 'max_tokens' },
  ),
  valid(
    'contradictory-reversed',
    'tool_use and then max_tokens',
    'C04 C05',
    start() + tool(0, 'toolu_1', 'write', '{"path":"a') + reason('tool_use') + end('max_tokens'),
    { stop: 'max_tokens' },
  ),
  ...called.broken('comma', 'quotes', 'tail', 'fence', 'two'),
];

const begun = start() + open(0, '{"type":"text","text":""}') + textDelta(0, 'Hel');

/** "End of stream without a terminal MUST be an error"; "a mid-stream error MUST be an error; text SHOULD be kept". */
const failures: readonly Vector[] = [
  invalid('early-text', 'the body ends inside a text', 'C06', begun, 'truncated-stream', { content: 'Hel' }),
  invalid('early-nothing', 'the body is empty', 'C06', '', 'truncated-stream'),
  invalid(
    'early-reason',
    'the stop reason came, and no message_stop',
    'C06',
    `${begun}${close(0)}${reason('end_turn')}`,
    'truncated-stream',
    { content: 'Hel' },
  ),
  invalid('early-tool', 'a whole call came, and no terminal', 'C06', start() + first, 'truncated-stream'),
  invalid(
    'early-half-event',
    'the body ends inside an event',
    'C06',
    begun + textDelta(0, 'lo').slice(0, -9),
    'truncated-stream',
    { content: 'Hel' },
  ),
  invalid('reset-text', 'the connection is reset inside a text', 'C06', begun, 'connection', {
    content: 'Hel',
  }),
  invalid(
    'reset-tool',
    'the connection is reset inside arguments',
    'C06',
    begun + close(0) + openTool(1, 'toolu_1', 'get', '{"n":1'),
    'connection',
    { content: 'Hel' },
  ),
  invalid(
    'error-text',
    'an error inside a text',
    'C07 C21',
    begun + error('overloaded_error', 'Overloaded'),
    'provider',
    { content: 'Hel' },
  ),
  invalid(
    'error-first',
    'an error instead of message_start',
    'C07',
    error('api_error', 'Internal server error'),
    'provider',
  ),
  invalid(
    'error-tool',
    'an error behind a whole call',
    'C07',
    start() + first + error('overloaded_error', 'Overloaded'),
    'provider',
  ),
  invalid(
    'error-unknown',
    'an error of an unknown type, with more than is known',
    'C07 C12 C21',
    begun + error('quantum_error', 'Odd').replace('"message"', '"x_new":1,"message"'),
    'provider',
    { content: 'Hel' },
  ),
];

/** All of them. */
export const anthropicEnds: readonly Vector[] = [
  ...cuts,
  ...otherCuts,
  ...lies,
  ...called.noObjects('array', 'string', 'number', 'null', 'true'),
  ...called.numbers(),
  ...failures,
];
