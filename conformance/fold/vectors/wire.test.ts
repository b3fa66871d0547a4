/** The writer and the reader that the vectors are made with, against examples of protobuf.dev and RFC 4648. */
import { describe, expect, it } from 'vitest';
import { readProto } from './schema.ts';
import { base64Of, bytesOf, fieldsIn, hexOf, varint, written } from './wire.ts';

describe('the writer', () => {
  // protobuf.dev, Encoding, "A Simple Message", "Base 128 Varints", "Signed Integers", "Length-Delimited Records", "Submessages".
  it('writes the examples of the encoding guide', () => {
    expect(hexOf(written([[1, 150]]))).toBe('089601');
    expect(hexOf(varint(-2))).toBe('feffffffffffffffff01');
    expect(hexOf(written([[2, 'testing']]))).toBe('120774657374696e67');
    expect(hexOf(written([[3, [[1, 150]]]]))).toBe('1a03089601');
  });

  it('writes booleans, bytes, and tags of more than one byte', () => {
    expect(
      hexOf(
        written([
          [2, true],
          [16, Uint8Array.of(1, 255)],
          [1, 2n ** 63n - 1n],
        ]),
      ),
    ).toBe('100182010201ff08ffffffffffffffff7f');
  });

  // RFC 4648, section 10.
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('writes %j as %j in base64', (text, base64) => {
    expect(base64Of(new TextEncoder().encode(text))).toBe(base64);
  });

  it.each([[7], [[['1', 2]]], [[1]], [[[1, null]]]])('refuses the table %j', (table) => {
    expect(() => fieldsIn(table)).toThrow(/expected/);
  });

  it('refuses digits that are not hexadecimal', () => {
    expect(() => bytesOf('0g')).toThrow('expected hexadecimal digits; came 0g');
    expect([...bytesOf('00 ff')]).toEqual([0, 255]);
  });
});

describe('the reader of .proto files', () => {
  it('reads every kind of field', () => {
    const text = `syntax = "proto3"; package p; // a remark
      service S { rpc M(stream A) returns (B); }
      message A { string s = 1; optional int32 o = 2; repeated B r = 3; map<string, string> m = 4; B b = 5;
        oneof x { bool y = 6; } E e = 7; }
      message B {}
      enum E { ZERO = 0; ONE = 1; }`;
    const { messages, enums, roots, package: name } = readProto(text);
    expect([name, roots, [...(enums.get('E') ?? [])]]).toEqual([
      'p',
      ['A', 'B'],
      [
        ['ZERO', 0],
        ['ONE', 1],
      ],
    ]);
    expect(
      messages
        .get('A')
        ?.map(({ name, number, type, presence, oneof = '' }) => [name, number, type, presence, oneof]),
    ).toEqual([
      ['s', 1, 'string', 'implicit', ''],
      ['o', 2, 'int32', 'explicit', ''],
      ['r', 3, 'B', 'repeated', ''],
      ['m', 4, 'string', 'map', ''],
      ['b', 5, 'B', 'explicit', ''],
      ['y', 6, 'bool', 'explicit', 'x'],
      ['e', 7, 'E', 'implicit', ''],
    ]);
  });

  it.each([
    ['import "a.proto";', 'expected a statement; came import'],
    ['message A { float f = 1; }', 'f: unknown type float'],
    ['message A { string s 1; }', 'expected =; came 1'],
    ['message A { string s = 1', 'expected ;; came the end'],
  ])('refuses %s', (text, sentence) => {
    expect(() => readProto(text)).toThrow(sentence);
  });
});
