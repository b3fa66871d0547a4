/** Integers of up to 64 bits: their ranges, and their two forms in messages. */
import type { Integer } from '../messages.ts';

/** An integer type of Rust. */
export type IntegerType = 'usize' | 'u64' | 'u32' | 'i64';

/** The smallest and the largest integer of each type. usize has 64 bits. */
const ranges: { readonly [T in IntegerType]: readonly [bigint, bigint] } = {
  usize: [0n, 2n ** 64n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** No integer of 64 bits has more characters; BigInt of a long text is slow. */
const mostCharacters = 20;

/** The integer of these decimal digits, without a leading zero; undefined when it is out of the range of its type. */
export function integerOf(digits: string, type: IntegerType): Integer | undefined {
  if (digits.length > mostCharacters) return undefined;
  const number = Number(digits);
  const [least, most] = ranges[type];
  if (Number.isSafeInteger(number)) return number >= least && number <= most ? number : undefined;
  const exact = BigInt(digits);
  return exact >= least && exact <= most ? digits : undefined;
}

/** Whether a value is an integer of this type, in one of its two forms: digits are only for integers beyond 2^53 - 1. */
export function isInteger(value: unknown, type: IntegerType): value is Integer {
  if (typeof value === 'string')
    return /^-?[1-9]\d*$/.test(value) && typeof integerOf(value, type) === 'string';
  return typeof value === 'number' && Number.isSafeInteger(value) && isInRange(value, type);
}

function isInRange(value: number, type: IntegerType): boolean {
  const [least, most] = ranges[type];
  return value >= least && value <= most;
}
