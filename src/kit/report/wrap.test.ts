/** Lines for a width, with colours that begin and end on one line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrap, wrapParts } from './wrap.ts';

const red = (text: string): string => `<r>${text}</r>`;
const dim = (text: string): string => `<d>${text}</d>`;

describe('wrapped parts', () => {
  it('paint each line by itself', () => {
    expect(
      wrapParts(10, '  ', [
        ['one two', red],
        [' three four', dim],
      ]),
    ).toEqual(['  <r>one two</r>', '  <d>three</d>', '  <d>four</d>']);
  });

  it('end no line with blanks', () => {
    expect(wrapParts(8, '', [['A-1 MUST   A sentence.', red]])).toEqual([
      '<r>A-1 MUST</r>',
      '<r>A</r>',
      '<r>sentence.</r>',
    ]);
  });

  const word = fc.stringMatching(/^[a-z]{1,12}$/u);

  it('lose no word, and are as wide as the width or one word', () => {
    fc.assert(
      fc.property(fc.array(word), fc.array(word), fc.integer({ min: 1, max: 40 }), (a, b, width) => {
        const lines = wrapParts(width, '', [
          [a.join(' '), String],
          [` ${b.join(' ')}`, String],
        ]);
        const words = [...a, ...b];
        expect(lines.join(' ').split(' ').filter(Boolean)).toEqual(words);
        for (const line of lines) expect(line.length <= width || !line.trim().includes(' ')).toBe(true);
      }),
    );
  });
});

it('keeps a line that fits as it is', () => {
  expect(wrap(20, '', 'two  blanks')).toEqual(['two  blanks']);
});
