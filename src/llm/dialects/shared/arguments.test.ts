/** Arguments of calls: accepted and refused ones (LLM-C01, C02, C16, C20). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyArguments } from '../../arbitrary/answer.ts';
import { excerpt, mostArgumentDepth, readArguments } from './arguments.ts';

const kind = (text: string): string => {
  const read = readArguments(text);
  return read.ok ? 'ok' : read.error.kind;
};

test('any object is read unchanged', () => {
  fc.assert(
    fc.property(anyArguments, fc.nat(3), (input, indent) => {
      expect(readArguments(JSON.stringify(input, undefined, indent))).toEqual({ ok: true, value: input });
    }),
    { numRuns: 300 },
  );
});

test('an object that was cut anywhere is never accepted, and never repaired', () => {
  fc.assert(
    fc.property(anyArguments, fc.nat(), (input, at) => {
      const text = JSON.stringify(input);
      expect(kind(text.slice(0, at % text.length))).toBe('no-json');
    }),
    { numRuns: 300 },
  );
});

test.each(['[]', '[{}]', '"{}"', '1', 'null', 'true'])('%s is JSON, but not an object', (text) => {
  expect(kind(text)).toBe('no-object');
});

describe('numbers', () => {
  test.each(['9007199254740993', '-9007199254740993', '12345678901234567890', '1e400', '-1e999'])(
    '%s is refused, because a double cannot hold it',
    (number) => {
      expect(kind(`{"a":[0,${number}]}`)).toBe('number');
    },
  );

  test('with thousands of digits are refused at low cost', () => {
    expect(kind(`{"a":${'9'.repeat(1_000_000)}}`)).toBe('number');
  });

  test.each(['9007199254740991', '9007199254740992', '10000000000000000000000', '0.1', '1e22', '-0', '1E-7'])(
    '%s is accepted',
    (number) => {
      expect(kind(`{"a":${number}}`)).toBe('ok');
    },
  );

  test('in strings and keys are no numbers', () => {
    expect(kind('{"9007199254740993":"\\"9007199254740993\\\\"}')).toBe('ok');
  });
});

test('nesting beyond the bound is refused, without recursion', () => {
  const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(kind(nested(mostArgumentDepth - 1))).toBe('ok');
  expect(kind(nested(mostArgumentDepth))).toBe('depth');
  expect(kind(nested(100_000))).toBe('depth');
});

test('a refusal shows only the beginning of the arguments', () => {
  const read = readArguments(`{"a":"${'x'.repeat(10_000)}`);
  if (read.ok) throw new Error('it was taken');
  expect(read.error.message.length).toBeLessThan(200);
  expect(excerpt('a"b')).toBe('"a\\"b"');
});
