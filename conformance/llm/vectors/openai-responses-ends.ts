/** Streams of OpenAI Responses that are cut, lie, end early or fail. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { calledCases, cutCases } from './ends.ts';
import {
  argumentsDone,
  begun,
  callDone,
  completed,
  cutTool,
  event,
  failed,
  incomplete,
  more,
  openText,
  start,
  stream,
  textDelta,
  tool,
} from './openai-responses-wire.ts';
import { casesOf } from './table.ts';

const { valid, invalid } = casesOf('openai-responses');
const called = calledCases(
  'openai-responses',
  (...pieces) => stream(start, tool(0, 'call_1', 'get', ...pieces), completed()),
  {},
);

const first = tool(0, 'call_1', 'get', '{"n":', '1}');
const whole = ['call_1', 'get', { n: 1 }] as const;

/** The item of the cut call says `incomplete` or `in_progress`, the response `max_output_tokens`. */
const cuts = cutCases(
  'openai-responses',
  ['brace', 'key', 'string', 'escape', 'literal', 'number', 'boundary'],
  (partial) => stream(start, cutTool(0, 'call_1', 'write', partial), incomplete()),
  { id: 'call_1' },
);

const opened = { stop: 'max_tokens', open: { id: 'call_1', name: 'write' } } as const;

const otherCuts: readonly Vector[] = [
  valid(
    'cut-in-progress',
    'the item of the cut call says in_progress',
    'C01 C04',
    stream(start, cutTool(0, 'call_1', 'write', '{"path":"a', 'in_progress'), incomplete()),
    opened,
  ),
  valid(
    'cut-no-item-done',
    'the item of the cut call is never done',
    'C01 C04',
    stream(start, begun(0, 'call_1', 'write'), more(0, '{"path":"a'), incomplete()),
    opened,
  ),
  valid(
    'cut-arguments-done',
    'the arguments of the cut call are said to be done, as far as they came',
    'C01 C04',
    stream(
      start,
      begun(0, 'call_1', 'write'),
      more(0, '{"path":"a'),
      argumentsDone(0, 'write', '{"path":"a'),
      callDone(0, 'call_1', 'write', '{"path":"a', 'incomplete'),
      incomplete(),
    ),
    opened,
  ),
  valid(
    'cut-nothing',
    'the limit cuts before the first character of the arguments',
    'C01 C04',
    stream(
      start,
      begun(0, 'call_1', 'write'),
      callDone(0, 'call_1', 'write', '', 'incomplete'),
      incomplete(),
    ),
    opened,
  ),
  valid(
    'cut-last-brace',
    'the limit cuts behind the last brace: the arguments parse, and the item says that it is not whole',
    'C01 C04',
    stream(start, cutTool(0, 'call_1', 'write', '{"path":"a"}'), incomplete()),
    opened,
  ),
  valid(
    'cut-second',
    'the limit cuts the second call; the first was whole',
    'C01 C03 C04',
    stream(start, first, cutTool(1, 'call_2', 'get', '{"n":'), incomplete()),
    {
      calls: [whole],
      stop: 'max_tokens',
      open: { id: 'call_2', name: 'get', partial: '{"n":' },
    },
  ),
];

/** A response that calls itself complete, or says two things, around arguments that do not parse. */
const lies: readonly Vector[] = [
  valid(
    'lying-completed',
    'the response and the item say completed, and the arguments are cut',
    'C05',
    stream(start, tool(0, 'call_1', 'write', '{"path":"a'), completed()),
    {},
  ),
  valid(
    'lying-item',
    'the response says completed, the item incomplete',
    'C05',
    stream(start, cutTool(0, 'call_1', 'write', '{"path":"a'), completed()),
    {},
  ),
  valid(
    'lying-second',
    'the response says completed; the first call is whole, the second cut',
    'C03 C05',
    stream(start, first, tool(1, 'call_2', 'get', '{"n":'), completed()),
    { calls: [whole] },
  ),
  valid(
    'contradictory',
    'the event says completed, the response in it incomplete: the limit holds',
    'C04 C05',
    stream(
      start,
      tool(0, 'call_1', 'write', '{"path":"a'),
      incomplete('max_output_tokens', 'response.completed'),
    ),
    { stop: 'max_tokens' },
  ),
  ...called.broken('comma', 'quotes', 'tail', 'two'),
];

const begunText = [start, openText(0, 'Hel')] as const;
const flat = event('error', ',"code":"server_error","message":"The server had an error","param":null');
const nested = event(
  'error',
  ',"error":{"type":"server_error","code":"server_error","message":"The server had an error","param":null}',
);
const kept = { content: 'Hel' } as const;

/** "`error` flat or nested; or `response.failed{response.error}`." */
const failures: readonly Vector[] = [
  invalid('early-text', 'the body ends inside a text', 'C06', stream(...begunText), 'truncated-stream', kept),
  invalid('early-nothing', 'the body is empty', 'C06', '', 'truncated-stream'),
  invalid(
    'early-tool',
    'a whole call came, and no terminal',
    'C06',
    stream(start, first),
    'truncated-stream',
  ),
  invalid(
    'early-half-event',
    'the body ends inside an event',
    'C06',
    stream(...begunText, textDelta(0, 'lo')).slice(0, -20),
    'truncated-stream',
    kept,
  ),
  invalid(
    'early-done',
    'the word [DONE] is no terminal of this dialect',
    'C06',
    `${stream(...begunText)}data: [DONE]\n\n`,
    'truncated-stream',
    kept,
  ),
  invalid(
    'reset-text',
    'the connection is reset inside a text',
    'C06',
    stream(...begunText),
    'connection',
    kept,
  ),
  invalid(
    'reset-tool',
    'the connection is reset inside arguments',
    'C06',
    stream(...begunText, begun(1, 'call_1', 'get'), more(1, '{"n":1')),
    'connection',
    kept,
  ),
  invalid(
    'error-flat',
    'an error inside a text, flat',
    'C07 C21',
    stream(...begunText, flat),
    'provider',
    kept,
  ),
  invalid(
    'error-nested',
    'an error inside a text, nested',
    'C07 C21',
    stream(...begunText, nested),
    'provider',
    kept,
  ),
  invalid(
    'error-failed',
    'the response fails inside a text',
    'C07 C21',
    stream(...begunText, failed),
    'provider',
    kept,
  ),
  invalid('error-first', 'an error instead of a response', 'C07', stream(flat), 'provider'),
  invalid(
    'error-tool',
    'the response fails behind a whole call',
    'C07',
    stream(start, first, failed),
    'provider',
  ),
];

/** All of them. */
export const openaiResponsesEnds: readonly Vector[] = [
  ...cuts,
  ...otherCuts,
  ...lies,
  ...called.noObjects('array', 'string', 'number', 'null', 'true'),
  ...called.numbers(),
  ...failures,
];
