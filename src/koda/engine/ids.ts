/** Ids of the reference engine: a UUID is a function of the seed and of a number, so that the role can be replayed. */
import type { EngineStep } from './state.ts';

/** A fresh version-4 UUID (KODA-24). */
export const freshId = (step: EngineStep): string => uuidOf(step.work.options.seed, step.nextId());

/**
 * The UUID of a number below 2^32. Two numbers have different UUIDs. Not for secrets.
 *
 * @example
 * uuidOf('koda', 1) === uuidOf('koda', 1); // true
 * uuidOf('koda', 1) === uuidOf('koda', 2); // false
 */
export function uuidOf(seed: string, number: number): string {
  const [a, b, c, d] = [0, 1, 2, 3].map((word) => scramble(hash(`${word}:${seed}`) + number));
  const digits = `${a}${b}${c}${d}`;
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4);
  const [head, middle, tail] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(20)];
  return `${head}-${middle}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${tail}`;
}

/** The FNV-1a hash of a text. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** A permutation of the 32-bit numbers (the finish of MurmurHash3), as eight digits. */
function scramble(n: number): string {
  let h = n >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0).toString(16).padStart(8, '0');
}
