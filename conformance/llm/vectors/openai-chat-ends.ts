/** Streams of OpenAI Chat Completions that are cut, lie, end early or fail. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { calledCases, cutCases } from './ends.ts';
import { begun, call, done, end, error, finish, more, role, says } from './openai-chat-wire.ts';
import { casesOf } from './table.ts';

const { valid, invalid } = casesOf('openai-chat');
const called = calledCases(
  'openai-chat',
  (...pieces) => role + call(0, 'call_1', 'get', ...pieces) + end('tool_calls'),
  { stop: 'tool_use' },
);

const first = call(0, 'call_1', 'get', '{"n":', '1}');
const whole = ['call_1', 'get', { n: 1 }] as const;

/** The limit cuts at any character, and the finish reason is `length`. */
const cuts = cutCases(
  'openai-chat',
  [
    ['nothing', 'before the first character', ''],
    'brace',
    'key',
    'string',
    'escape',
    'literal',
    'number',
    'boundary',
    ['inner', 'behind an inner brace', '{"a":{"b":1}'],
  ],
  (partial) => role + says('Writing.') + call(0, 'call_1', 'write', partial) + end('length'),
  { id: 'call_1', content: 'Writing.' },
);

const otherCuts: readonly Vector[] = [
  valid(
    'cut-last-brace',
    'the limit cuts behind the last brace: the wire does not tell such a call from a whole one, and only the stop reason is judged',
    'C04',
    role + call(0, 'call_1', 'get', '{"n":1}') + end('length'),
    { stop: 'max_tokens', undecided: true },
  ),
  valid(
    'cut-second',
    'the limit cuts the second call; the first was whole',
    'C01 C03 C04',
    role + first + call(1, 'call_2', 'get', '{"n":') + end('length'),
    {
      calls: [whole],
      stop: 'max_tokens',
      open: { id: 'call_2', name: 'get', partial: '{"n":' },
    },
  ),
  valid(
    'cut-third',
    'the limit cuts the third call; the first two came interleaved',
    'C01 C03 C04 C17',
    role +
      begun(0, 'call_1', 'get') +
      begun(1, 'call_2', 'get') +
      more(1, '{"n":2') +
      more(0, '{"n":1}') +
      more(1, '}') +
      call(2, 'call_3', 'put', '{"n"') +
      end('length'),
    {
      calls: [whole, ['call_2', 'get', { n: 2 }]],
      stop: 'max_tokens',
      open: { id: 'call_3', name: 'put' },
    },
  ),
];

/** vLLM said `tool_calls` with arguments that do not parse. "Of two stop signals … the one that runs less holds." */
const lies: readonly Vector[] = [
  valid(
    'lying-tool-calls',
    'tool_calls, and the arguments are cut',
    'C05',
    role + call(0, 'call_1', 'write', '{"path":"a') + end('tool_calls'),
    { stop: 'tool_use' },
  ),
  valid(
    'lying-stop',
    'stop, and the arguments are cut',
    'C05',
    role + call(0, 'call_1', 'write', '{"path":"a') + end('stop'),
    {},
  ),
  valid(
    'lying-second',
    'tool_calls; the first call is whole, the second cut',
    'C03 C05',
    role + first + call(1, 'call_2', 'get', '{"n":') + end('tool_calls'),
    { calls: [whole], stop: 'tool_use' },
  ),
  valid(
    'contradictory',
    'length and then tool_calls: the limit stays',
    'C04 C05',
    role + call(0, 'call_1', 'write', '{"path":"a') + finish('length') + end('tool_calls'),
    { stop: 'max_tokens' },
  ),
  valid(
    'contradictory-reversed',
    'tool_calls and then length',
    'C04 C05',
    role + call(0, 'call_1', 'write', '{"path":"a') + finish('tool_calls') + end('length'),
    { stop: 'max_tokens' },
  ),
  ...called.broken('comma', 'quotes', 'tail', 'two'),
];

const begunText = role + says('Hel');
const serverError = '{"message":"The server had an error","type":"server_error","code":null,"param":null}';

/** The terminal is a chunk with `finish_reason`, then `[DONE]`: without either the stream ended early. */
const failures: readonly Vector[] = [
  invalid('early-text', 'the body ends inside a text', 'C06', begunText, 'truncated-stream', {
    content: 'Hel',
  }),
  invalid('early-nothing', 'the body is empty', 'C06', '', 'truncated-stream'),
  invalid(
    'early-tool',
    'a call that parses came, and no finish reason',
    'C06',
    role + first,
    'truncated-stream',
  ),
  invalid('early-done', '[DONE] came without a finish reason', 'C06', begunText + done, 'truncated-stream', {
    content: 'Hel',
  }),
  invalid(
    'early-half-chunk',
    'the body ends inside a chunk',
    'C06',
    begunText + says('lo').slice(0, -30),
    'truncated-stream',
    { content: 'Hel' },
  ),
  invalid('reset-text', 'the connection is reset inside a text', 'C06', begunText, 'connection', {
    content: 'Hel',
  }),
  invalid(
    'reset-tool',
    'the connection is reset inside arguments',
    'C06',
    begunText + call(0, 'call_1', 'get', '{"n":1'),
    'connection',
    { content: 'Hel' },
  ),
  invalid('error-text', 'an error inside a text', 'C07 C21', begunText + error(serverError), 'provider', {
    content: 'Hel',
  }),
  invalid(
    'error-done',
    'an error, and then [DONE]',
    'C07 C21',
    begunText + error(serverError) + done,
    'provider',
    { content: 'Hel' },
  ),
  invalid('error-first', 'an error instead of a chunk', 'C07', error(serverError), 'provider'),
  invalid(
    'error-tool',
    'an error behind a call that parses',
    'C07',
    role + first + error(serverError),
    'provider',
  ),
  invalid(
    'error-string',
    'an error that is a string, as compatible servers send it',
    'C07 C21',
    begunText + error('"out of memory"'),
    'provider',
    { content: 'Hel' },
  ),
];

/** All of them. */
export const openaiChatEnds: readonly Vector[] = [
  ...cuts,
  ...otherCuts,
  ...lies,
  ...called.noObjects('array', 'string', 'number', 'null', 'true'),
  ...called.numbers(),
  ...failures,
];
