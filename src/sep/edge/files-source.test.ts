/** The source `files`: inside of its root, without links, bounded (spec/sep/README.md, "Context feeds"). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { filesSource } from './files-source.ts';
import type { FilesSourceOptions } from './files-source.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'wireproof-files-')));
const root = join(home, 'repo');
afterAll(() => rmSync(home, { recursive: true }));

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

put('README.md', '# Read me');
put('docs/b.md', 'B');
put('.git/HEAD', 'ref: refs/heads/main');
put('docs/a/c.md', 'é𝒙');
put('src/z.ts', 'z');
put('node_modules/x/index.js', 'x');
put('logo.png', Uint8Array.of(0x89, 0x50, 0, 1));
put('latin1.txt', Uint8Array.of(0x61, 0xe9));
writeFileSync(join(home, 'secret.txt'), 'secret');
mkdirSync(join(home, 'outside'));
writeFileSync(join(home, 'outside', 'o.md'), 'o');
mkdirSync(`${root}2`);
symlinkSync(join(home, 'secret.txt'), join(root, 'link.txt'));
symlinkSync(join(home, 'outside'), join(root, 'linked'));
symlinkSync(root, join(root, 'docs', 'round'));
execFileSync('mkfifo', [join(root, 'pipe')]);

const read = (params: JsonObject = {}, options: Partial<FilesSourceOptions> = {}) =>
  filesSource({ roots: [root], ...options })({ root, ...params });

async function valueOf(params?: JsonObject, options?: Partial<FilesSourceOptions>): Promise<JsonObject> {
  const outcome = await read(params, options);
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.value as JsonObject;
}

const pathsOf = (value: JsonObject): Json[] =>
  (value['files'] as readonly JsonObject[]).map(({ path = null }) => path);

const errorOf = async (params: JsonObject, options?: Partial<FilesSourceOptions>): Promise<string> => {
  const outcome = await read(params, options);
  return 'error' in outcome ? outcome.error : '';
};

const all = ['README.md', 'docs/a/c.md', 'docs/b.md', 'node_modules/x/index.js', 'src/z.ts'];

describe('files', () => {
  it('are the texts of a folder, in the order of their paths, without links, pipes and binary files', async () => {
    expect(pathsOf(await valueOf())).toEqual(all);
    expect(await valueOf({ include: ['docs/'] })).toEqual({
      files: [
        { path: 'docs/a/c.md', text: 'é𝒙' },
        { path: 'docs/b.md', text: 'B' },
      ],
      left_out: 0,
    });
  });

  it('are not those of .git, unless exclude says otherwise', async () => {
    expect(pathsOf(await valueOf({ include: ['.git/'] }))).toEqual([]);
    expect(pathsOf(await valueOf({ include: ['.git/'], exclude: [] }))).toEqual(['.git/HEAD']);
  });

  it('are those that fit include, and not exclude', async () => {
    expect(pathsOf(await valueOf({ exclude: ['node_modules', '**/*.md', '.git'] }))).toEqual(['src/z.ts']);
    // Document Ingestion: `paths: ["docs/", "README.md"]`.
    expect(pathsOf(await valueOf({ include: ['docs/', 'README.md'], exclude: ['docs/a/'] }))).toEqual([
      'README.md',
      'docs/b.md',
    ]);
    expect(pathsOf(await valueOf({ include: [] }))).toEqual([]);
  });

  it('are bounded in number and characters: what has no room is counted', async () => {
    // Two of those left out are binary: without room they are not read.
    expect(await valueOf({}, { mostFiles: 2 })).toMatchObject({ files: [{}, {}], left_out: 5 });
    const value = await valueOf({}, { mostCharacters: 4 });
    expect([pathsOf(value), value['left_out']]).toEqual([['docs/a/c.md', 'docs/b.md'], 5]);
  });

  it('are refused when there are too many to look at', async () => {
    expect(await errorOf({}, { mostLookedAt: 5 })).toMatch(/at most 5 files and folders; more are there/);
  });
});

describe('a root', () => {
  it.each([
    ['above', home],
    ['beside', join(home, 'outside')],
    ['above, by dots', join(root, '..')],
    ['outside, by a link', join(root, 'linked')],
    ['nowhere', join(root, 'none')],
    ['a name that begins like the root', `${root}2`],
  ])('that is %s is refused', async (_, path) => {
    expect(await errorOf({ root: path })).toMatch(
      /expected a root in a folder that a files feed of the manifest names/,
    );
  });

  it('inside of a granted folder is taken', async () => {
    expect(pathsOf(await valueOf({ root: join(root, 'docs') }))).toEqual(['a/c.md', 'b.md']);
  });

  it('may be relative to the base', async () => {
    const source = filesSource({ roots: ['repo'], base: home });
    expect(await source({ root: 'repo/src' })).toEqual({
      value: { files: [{ path: 'z.ts', text: 'z' }], left_out: 0 },
    });
  });

  it('needs a grant', async () => expect(await errorOf({}, { roots: [] })).toMatch(/expected a root/));
});

describe('wrong params are refused', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['no root', { root: 1 }, /path of a folder/],
    ['a NUL', { root: 'a\0b' }, /path of a folder/],
    ['an unknown one', { depth: 3 }, /no params but root, include and exclude; came "depth"/],
    ['a pattern that is no text', { include: [1] }, /at most 100 patterns/],
    ['too many patterns', { exclude: Array.from({ length: 101 }, () => 'a') }, /at most 100 patterns/],
  ])('%s', async (_, params, expected) => expect(await errorOf(params)).toMatch(expected));
});

describe('a long reading', () => {
  // Each of 2,000 paths is compared with 100 patterns that split into 333 names: at least a tenth of a second of work.
  const long = join(home, 'long');
  const params = { root: long, include: Array.from({ length: 100 }, () => `**/${'a*/'.repeat(300)}b`) };
  mkdirSync(long);
  for (let i = 0; i < 1000; i++) mkdirSync(join(long, `a${i}`));
  for (let i = 0; i < 1000; i++) writeFileSync(join(long, `a${i}`, 'c'), '');
  const source = filesSource({ roots: [long] });

  it('lets timers run', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    await source(params);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(0);
  });

  it('ends when its time is over', async () => {
    const reading = filesSource({ roots: [long], mostTime: 20 })(params);
    expect(await reading).toMatchObject({ error: expect.stringMatching(/more than 20 ms; ask for fewer/) });
  });

  it('ends with its signal', async () => {
    const abort = new AbortController();
    const reading = source(params, abort.signal);
    abort.abort();
    expect(await reading).toMatchObject({ error: expect.stringMatching(/the fetch has ended/) });
  });

  it('does not hold up a short one', async () => {
    const abort = new AbortController();
    const many = Array.from({ length: 20 }, () => source(params, abort.signal));
    expect(await source({ root: join(long, 'a1') })).toMatchObject({ value: { files: [{ path: 'c' }] } });
    abort.abort();
    await Promise.all(many);
  });
});
