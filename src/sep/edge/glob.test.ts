/** Patterns of the source `files` (spec/sep/README.md, "Context feeds"). */
import { describe, expect, it } from 'vitest';
import { fits } from './glob.ts';

describe('a path', () => {
  it.each([
    ['a.md', '*.md'],
    ['a.md', '**'],
    ['a/b/c.md', '**/*.md'],
    ['c.md', '**/*.md'],
    ['docs/a/b.md', 'docs/**/b.md'],
    ['docs/b.md', 'docs/**/b.md'],
    // Document Ingestion: `paths: ["docs/", "README.md"]`.
    ['docs/a/b.md', 'docs/'],
    ['README.md', './README.md'],
    ['a𝒙.ts', 'a?.ts'],
    ['aab', '*ab'],
    ['a/x/b/x/c', '**/x/c'],
  ])('%s fits %s', (path, pattern) => expect(fits(path, pattern)).toBe(true));

  it.each([
    ['a/b.md', '*.md'],
    ['a.mdx', '*.md'],
    ['docs2/a', 'docs/'],
    ['A.md', 'a.md'],
    ['a', ''],
    ['a.md', '(a|b).md'],
    ['a/b', 'a?b'],
  ])('%s does not fit %s', (path, pattern) => expect(fits(path, pattern)).toBe(false));

  it('is compared within a budget', () => {
    const [name, pattern] = ['a'.repeat(255), '*a'.repeat(400) + 'b'];
    expect(fits(name, pattern, { steps: 1_000_000 })).toBe(false);
    expect(() => fits(name, pattern, { steps: 100 })).toThrow(/fewer comparisons/);
  });
});
