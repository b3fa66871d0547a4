/** Streams of Anthropic that are text: framing, what nobody knows, thoughts. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { close, delta, end, event, open, start, text, textDelta, tool } from './anthropic-wire.ts';
import { casesOf } from './table.ts';

const { valid } = casesOf('anthropic');

const hello = start() + text(0, 'Hel', 'lo') + end('end_turn');
const greeting = { content: 'Hello', stop: 'end_turn' } as const;

/** "Event streams in this format must always be encoded as UTF-8"; lines end in CRLF, LF or CR. Source: HTML, 9.2.6. */
const framing: readonly Vector[] = [
  valid('text', 'a text in two pieces', 'C11', hello, greeting),
  valid('text-empty', 'a response without any block', 'C11', start() + end('end_turn'), { stop: 'end_turn' }),
  valid(
    'text-two-blocks',
    'two blocks of text',
    'C11',
    start() + text(0, 'One.') + text(1, ' Two.') + end('end_turn'),
    {
      content: 'One. Two.',
      stop: 'end_turn',
    },
  ),
  valid(
    'text-unicode',
    'characters of one to four bytes, a separator that is no line end here, and escapes',
    'C11',
    start() +
      text(0, 'na\u00efve \u20ac ', '\u{1f600} \u2028 e\u0301') +
      open(1, '{"type":"text","text":""}') +
      delta(1, '{"type":"text_delta","text":" \\u00e9 \\ud83d\\ude00 \\n\\"\\\\"}') +
      close(1) +
      end('end_turn'),
    { content: 'na\u00efve \u20ac \u{1f600} \u2028 e\u0301 \u00e9 \u{1f600} \n"\\', stop: 'end_turn' },
  ),
  valid('lines-crlf', 'lines that end in CRLF', 'C11', hello.replaceAll('\n', '\r\n'), greeting),
  valid('lines-cr', 'lines that end in CR', 'C11', hello.replaceAll('\n', '\r'), greeting),
  valid(
    'lines-no-space',
    'no space after the colons of fields',
    'C11',
    hello.replaceAll(/^(event|data): /gm, '$1:'),
    greeting,
  ),
  valid(
    'lines-two-data',
    'the data of an event on two lines, which a line feed joins',
    'C11',
    hello.replace('"text_delta",', '"text_delta",\ndata: '),
    greeting,
  ),
  valid(
    'comments',
    'comments between and within events',
    'C12',
    `: hi\n\n${hello.replaceAll('\ndata:', '\n: keep-alive\ndata:')}`,
    greeting,
  ),
  valid('pings', 'pings before, within and between blocks', 'C12', ping(hello), greeting),
  valid('reset-after-end', 'the connection is reset behind the terminal', 'C06', hello, {
    ...greeting,
    ended: 'reset',
  }),
];

function ping(stream: string): string {
  return stream.replaceAll('event: content_block', `${event('ping')}event: content_block`);
}

/** "New event types may be added, and code should handle unknown ones gracefully." Source: Streaming Messages. */
const unknown: readonly Vector[] = [
  valid(
    'unknown-event',
    'events that nobody knows, one with data that is no JSON',
    'C12',
    start() +
      event('future_event', ',"index":0,"text":"x"') +
      'event: other\ndata: plain\n\n' +
      text(0, 'Hi') +
      end('end_turn'),
    { content: 'Hi', stop: 'end_turn' },
  ),
  valid(
    'unknown-fields',
    'fields that nobody knows, and id and retry of the framing',
    'C12',
    (start() + text(0, 'Hi') + end('end_turn'))
      .replaceAll('{"type":', '{"x_new":{"a":[1]},"type":')
      .replaceAll('event: ', 'id: 7\nretry: 10\nevent: '),
    { content: 'Hi', stop: 'end_turn' },
  ),
  valid(
    'unknown-delta',
    'a delta of an unknown kind in a block of text',
    'C12',
    start() +
      open(0, '{"type":"text","text":""}') +
      textDelta(0, 'Hi') +
      delta(0, '{"type":"citations_delta","citation":{"cited_text":"x"}}') +
      close(0) +
      end('end_turn'),
    { content: 'Hi', stop: 'end_turn' },
  ),
  valid(
    'unknown-block',
    'a block of an unknown kind between text and a call',
    'C12',
    start() +
      text(0, 'Hi') +
      open(1, '{"type":"future_block","text":"x","id":"b_1"}') +
      delta(1, '{"type":"future_delta","text":"y"}') +
      close(1) +
      tool(2, 'toolu_1', 'get', '{}') +
      end('tool_use'),
    { content: 'Hi', calls: [['toolu_1', 'get', {}]], stop: 'tool_use' },
  ),
];

/** "Thinking blocks SHOULD be kept with their signature when sent back" (LLM-C14). */
const thoughts: readonly Vector[] = [
  valid(
    'thinking',
    'a thought with its signature, then text',
    'C14',
    start() +
      open(0, '{"type":"thinking","thinking":"","signature":""}') +
      delta(0, '{"type":"thinking_delta","thinking":"Let me "}') +
      delta(0, '{"type":"thinking_delta","thinking":"see."}') +
      delta(0, '{"type":"signature_delta","signature":"EqQBCg=="}') +
      close(0) +
      text(1, '42') +
      end('end_turn'),
    { content: '42', stop: 'end_turn', thinking: [{ text: 'Let me see.', signature: 'EqQBCg==' }] },
  ),
];

/** All of them. */
export const anthropicTexts: readonly Vector[] = [...framing, ...unknown, ...thoughts];
