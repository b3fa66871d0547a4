import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf, jsonOrText, mostJsonLevels, nestsDeeper } from './json.ts';

describe('the nesting of a text', () => {
  it.each([
    ['1', 0],
    ['{"a": [[1], {}]}', 3],
    ['"[[[["', 0],
    ['"\\"[[" ', 0],
    ['["\\\\", [[]]]', 3],
    ['["\\\\\\"", []]', 2],
    ['[', 1],
    ['["[[[', 1],
  ] as const)('of %s is %i', (text, depth) => {
    expect([nestsDeeper(text, depth), nestsDeeper(text, depth - 1)]).toEqual([false, depth > 0]);
  });

  const levelsOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

  it('of any JSON is that of its value, with and without white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const levels = levelsOf(value);
        expect([nestsDeeper(text, levels), levels > 0 && nestsDeeper(text, levels - 1)]).toEqual([
          false,
          levels > 0,
        ]);
      }),
    );
  });
});

describe('JSON from outside', () => {
  const arrays = (n: number): string => '['.repeat(n) + ']'.repeat(n);
  const objects = (n: number): string => '{"a":'.repeat(n) + '1' + '}'.repeat(n);

  it.each([arrays, objects])(
    'is read at the limit, and refused beyond it with the limit in words',
    (nested) => {
      const text = nested(mostJsonLevels);
      expect(JSON.stringify(jsonOf(text))).toBe(text);
      for (const levels of [mostJsonLevels + 1, 5000, 1_000_000])
        expect(() => jsonOf(nested(levels))).toThrow(
          new SyntaxError('expected at most 512 levels of nesting; came more'),
        );
    },
  );

  it('is not refused for brackets in its texts', () => {
    expect(jsonOf(JSON.stringify('['.repeat(100_000)))).toBe('['.repeat(100_000));
  });

  it('or words: any text is taken', () => {
    expect([jsonOrText('{"a":[1]}'), jsonOrText('"b"')]).toEqual([{ a: [1] }, 'b']);
    for (const text of ['', 'A prompt was dropped: too many prompts wait.', '{', '['.repeat(1000)])
      expect(jsonOrText(text)).toBe(text);
  });
});
