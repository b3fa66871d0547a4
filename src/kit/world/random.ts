/** Randomness as an argument. */

/** A source of random values. The same seed gives the same sequence. */
export interface Random {
  /** A float in [0, 1). */
  next(): number;
  /** An integer in [0, n). */
  below(n: number): number;
  /** A version-4 UUID. */
  uuid(): string;
}

/** The 32-bit FNV-1a hash of a text, as a seed. */
export function hashSeed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * A seeded generator (mulberry32) for delays, faults and ids. Not for secrets.
 *
 * @example
 * seededRandom('7').below(6) === seededRandom('7').below(6); // true
 */
export function seededRandom(seed: string): Random {
  let a = hashSeed(seed);
  const next = (): number => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const hex = (digits: number): string => {
    let s = '';
    for (let i = 0; i < digits; i++) s += below(16).toString(16);
    return s;
  };
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'.charAt(below(4))}${hex(3)}-${hex(12)}`;
  return { next, below, uuid };
}
