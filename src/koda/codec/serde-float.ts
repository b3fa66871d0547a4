/**
 * The numbers at the top of the doubles, as serde_json's default float parser decides (without its feature
 * float_roundtrip). It takes the first digits that fit in 64 bits, rounds them to a double, and multiplies that by a power
 * of ten. So 1.7976931348623158e308 is beyond the doubles for it, and 1.79769313486231599e308 is not.
 */

/** From here on the parser and an exact one decide apart. Their errors are below one part in 10^15. */
const top = 1.797e308;

/** The most digits of a significand, and the largest one: 2^64 - 1. */
const largest = '18446744073709551615';

/** The number as a double. Where an exact parser finds it beyond the doubles, serde_json has the largest double. */
export const doubleOf = (text: string): number => finite(Number(text));

/** The largest double in the place of an infinite one. */
export const finite = (value: number): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));

/** Whether serde_json refuses the text of a JSON number as out of range. */
export function overflows(text: string): boolean {
  if (Math.abs(Number(text)) < top) return false;
  const [, integer = '', fraction = '', exponent = '0'] = parts.exec(text) ?? [];
  const whole = takeDigits('', integer);
  const all = takeDigits(whole.significand, fraction);
  const power = Number(exponent) + (integer.length - whole.taken) - all.taken;
  const significand = Number(all.significand);
  if (significand === 0) return false;
  return power > 308 || significand * Number(`1e${power}`) === Infinity;
}

const parts = /^-?(\d+)(?:\.(\d+))?(?:[Ee]([-+]?\d+))?$/;

/** Adds the digits that still fit to a significand. Leading zeros are taken, and leave it empty. */
function takeDigits(
  before: string,
  digits: string,
): { readonly significand: string; readonly taken: number } {
  const zeros = before === '' ? digits.length - digits.replace(/^0+/, '').length : 0;
  let taken = Math.min(largest.length - before.length, digits.length - zeros);
  const withTaken = (): string => before + digits.slice(zeros, zeros + taken);
  if (withTaken().length === largest.length && withTaken() > largest) taken--;
  return { significand: withTaken(), taken: zeros + taken };
}
