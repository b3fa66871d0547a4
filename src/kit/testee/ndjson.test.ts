import { describe, expect, it } from 'vitest';
import { lenientNdjson, lineFraming, lineLimit, ndjson } from './ndjson.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const lines = (...chunks: string[]): string[] => {
  const framer = lineFraming();
  const cut = chunks.flatMap((chunk) => framer.push(bytes(chunk)));
  const rest = framer.end();
  return [...cut, ...(rest === undefined ? [] : [rest])].map((line) => Buffer.from(line).toString());
};

describe('lines of a testee', () => {
  it('are cut at newlines, however the bytes come', () => {
    expect(lines('{"a":1}\n{"b"', ':2}', '\n\n{"c":3}\n')).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });

  it('that are sent end in one newline, whether the codec wrote it or not', () => {
    const { wrap } = lineFraming();
    expect(['{}', '{}\n'].map((text) => Buffer.from(wrap?.(bytes(text)) ?? []).toString())).toEqual([
      '{}\n',
      '{}\n',
    ]);
  });

  it('an unfinished last one is not lost', () => {
    expect(lines('{"a":1}\n{"b')).toEqual(['{"a":1}', '{"b']);
  });

  it('of one that is too long only so much is kept as shows that, and the next is whole', () => {
    const framer = lineFraming();
    const chunk = new Uint8Array(lineLimit).fill(0x78);
    expect(framer.push(chunk)).toEqual([]);
    expect(framer.push(chunk)).toEqual([]);
    const [long, next] = framer.push(bytes('x\n{}\n'));
    expect(long?.length).toBe(lineLimit + 1);
    expect(ndjson.decode(long ?? new Uint8Array())).toMatchObject({
      ok: false,
      error: { code: 'too-large' },
    });
    expect(ndjson.decode(next ?? new Uint8Array())).toMatchObject({ ok: true, value: { message: {} } });
  });
});

describe('NDJSON', () => {
  it.each(['[1]', 'null', '"text"', '{"a":', '\u00ff'])(
    'refuses %s: only JSON objects are messages',
    (line) => {
      expect(ndjson.decode(Buffer.from(line, 'latin1'))).toMatchObject({
        ok: false,
        error: { code: 'bad-json' },
      });
    },
  );

  it('gives each message a line', () => {
    expect(Buffer.from(ndjson.encode({ id: 1 })).toString()).toBe('{"id":1}\n');
  });

  it('reads NaN and Infinity as null where the suite wants that', () => {
    const read = (line: string): unknown => {
      const decoded = lenientNdjson.decode(Buffer.from(line));
      return decoded.ok ? decoded.value : decoded.error.code;
    };
    const line = '{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" Infinity"}';
    expect(read(line)).toEqual({
      message: { a: null, b: [null, null], c: 'NaN " Infinity' },
      note: expect.stringContaining('read as null'),
    });
    expect(read('{"a":1}')).toEqual({ message: { a: 1 } });
    expect([read('{"a":NaN'), read('{"a":xNaN}'), read('[NaN]')]).toEqual([
      'bad-json',
      'bad-json',
      'bad-json',
    ]);
  });

  it('keeps the bytes of a line whose integers a double cannot hold', () => {
    const noteOf = (line: string): unknown => {
      const decoded = ndjson.decode(Buffer.from(line));
      return decoded.ok ? decoded.value.note : decoded.error.code;
    };
    expect(noteOf('{"a":[9007199254740993]}')).toContain('beyond 2^53');
    expect(noteOf('{"a":-12345678901234567890}')).toContain('beyond 2^53');
    // 2^53 - 1 is the last that is safe; digits in strings, fractions and exponents are no integers.
    expect(noteOf('{"a":9007199254740991,"b":"9007199254740993","c":0.12345678901234567,"d":1e20}')).toBe(
      undefined,
    );
    expect(noteOf('{"a\\"9007199254740993":"\\\\"}')).toBe(undefined);
  });
});
