/** NDJSON lines: line ends, limits, and any chunking. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NdjsonLines } from './ndjson.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('lines', () => {
  test('end with LF or CRLF; empty lines are left out; the last line needs no end', () => {
    const lines = new NdjsonLines(100);
    expect(lines.push(bytes('{"a":1}\r\n\n  \n{"b":2}\n{"c"'))).toEqual(['{"a":1}', '{"b":2}']);
    expect(lines.push(bytes(':3}'))).toEqual([]);
    expect(lines.end()).toEqual(['{"c":3}']);
  });

  test('a single CR does not end a line: in JSON it is white space', () => {
    const lines = new NdjsonLines(100);
    expect(lines.push(bytes('{"a":\r1}\n'))).toEqual(['{"a":\r1}']);
  });

  test('no bytes are left after a complete last line', () => {
    const lines = new NdjsonLines(100);
    lines.push(bytes('{}\n'));
    expect(lines.end()).toEqual([]);
  });

  test('a UTF-8 sequence that is split between chunks is joined', () => {
    const lines = new NdjsonLines(100);
    const input = bytes('"😀"\n');
    expect([...input].flatMap((byte) => lines.push(new Uint8Array([byte])))).toEqual(['"😀"']);
  });
});

describe('limits', () => {
  test('a line beyond the limit ends the reading', () => {
    const lines = new NdjsonLines(5);
    expect(lines.push(bytes('12345\n123456\n1\n'))).toEqual(['12345']);
    expect(lines.overflowed).toBe(true);
    expect(lines.push(bytes('1\n'))).toEqual([]);
    expect(lines.end()).toEqual([]);
  });

  test('a line that never ends is refused without being kept', () => {
    const lines = new NdjsonLines(100);
    for (let i = 0; i < 400; i++) lines.push(bytes('x'));
    expect(lines.overflowed).toBe(true);
  });
});

test('any chunking gives the same lines, and the same overflow', () => {
  const fragment = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', ' ', '{"a":"é"}', '😀', '\uFEFF'),
    fc.string(),
  );
  const input = fc.oneof(
    fc.array(fragment).map((parts) => bytes(parts.join(''))),
    fc.uint8Array({ maxLength: 60 }),
  );
  const run = (whole: Uint8Array, size: number, limit: number): unknown => {
    const lines = new NdjsonLines(limit);
    const all: string[] = [];
    for (let at = 0; at < whole.length; at += size) all.push(...lines.push(whole.subarray(at, at + size)));
    return [...all, lines.end(), lines.overflowed];
  };
  fc.assert(
    fc.property(
      input,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 2, max: 60 }),
      (whole, size, limit) => {
        expect(run(whole, size, limit)).toEqual(run(whole, Math.max(1, whole.length), limit));
      },
    ),
    { numRuns: 1000 },
  );
});
