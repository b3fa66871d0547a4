/** The TypeScript examples of SEP on the pages for users compile, run, and give the values that they promise. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Examples } from '../examples.test-helper.ts';
import type { Example } from '../examples.test-helper.ts';
import { packageRoot } from '../kit/spec/index.ts';

const root = packageRoot();
const file = join(root, 'src/sep/index.ts');

/** The pages with examples of the door. */
const pages = readdirSync(join(root, 'spec/sep'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `spec/sep/${name}`);

/** The examples of a page, in the scope of the door. */
function examplesOf(page: string): readonly (Example & { readonly page: string })[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length + 1;
    return { page, file, line, code, noRun: undefined };
  });
}

const found = pages.flatMap(examplesOf);
const examples = new Examples(found);

describe('the examples of SEP on pages', () => {
  it('are there, and compile', () => {
    expect(found.map(({ page }) => page)).toContain('spec/sep/README.md');
    expect(examples.complaints()).toEqual([]);
  });

  it.each(found.map((example) => [`${example.page}:${example.line}`, example] as const))(
    'run: %s',
    async (_, example) => {
      const seen = await examples.run(example);
      expect(seen.length).toBeGreaterThan(0);
      for (const { came, expected } of seen) expect(came).toEqual(expected);
    },
  );
});
