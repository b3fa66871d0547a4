/** Random JSON values that all parsers read equally: no integers beyond 2^53, and only fractions that are exact in binary. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[random.below(items.length)] ?? items[0];

/** Pieces of strings: escaped in JSON, long in UTF-8, or special to this codec (Z, long runs). */
const pieces =
  'a Z { " \\ / \n \t \u0000 \u001f \u007f \u00e9 \u20ac \u2028 \u{1f600} e\u0301 \u05d0 \ufeff </script> null xxxxxxxxxx'.split(
    ' ',
  );

/** A string of up to 12 pieces. */
export const randomText = (random: Random): string =>
  Array.from({ length: random.below(13) }, () => pieces[random.below(pieces.length)]).join('');

const randomNumber = (random: Random): number =>
  pick(random, [
    () => random.below(10),
    () => random.below(2 ** 31) - 2 ** 30,
    () => random.below(2 ** 53) - 2 ** 52,
    () => (random.below(2 ** 20) - 2 ** 19) / 64,
  ])();

/** A random JSON value of at most this depth. */
export function randomJson(random: Random, depth: number): Json {
  const kind = random.below(depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.below(2) === 0;
  if (kind === 2) return plus(randomNumber(random));
  if (kind <= 4) return randomText(random);
  if (kind === 5) return Array.from({ length: random.below(5) }, () => randomJson(random, depth - 1));
  return randomObject(random, depth - 1);
}

/** An object of up to five members. */
export const randomObject = (random: Random, depth: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: random.below(6) }, () => [randomText(random), randomJson(random, depth)] as const),
  );

/** Replaces -0 by 0, because not every parser keeps the sign. */
const plus = (number: number): number => (number === 0 ? 0 : number);
