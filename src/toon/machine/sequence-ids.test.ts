/** Sequence ids over the wrap, and what is told about a sender. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextSequenceId, serialCompare, noSequence, track } from './sequence-ids.ts';
import type { SequenceState, Tracked } from './sequence-ids.ts';

const id = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1),
);

/** What each id of a row is. */
function kinds(...ids: readonly number[]): string[] {
  let state = noSequence;
  return ids.map((sequenceId) => {
    const tracked: Tracked = track(state, sequenceId);
    state = tracked.state;
    return tracked.missing === undefined ? tracked.kind : `${tracked.kind} ${tracked.missing}`;
  });
}

describe('sequence ids', () => {
  it('wrap to 0 after 32 bits (TOON-31)', () => {
    expect([0, 7, 4294967294, 4294967295].map(nextSequenceId)).toEqual([1, 8, 4294967295, 0]);
  });

  it('are compared over the wrap, as RFC 1982 has it', () => {
    expect(serialCompare(0, 4294967295)).toBeGreaterThan(0);
    expect(serialCompare(4294967295, 0)).toBeLessThan(0);
    expect(serialCompare(5, 5)).toBe(0);
    expect(serialCompare(100, 3)).toBeGreaterThan(0);
    // "b comes after a if (b - a) mod 2^32 is from 1 to 2147483647".
    expect(serialCompare(2147483647, 0)).toBeGreaterThan(0);
    expect(serialCompare(10, 2147483659)).toBeGreaterThan(0);
  });

  it('are in one order, seen from both sides, but for those half the circle apart', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        if (Math.abs(a - b) === 2 ** 31) return;
        expect(Math.sign(serialCompare(a, b))).toBe(0 - Math.sign(serialCompare(b, a)));
        expect(serialCompare(nextSequenceId(a), a)).toBe(1);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('a sender', () => {
  it('may begin anywhere (TOON-30), and goes on over the wrap', () => {
    expect(kinds(4294967294, 4294967295, 0, 1)).toEqual(['first', 'next', 'next', 'next']);
  });

  it('leaves a gap when it counts on by more than one', () => {
    expect(kinds(1, 2, 5, 6)).toEqual(['first', 'next', 'gap 2', 'next']);
    expect(kinds(4294967295, 2)).toEqual(['first', 'gap 2']);
  });

  it('repeats an id, and is found out however late', () => {
    expect(kinds(1, 1)).toEqual(['first', 'duplicate']);
    expect(kinds(1, 2, 3, 4, 2)).toEqual(['first', 'next', 'next', 'next', 'duplicate']);
  });

  it('is out of order when what was missing comes after all, once', () => {
    expect(kinds(1, 4, 2, 3, 2, 5)).toEqual([
      'first',
      'gap 2',
      'reordered',
      'reordered',
      'duplicate',
      'next',
    ]);
    expect(kinds(1, 9, 5, 4, 6, 5)).toEqual([
      'first',
      'gap 7',
      'reordered',
      'reordered',
      'reordered',
      'duplicate',
    ]);
  });

  it('is out of order when an id comes that is older than its first', () => {
    expect(kinds(10, 9)).toEqual(['first', 'reordered']);
    expect(kinds(0, 4294967295)).toEqual(['first', 'reordered']);
  });

  it('is remembered in bounded space', () => {
    let state: SequenceState = noSequence;
    for (let i = 0; i < 10_000; i++) state = track(state, i * 3).state;
    expect(state.gaps.length).toBeLessThanOrEqual(40);
    expect(track(state, 29_996).kind).toBe('reordered');
  });

  it('is followed all around the circle', () => {
    let state: SequenceState = noSequence;
    for (let turn = 0; turn < 20; turn++) {
      const tracked = track(state, (turn * 0x3000_0000) >>> 0);
      expect(tracked.kind).toBe(turn === 0 ? 'first' : 'gap');
      state = tracked.state;
    }
    expect(track(state, ((19 * 0x3000_0000) >>> 0) + 1).kind).toBe('next');
  });

  it('is tracked without a change to the state that was given', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 30 }), (ids) => {
        let state: SequenceState = noSequence;
        for (const sequenceId of ids) {
          const before = JSON.stringify(state);
          const { state: next } = track(state, sequenceId);
          expect(JSON.stringify(state)).toBe(before);
          state = next;
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
