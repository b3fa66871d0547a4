/** Patterns of the source `files` (spec/sep/README.md, "Context feeds"). */
import { describe, expect, it } from 'vitest';
import { fits, splitPath, splitPattern } from './glob.ts';

const isFit = (path: string, pattern: string): boolean => fits(splitPath(path), splitPattern(pattern));

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
  ])('%s fits %s', (path, pattern) => expect(isFit(path, pattern)).toBe(true));

  it.each([
    ['a/b.md', '*.md'],
    ['a.mdx', '*.md'],
    ['docs2/a', 'docs/'],
    ['A.md', 'a.md'],
    ['a', ''],
    ['a.md', '(a|b).md'],
    ['a/b', 'a?b'],
  ])('%s does not fit %s', (path, pattern) => expect(isFit(path, pattern)).toBe(false));
});
