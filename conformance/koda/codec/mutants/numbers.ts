/** Codecs that are wrong in numbers. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { echoes, inArgs, mutant, refuses, sends, takesAs } from './mutant.ts';

/** Integers of 16 digits and more that are neither strings nor floats: those beyond 2^53, and a few below. */
const longIntegers = /(?<=[:[,])(?<!"(?:context_pct|rate)":)-?\d{16,}(?=[,}\]])/g;

const isCall = (sent: string): boolean => sent.startsWith('{"type":"tool_call_start"');

const rounded = (text: string): string => text.replaceAll(longIntegers, (digits) => String(Number(digits)));

const saturated = (text: string): string =>
  text.replaceAll(longIntegers, (digits) =>
    BigInt(digits) > 2n ** 63n - 1n ? String(2n ** 63n - 1n) : digits,
  );

/** Edits the integer for which a text is refused. */
const takesIntegers = (edit: (text: string) => string): ReturnType<typeof takesAs> =>
  takesAs((text, { fault }) => (fault === 'not-an-integer' ? edit(text) : text));

const isWholeFloat = (text: string): boolean => /"(?:context_pct|rate)":-?\d+(?=[,}])/.test(text);

/** Numbers with a fraction that is not 0, and without an exponent. */
const fractions = /(?<=[:[,])-?\d+\.\d*[1-9](?=[,}\]])/g;

/** Writes such numbers in another way. */
const respelled =
  (spell: (value: number) => string) =>
  (text: string): string =>
    text.replaceAll(fractions, (number) => spell(Number(number)));

const sixDecimals = respelled((value) => value.toFixed(6));

/** The mutants of numbers. */
export const numberMutants: readonly Mutant[] = [
  mutant(
    9,
    'takes-fractions',
    'It takes 1.0 for an integer.',
    takesIntegers((text) => text.replace(/(?<=:\d+)\.0(?=[,}])/, '')),
  ),
  mutant(
    9,
    'truncates',
    'It truncates floats to integers.',
    takesIntegers((text) => text.replace(/(?<=:\d+)\.\d+(?=[,}])/, '')),
  ),
  mutant(
    9,
    'takes-exponents',
    'It takes 1e2 for an integer.',
    takesIntegers((text) => text.replace(/(?<=:)\d+e\d+/, (number) => String(Number(number)))),
  ),
  mutant(
    9,
    'takes-minus-zero',
    'It takes -0 for an integer.',
    takesIntegers((text) => text.replace(/(?<=:)-0(?=[,}])/, '0')),
  ),
  mutant(
    9,
    'takes-digits',
    'It takes a string of digits for an integer.',
    takesAs((text, { fault }) => (fault === 'wrong-type' ? text.replace(/(?<=:)"(\d+)"/, '$1') : text)),
  ),
  mutant(
    9,
    'wraps',
    'It wraps integers beyond 64 bits.',
    takesAs((text) => text.replace(/(?<=:)18446744073709551616/, '0')),
  ),
  mutant(
    9,
    'wraps-u32',
    'It reads cap as 64 bits.',
    takesAs((text, { path }) => (path === 'cap' ? text.replace('4294967296', '0') : text)),
  ),
  mutant(
    9,
    'wraps-i64',
    'It takes integers beyond the range of i64.',
    takesAs((text) => text.replace(/(?<=_tokens":)(?:9223372036854775808|-9223372036854775809)/, '0')),
  ),
  mutant(
    9,
    'takes-negatives',
    'It takes negative integers for unsigned ones.',
    takesAs((text, { fault }) => (fault === 'out-of-range' ? text.replace(/(?<=:)-(?=\d+[,}])/, '') : text)),
  ),
  mutant(
    9,
    'refuses-large-caps',
    'It reads cap as i32.',
    refuses((text) => text.includes('"cap":4294967295')),
  ),

  mutant(
    10,
    'rounds',
    'It reads all integers as doubles.',
    sends((sent) => (isCall(sent) ? sent : rounded(sent))),
  ),
  mutant(10, 'rounds-args', 'It reads the integers of args as doubles.', sends(inArgs(rounded))),
  mutant(
    10,
    'saturates',
    'It reads u64 as i64.',
    sends((sent) => (isCall(sent) ? sent : saturated(sent))),
  ),
  mutant(10, 'saturates-args', 'It reads the integers of args as i64.', sends(inArgs(saturated))),
  mutant(
    10,
    'sends-digits',
    'It sends large integers as strings.',
    sends((sent) => sent.replaceAll(longIntegers, '"$&"')),
  ),
  mutant(10, 'rounds-when-encoding', 'It encodes large integers as doubles.', sends(rounded, 'koda.encode')),
  mutant(
    10,
    'refuses-large-args',
    'It refuses large integers within args.',
    refuses((text) => /"args":.*[:[]-?\d{16,}/.test(text)),
  ),

  mutant(11, 'refuses-whole-floats', 'It refuses a float without a fraction.', refuses(isWholeFloat)),
  mutant(
    11,
    'refuses-minus-zero',
    'It refuses -0 for a float.',
    refuses((text) => /"(?:context_pct|rate)":-0(?=[,}])/.test(text)),
  ),
  mutant(
    11,
    'refuses-long-floats',
    'It reads a float without a fraction as an integer of 64 bits.',
    refuses((text) => /"(?:context_pct|rate)":\d{20,}(?=[,}])/.test(text)),
  ),

  mutant(
    12,
    'infinite-as-null',
    'It encodes an infinite number as null.',
    echoes(
      ({ fault }, text) => fault === 'number-too-large' || text.includes('Infinity'),
      'koda.encode',
      (text) => text.replace(/(?<=:)(?:-?1e400|-?Infinity)/, 'null'),
    ),
  ),
  mutant(
    12,
    'sends-nan',
    'It encodes NaN as NaN.',
    echoes((_, text) => text.includes('NaN'), 'koda.encode'),
  ),
  mutant(
    12,
    'takes-null-floats',
    'It takes null for a float.',
    echoes(({ fault }) => fault === 'null-float'),
  ),
  mutant(
    12,
    'nulls-large-floats',
    'It sends null for the largest double.',
    sends((sent) => sent.replace(/1\.7976931348623157e\+308/, 'null')),
  ),

  mutant(13, 'six-decimals', 'It writes floats with six decimals.', sends(sixDecimals)),
  mutant(
    13,
    'six-digits',
    'It writes floats with six digits.',
    sends(respelled((value) => String(Number(value.toPrecision(6))))),
  ),
  mutant(
    13,
    'single-precision',
    'It reads floats in single precision.',
    sends(respelled((value) => String(Math.fround(value)))),
  ),
  mutant(
    13,
    'six-decimals-in-args',
    'It writes the floats of args with six decimals.',
    sends(inArgs(sixDecimals)),
  ),
  mutant(
    13,
    'six-decimals-when-encoding',
    'It encodes floats with six decimals.',
    sends(sixDecimals, 'koda.encode'),
  ),
  mutant(
    13,
    'flushes-denormals',
    'It reads doubles below the normal ones as 0.',
    sends((sent) => sent.replaceAll(/-?\d(?:\.\d+)?e-3(?:09|[12]\d)/g, '0.0')),
  ),
];
