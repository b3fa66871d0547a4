/** The reader of RLE against the known answers and the rows of the requirement list. */
import { describe, expect, it } from 'vitest';
import { readRle } from './rle.ts';
import type { Rle } from './rle.ts';

const read = (hex: string): Rle => {
  const rle = readRle(Buffer.from(hex, 'hex'));
  if (typeof rle === 'string') throw new Error(rle);
  return rle;
};

const peculiar = (hex: string): readonly string[] => Object.keys(read(hex).peculiar);

/** "RLE of runs of 0x41" and "0xFF × 1, 2, 3" (toon.md, "Bytes"). */
const known: readonly (readonly [byte: number, count: number, hex: string])[] = [
  [0x41, 3, '414141'],
  [0x41, 4, 'ff4104'],
  [0x41, 255, 'ff41ff'],
  [0x41, 256, 'ff41ff41'],
  [0x41, 257, 'ff41ff4141'],
  [0x41, 511, 'ff41ffff41ff41'],
  [0xff, 1, 'ffff01'],
  [0xff, 2, 'ffff02'],
  [0xff, 3, 'ffff03'],
];

describe('the reader of RLE', () => {
  it.each(known)('0x%s × %i is %s, and nothing is odd about it', (byte, count, hex) => {
    const { expanded, peculiar } = read(hex);
    expect(expanded).toEqual(new Uint8Array(count).fill(byte));
    expect(peculiar).toEqual({});
  });

  it('reads literal bytes between runs', () => {
    expect(Buffer.from(read('61ff410562ffff0163').expanded).toString('latin1')).toBe('aAAAAAb\u00ffc');
    expect(peculiar('61ff410562ffff0163')).toEqual([]);
    expect(read('').expanded).toHaveLength(0);
  });

  it.each([
    ['41414141', 'four literal'],
    ['41'.repeat(255), '255 literal'],
    [`ff41ff${'41'.repeat(45)}`, '300 with the last 45 literal'],
  ])('TOON-19: %s: %s', (hex) => {
    expect(peculiar(hex)).toEqual(['run-literal']);
  });

  it.each([
    ['ff41ffff4101', 'a remainder of 1 as a triple'],
    ['ff41ffff4103', 'a remainder of 3 as a triple'],
    ['ff4103', 'a run of 3 as a triple'],
    ['ff4104ff4106', 'a run of 10 as two triples'],
    ['ff41c8ff4164', 'a run of 300 split at 200'],
    ['ff41feff4104', 'a run of 258 split at 254'],
    ['41ff4104', 'a run of 5, the first of them literal'],
    ['ff41fe41', 'a run of 255 split at 254'],
    ['ffff01ffff01', 'two 0xFF as two triples'],
  ])('TOON-20: %s: %s', (hex) => {
    expect(peculiar(hex)).toEqual(['run-split']);
  });

  it('TOON-22: a count of 0 gives no bytes, and is the only peculiarity', () => {
    expect(peculiar('ff41ffff4100')).toEqual(['count-zero']);
    expect(read('ff41ffff4100').expanded).toHaveLength(255);
    expect(peculiar('61ff620063')).toEqual(['count-zero']);
  });

  it('gives the expectation and the observation', () => {
    expect(read('61ff41ffff4103').peculiar['run-split']).toBe(
      'expected 258 × 0x41 as a triple of 255 and 3 literal; came a triple of 255, a triple of 3',
    );
    expect(read('4141414141').peculiar['run-literal']).toBe(
      'expected 5 × 0x41 as a triple of 5; came 5 literal',
    );
    expect(read('61ff4200').peculiar['count-zero']).toBe(
      'expected no count of 0; a count of 0 came at byte 1 of the RLE text',
    );
    expect(read('ff4101'.repeat(300)).peculiar['run-split']).toContain('came 300 triples');
  });

  it.each(['ff', 'ff41', '6162ff', 'ff4104ff42'])('TOON-24: %s is cut off', (hex) => {
    expect(readRle(Buffer.from(hex, 'hex'))).toContain('cut off');
  });

  it('expands no more than 16 MiB', () => {
    const triples = Math.floor((16 << 20) / 255);
    expect(read('ff41ff'.repeat(triples)).expanded).toHaveLength(triples * 255);
    expect(readRle(Buffer.from('ff41ff'.repeat(triples + 1), 'hex'))).toContain('more than 16777216 bytes');
  });
});
