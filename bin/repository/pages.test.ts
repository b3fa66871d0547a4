/** The pages that are made from the program are up to date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { pages, read } from './readme.test-helper.ts';

interface Maker {
  commandsPage(): Promise<string>;
  lawfulPages(): Promise<{ readonly [path: string]: string }>;
}

const maker = async (name: string): Promise<Maker> =>
  (await import(/* @vite-ignore */ join(packageRoot(), `.config/pages/${name}.mjs`))) as Maker;

it('spec/commands.md is what the program prints; npm run pages writes it', async () => {
  const { commandsPage } = await maker('commands');
  expect(readFileSync(join(packageRoot(), 'spec/commands.md'), 'utf8')).toBe(await commandsPage());
});

it('the pages about lawful peers have those of the lists; npm run pages writes them', async () => {
  const { lawfulPages } = await maker('lawful');
  const made = Object.entries(await lawfulPages());
  expect(made.length).toBe(3);
  for (const [path, text] of made) expect(readFileSync(join(packageRoot(), path), 'utf8')).toBe(text);
});

it('the first page is short, and so is that for contributors', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(9 * 1024);
  expect(Buffer.byteLength(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(12 * 1024);
});

it('links on pages lead to files', () => {
  const all = [...pages, 'CONTRIBUTING.md', 'conformance/README.md'];
  const links = all.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, target = '']) =>
      /^https?:/.test(target) ? [] : [{ page, target }],
    ),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const { page, target } of links)
    expect(() => readFileSync(join(packageRoot(), page, '..', target)), `${page}: ${target}`).not.toThrow(
      /ENOENT/,
    );
});
