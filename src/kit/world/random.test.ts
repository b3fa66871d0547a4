/** Seeded randomness: the same seed, the same sequence, everywhere. */
import { describe, expect, it } from 'vitest';
import { hashSeed, seededRandom } from './random.ts';

const first = (seed: string, n: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => random.next());
};

describe('hashSeed', () => {
  // The published test vectors of 32-bit FNV-1a (Fowler, Noll, Vo).
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['b', 0xe70c2de5],
    ['foobar', 0xbf9cf968],
  ])('of "%s" is FNV-1a', (text, hash) => expect(hashSeed(text)).toBe(hash));
});

describe('a seeded generator', () => {
  it('repeats itself from the same seed, and not from another', () => {
    expect(first('7', 100)).toEqual(first('7', 100));
    expect(first('7', 100)).not.toEqual(first('8', 100));
    expect(first('7 network', 3)).not.toEqual(first('7 scenario', 3));
  });

  it('is mulberry32 of the seed’s hash', () => {
    // Computed apart, in 64-bit integers, from the published algorithm (T. Ettinger, mulberry32).
    let a = BigInt(hashSeed('seed'));
    const mask = 0xffffffffn;
    const imul = (x: bigint, y: bigint): bigint => (x * y) & mask;
    const expected = Array.from({ length: 50 }, () => {
      a = (a + 0x6d2b79f5n) & mask;
      let t = imul(a ^ (a >> 15n), a | 1n);
      t ^= (t + imul(t ^ (t >> 7n), t | 61n)) & mask;
      return Number((t ^ (t >> 14n)) & mask) / 2 ** 32;
    });
    expect(first('seed', 50)).toEqual(expected);
  });

  it('gives floats in [0, 1), evenly', () => {
    const all = first('even', 20_000);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...all)).toBeLessThan(1);
    const tenths = Array.from({ length: 10 }, (_, i) => all.filter((x) => Math.floor(x * 10) === i).length);
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(250);
  });

  it('gives integers below n, each of them', () => {
    const random = seededRandom('dice');
    const seen = new Set(Array.from({ length: 500 }, () => random.below(6)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(random.below(1)).toBe(0);
  });

  it('gives version-4 UUIDs, no two alike', () => {
    const random = seededRandom('ids');
    const ids = Array.from({ length: 1000 }, () => random.uuid());
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(1000);
  });
});
