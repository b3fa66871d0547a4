/** Codecs that are wrong in numbers. */
import { echoes, inArgs, refuses, sends, takesAs } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

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

export const numberFaults: CodecFaults = {
  'takes-fractions': takesIntegers((text) => text.replace(/(?<=:\d+)\.0(?=[,}])/, '')),
  truncates: takesIntegers((text) => text.replace(/(?<=:\d+)\.\d+(?=[,}])/, '')),
  'takes-exponents': takesIntegers((text) =>
    text.replace(/(?<=:)\d+e\d+/, (number) => String(Number(number))),
  ),
  'takes-minus-zero': takesIntegers((text) => text.replace(/(?<=:)-0(?=[,}])/, '0')),
  'takes-digits': takesAs((text, { fault }) =>
    fault === 'wrong-type' ? text.replace(/(?<=:)"(\d+)"/, '$1') : text,
  ),
  wraps: takesAs((text) => text.replace(/(?<=:)18446744073709551616/, '0')),
  'wraps-u32': takesAs((text, { path }) => (path === 'cap' ? text.replace('4294967296', '0') : text)),
  'wraps-i64': takesAs((text) =>
    text.replace(/(?<=_tokens":)(?:9223372036854775808|-9223372036854775809)/, '0'),
  ),
  'takes-negatives': takesAs((text, { fault }) =>
    fault === 'out-of-range' ? text.replace(/(?<=:)-(?=\d+[,}])/, '') : text,
  ),
  'refuses-large-caps': refuses((text) => text.includes('"cap":4294967295')),

  rounds: sends((sent) => (isCall(sent) ? sent : rounded(sent))),
  'rounds-args': sends(inArgs(rounded)),
  saturates: sends((sent) => (isCall(sent) ? sent : saturated(sent))),
  'saturates-args': sends(inArgs(saturated)),
  'sends-digits': sends((sent) => sent.replaceAll(longIntegers, '"$&"')),
  'rounds-when-encoding': sends(rounded, 'koda.encode'),
  'refuses-large-args': refuses((text) => /"args":.*[:[]-?\d{16,}/.test(text)),

  'refuses-whole-floats': refuses(isWholeFloat),
  'refuses-minus-zero': refuses((text) => /"(?:context_pct|rate)":-0(?=[,}])/.test(text)),
  'refuses-long-floats': refuses((text) => /"(?:context_pct|rate)":\d{20,}(?=[,}])/.test(text)),

  'infinite-as-null': echoes(
    ({ fault }, text) => fault === 'number-too-large' || text.includes('Infinity'),
    'koda.encode',
    (text) => text.replace(/(?<=:)(?:-?1e400|-?Infinity)/, 'null'),
  ),
  'sends-nan': echoes((_, text) => text.includes('NaN'), 'koda.encode'),
  'takes-null-floats': echoes(({ fault }) => fault === 'null-float'),
  'nulls-large-floats': sends((sent) => sent.replace(/1\.7976931348623157e\+308/, 'null')),

  'six-decimals': sends(sixDecimals),
  'six-digits': sends(respelled((value) => String(Number(value.toPrecision(6))))),
  'single-precision': sends(respelled((value) => String(Math.fround(value)))),
  'six-decimals-in-args': sends(inArgs(sixDecimals)),
  'six-decimals-when-encoding': sends(sixDecimals, 'koda.encode'),
  'flushes-denormals': sends((sent) => sent.replaceAll(/-?\d(?:\.\d+)?e-3(?:09|[12]\d)/g, '0.0')),
};
