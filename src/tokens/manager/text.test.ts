/** Cutting texts and tool results. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { texts } from '../arbitrary.ts';
import { isWellFormed, shortenResult, shortenText, truncateText, wellFormed } from './text.ts';

describe('a text that is truncated', () => {
  it('is never longer than was asked for, and says with … that something is gone', () => {
    fc.assert(
      fc.property(texts, fc.nat(60), (text, max) => {
        const cut = truncateText(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        if (text.length <= max) expect(cut).toBe(text);
        else if (max > 0) expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });

  it('has no half of a surrogate pair, wherever it is cut (TOK-37)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }).map(wellFormed), fc.nat(30), (text, max) => {
        expect(isWellFormed(truncateText(text, max))).toBe(true);
      }),
    );
    expect(truncateText('😀😀', 2)).toBe('…');
    expect(truncateText('😀😀', 3)).toBe('😀…');
  });
});

describe('a tool result that is shortened', () => {
  it('has its first three lines and a marker (TOK-36)', () => {
    expect(shortenText('1\n2\n3\n4')).toBe('1\n2\n3\n[1 more lines]');
    expect(shortenText('1\n2\n3')).toBe('1\n2\n3');
  });

  it('stays as it is when it was shortened before', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), (lines) => {
        const once = shortenText(lines.join('\n'));
        expect(shortenText(once)).toBe(once);
      }),
    );
  });

  it('is not taken for shortened because it ends like that', () => {
    expect(shortenText('1\n2\n3\n4\n5\n[9 more lines]')).toBe('1\n2\n3\n[3 more lines]');
  });

  it('keeps its id and whether it is an error', () => {
    const result = { id: 'c', content: '1\n2\n3\n4\n5', isError: true };
    expect(shortenResult(result)).toEqual({ id: 'c', content: '1\n2\n3\n[2 more lines]', isError: true });
  });
});
