/** Breakpoints of usage (TOK-32). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breakpoints } from './breakpoints.ts';

/** What fires at each of some ratios, one after the other. */
function fired(ratios: readonly number[], shares?: readonly number[]): readonly (readonly number[])[] {
  let breakpoints = new Breakpoints(shares);
  return ratios.map((ratio) => {
    const step = breakpoints.observe(ratio);
    breakpoints = step.breakpoints;
    return step.events.map(({ at }) => at);
  });
}

describe('breakpoints', () => {
  it('are at 0.6 and 0.9, and fire when usage gets there', () => {
    expect(fired([0.59, 0.6, 0.89, 0.9])).toEqual([[], [0.6], [], [0.9]]);
  });

  it('fire both when usage leaps over them', () => {
    expect(fired([0.95])).toEqual([[0.6, 0.9]]);
  });

  it('fire once per ascent: falling below 0.9 alone does not arm it again', () => {
    expect(fired([0.95, 0.7, 0.95, 0.6, 0.95])).toEqual([[0.6, 0.9], [], [], [], []]);
  });

  it('are armed again strictly below the lowest', () => {
    expect(fired([0.95, 0.6, 0.95])).toEqual([[0.6, 0.9], [], []]);
    expect(fired([0.95, 0.59, 0.95])).toEqual([[0.6, 0.9], [], [0.6, 0.9]]);
  });

  it('may be others, in any order, and none', () => {
    expect(fired([0.5, 0.3], [0.5, 0.2])).toEqual([[0.2, 0.5], []]);
    expect(fired([1], [])).toEqual([[]]);
  });

  it('fire at most once between two falls, whatever the usage', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1.2, noNaN: true })), (ratios) => {
        const falls = ratios.filter((ratio) => ratio < 0.6).length;
        for (const at of [0.6, 0.9])
          expect(fired(ratios).filter((events) => events.includes(at)).length).toBeLessThanOrEqual(falls + 1);
      }),
    );
  });
});
