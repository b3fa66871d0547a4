/** Framing: readers read framed units back, and the bytes are those of llm.md. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import { frameUnit } from './frame.ts';
import type { FrameLines } from './frame.ts';
import { NdjsonLines } from './ndjson.ts';
import { SseParser } from '../../../kit/base/index.ts';

const text = (...args: Parameters<typeof frameUnit>): string => new TextDecoder().decode(frameUnit(...args));

describe('SSE', () => {
  test('Anthropic: `event: T` and `data: {"type":T}`', () => {
    expect(text('sse', { event: 'ping', data: { type: 'ping' } }, 'lf')).toBe(
      'event: ping\ndata: {"type":"ping"}\n\n',
    );
  });

  test('OpenAI chat: data lines only, at the end `data: [DONE]`', () => {
    expect(text('sse', { data: '[DONE]' }, 'lf')).toBe('data: [DONE]\n\n');
  });

  test.each<[FrameLines, string]>([
    ['lf', '\n'],
    ['crlf', '\r\n'],
    ['cr', '\r'],
  ])('%s ends its lines', (lines, end) => {
    expect(text('sse', { event: 'a', data: 1 }, lines)).toBe(`event: a${end}data: 1${end}${end}`);
  });

  test('a comment follows a colon, and is not an event', () => {
    expect(text('sse', { data: 'keep\nalive', comment: true }, 'lf')).toBe(': keep\n: alive\n\n');
    expect(new SseParser(100).push(frameUnit('sse', { data: 'data: 1', comment: true }, 'lf'))).toEqual([]);
  });

  test('the parser returns any data unchanged', () => {
    const name = fc.constantFrom('message', 'ping', 'content_block_delta');
    fc.assert(
      fc.property(
        name,
        fc.jsonValue(),
        fc.constantFrom<FrameLines>('lf', 'crlf', 'cr'),
        (event, value, lines) => {
          const data: Json = JSON.parse(JSON.stringify(value));
          const expected = typeof data === 'string' ? data.replaceAll(/\r\n?/g, '\n') : JSON.stringify(data);
          expect(new SseParser(1 << 20).push(frameUnit('sse', { event, data }, lines))).toEqual([
            { event, data: Buffer.from(expected).toString() },
          ]);
        },
      ),
    );
  });
});

describe('NDJSON', () => {
  test('one line per unit; LF replaces a single CR, which does not end a line', () => {
    expect(text('ndjson', { data: { done: true } }, 'lf')).toBe('{"done":true}\n');
    expect(text('ndjson', { data: { done: true } }, 'crlf')).toBe('{"done":true}\r\n');
    expect(text('ndjson', { data: { done: true } }, 'cr')).toBe('{"done":true}\n');
  });

  test('a comment is empty', () => {
    expect(text('ndjson', { data: 'x', comment: true }, 'lf')).toBe('');
  });

  test('the line of any object is read back unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const data: Json = JSON.parse(JSON.stringify(value));
        const lines = new NdjsonLines(1 << 20).push(frameUnit('ndjson', { data }, 'crlf'));
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual([data]);
      }),
    );
  });
});

test('a JSON body and a message are the JSON text, nothing else', () => {
  expect(text('json', { data: { a: [1] } }, 'crlf')).toBe('{"a":[1]}');
  expect(text('message', { data: { a: [1] } }, 'crlf')).toBe('{"a":[1]}');
});
