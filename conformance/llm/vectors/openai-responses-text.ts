/** Streams of OpenAI Responses that are text: framing, what nobody knows, reasoning. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { completed, event, item, openText, start, stream, text, textDelta } from './openai-responses-wire.ts';
import { casesOf } from './table.ts';

const { valid } = casesOf('openai-responses');

const hello = stream(start, text(0, 'Hel', 'lo'), completed());
const greeting = { content: 'Hello', stop: 'end_turn' } as const;

/** All of them. Lines end in CRLF, LF or CR; a line that begins with a colon is a comment. Source: HTML, 9.2.6. */
export const openaiResponsesTexts: readonly Vector[] = [
  valid('text', 'a text in two pieces', 'C11', hello, {
    ...greeting,
    usage: { inputTokens: 20, outputTokens: 8 },
  }),
  valid('text-empty', 'a response without any item', 'C11', stream(start, completed()), { stop: 'end_turn' }),
  valid(
    'text-two-items',
    'two messages',
    'C11',
    stream(start, text(0, 'One.'), text(1, ' Two.'), completed()),
    { content: 'One. Two.', stop: 'end_turn' },
  ),
  valid(
    'text-unicode',
    'characters of one to four bytes, a separator that is no line end here, and escapes',
    'C11',
    stream(
      start,
      text(0, 'na\u00efve \u20ac ', '\u{1f600} \u2028 e\u0301', ' \n"\\'),
      completed(),
    ).replaceAll('\u00ef', '\\u00ef'),
    {
      content: 'na\u00efve \u20ac \u{1f600} \u2028 e\u0301 \n"\\',
      stop: 'end_turn',
    },
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
    'comments',
    'comments between and within events',
    'C12',
    `: hi\n\n${hello.replaceAll('\ndata:', '\n: keep-alive\ndata:')}`,
    greeting,
  ),
  valid(
    'unknown-event',
    'an event that nobody knows',
    'C12',
    stream(
      start,
      openText(0, 'Hel'),
      event('response.future.delta', ',"output_index":0,"delta":"x"'),
      textDelta(0, 'lo'),
      completed(),
    ),
    greeting,
  ),
  valid(
    'unknown-fields',
    'fields that nobody knows, and padding',
    'C12',
    hello.replaceAll('{"type":', '{"x_new":{"a":[1]},"obfuscation":"aB3","type":'),
    greeting,
  ),
  valid(
    'unknown-item',
    'an item that nobody knows, before a message',
    'C12',
    stream(
      start,
      item('added', 0, '{"id":"item_0","type":"future_item","status":"in_progress"}'),
      item('done', 0, '{"id":"item_0","type":"future_item","status":"completed","text":"x"}'),
      text(1, 'Hello'),
      completed(),
    ),
    greeting,
  ),
  valid('reset-after-end', 'the connection is reset behind the terminal', 'C06', hello, {
    ...greeting,
    ended: 'reset',
  }),
  valid(
    'thinking',
    'a summary of the reasoning, then text',
    'C14',
    stream(
      start,
      item('added', 0, '{"id":"item_0","type":"reasoning","summary":[]}'),
      event(
        'response.reasoning_summary_part.added',
        ',"item_id":"item_0","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}',
      ),
      event(
        'response.reasoning_summary_text.delta',
        ',"item_id":"item_0","output_index":0,"summary_index":0,"delta":"Let me "',
      ),
      event(
        'response.reasoning_summary_text.delta',
        ',"item_id":"item_0","output_index":0,"summary_index":0,"delta":"see."',
      ),
      event(
        'response.reasoning_summary_text.done',
        ',"item_id":"item_0","output_index":0,"summary_index":0,"text":"Let me see."',
      ),
      event(
        'response.reasoning_summary_part.done',
        ',"item_id":"item_0","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"Let me see."}',
      ),
      item(
        'done',
        0,
        '{"id":"item_0","type":"reasoning","summary":[{"type":"summary_text","text":"Let me see."}],"encrypted_content":"gAAAAA=="}',
      ),
      text(1, '42'),
      completed(),
    ),
    { content: '42', stop: 'end_turn', thinking: [{ text: 'Let me see.', signature: 'gAAAAA==' }] },
  ),
];
