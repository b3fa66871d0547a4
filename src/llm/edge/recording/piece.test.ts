/** The pieces of recordings. */
import { describe, expect, it } from 'vitest';
import { PieceLog, isPieces, playedPieces } from './piece.ts';
import type { ReplayPacing } from './piece.ts';

const played = (recorded: string, size: number, pacing: ReplayPacing = {}): string =>
  [...playedPieces(recorded, size, pacing)].map(({ pause, length }) => `${pause}/${length}`).join(' ');

describe('the pieces of an answer', () => {
  it('are noted with the pause before each, from the request on', () => {
    const log = new PieceLog(1000);
    log.add(10, 1150.4);
    log.add(20, 1150.6);
    log.add(5, 1300);
    expect(log.text()).toBe('150/10 0/20 149/5');
  });

  it('are a text of numbers', () => {
    expect(['', '1/2', '1/2 30/4'].every(isPieces)).toBe(true);
    expect(['1', '1/2 ', '-1/2', '1/2,3/4', '1.5/2'].filter(isPieces)).toEqual([]);
  });

  it('are played as they came', () => expect(played('150/10 0/20', 30)).toBe('150/10 0/20'));

  it('are one piece where a recording has none', () => expect(played('', 30)).toBe('0/30'));

  it('end with the answer, and with its rest', () => {
    expect(played('150/10 0/20', 25)).toBe('150/10 0/15');
    expect(played('150/10 0/20', 10)).toBe('150/10');
    expect(played('150/10', 30)).toBe('150/10 0/20');
  });

  it('have other sizes, pauses and ends where that is asked', () => {
    expect(played('150/10 0/20', 30, { chunk: 12 })).toBe('0/12 0/12 0/6');
    expect(played('150/10 7/20', 30, { delay: 5 })).toBe('5/10 5/20');
    expect(played('150/10 7/20', 30, { chunk: 20, delay: 5 })).toBe('5/20 5/10');
    expect(played('150/10 7/20', 30, { cut: 12 })).toBe('150/10 7/2');
    expect(played('150/10 7/20', 30, { cut: 0 })).toBe('');
    expect(played('150/10 7/20', 30, { cut: 99 })).toBe('150/10 7/20');
  });
});
