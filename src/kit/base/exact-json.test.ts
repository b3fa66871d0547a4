/** JSON that keeps all digits of integers of 64 bits, and is otherwise that of JSON.parse and JSON.stringify. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJsonOf, exactText, hasLongDigits, integerOf } from './exact-json.ts';

describe('an integer', () => {
  it.each(['2512292042121000001', '-9223372036854775808', '18446744073709551615', '9007199254740993'])(
    '%s keeps its digits, wherever it stands',
    (digits) => {
      for (const text of [
        digits,
        `[${digits}]`,
        `{"a":{"b":[0,${digits},"${digits}"]},"c":-0.5e3,"${digits}":null}`,
      ])
        expect(exactText(exactJsonOf(text))).toBe(text.replace('-0.5e3', '-500'));
    },
  );

  it.each([
    ['9007199254740992', 9007199254740992],
    ['1152921504606847000', 2 ** 60],
    ['18446744073709551616', 2 ** 64],
    ['-9223372036854775809', -(2 ** 63)],
    ['123456789012345678901234567890', Number('123456789012345678901234567890')],
    ['7', 7],
  ])('%s is a double, as it is one or has more than 64 bits', (digits, value) => {
    expect(integerOf(digits)).toBe(value);
  });
});

it('bytes have long digits where a row of 16 begins at any byte, and nowhere else', () => {
  for (let before = 0; before < 40; before++) {
    const bytes = (digits: number): Uint8Array =>
      new TextEncoder().encode(`${'x'.repeat(before)}${'7'.repeat(digits)}é1`);
    expect([before, hasLongDigits(bytes(16), 0, before + 19)]).toEqual([before, true]);
    expect([before, hasLongDigits(bytes(15), 0, before + 18)]).toEqual([before, false]);
    // Digits outside the part do not count.
    expect([before, hasLongDigits(bytes(16), 0, before + 15)]).toEqual([before, false]);
    expect([before, hasLongDigits(bytes(16), before + 1, before + 19)]).toEqual([before, false]);
  }
});

it('is JSON.parse and JSON.stringify for any value that they keep', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify({ value, long: '0123456789012345678' }, null, indent);
      expect(exactJsonOf(text)).toEqual(JSON.parse(text));
      expect(exactText(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it('reads escapes, keys of JavaScript and repeated keys as JSON.parse does', () => {
  const text = '{"__proto__":9007199254740993,"a\\"\\\\":" [1,{\\"b\\":2}] ","x":1,"x":9007199254740995}';
  const value = exactJsonOf(text) as Record<string, unknown>;
  expect(Object.entries(value)).toEqual([
    ['__proto__', 9007199254740993n],
    ['a"\\', ' [1,{"b":2}] '],
    ['x', 9007199254740995n],
  ]);
});

it.each([
  '{"a":9007199254740993',
  '9007199254740993 1',
  '[9007199254740993,]',
  '{"a" 9007199254740993}',
  '01234567890123456',
])('refuses %s, as JSON.parse does', (text) => {
  expect(() => exactJsonOf(text)).toThrow(SyntaxError);
});

it('refuses a value that holds itself, as JSON.stringify does', () => {
  const loop: Record<string, unknown> = { n: 1n };
  loop['loop'] = [loop];
  expect(() => exactText(loop)).toThrow(TypeError);
});

it('leaves out what JSON leaves out', () => {
  expect(exactText({ a: 1n, b: undefined, c: [undefined, NaN] })).toBe('{"a":1,"c":[null,null]}');
});
