/** The notes of the next release (.changeset) are well-formed, and make a version and a CHANGELOG. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'wireproof-changesets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A repository of its own: a clone of CI need not have the branch main.
for (const path of ['package.json', '.changeset'])
  cpSync(join(root, path), join(folder, path), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
git('init', '--quiet', '--initial-branch=main');
git('add', 'package.json', '.changeset');
git('commit', '--quiet', '--message', 'x');

const changeset = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

const notes = readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'));

it('all notes are of this package', () => {
  changeset('status', '--output=status.json');
  const { changesets } = JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')) as {
    readonly changesets: readonly {
      readonly id: string;
      readonly releases: readonly { readonly name: string }[];
    }[];
  };
  expect(changesets.map(({ id }) => `${id}.md`).toSorted()).toEqual(notes.toSorted());
  expect(new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)))).toEqual(
    new Set(notes.length === 0 ? [] : ['wireproof']),
  );
});

it('a note of another package is refused', () => {
  const stray = join(folder, '.changeset/stray.md');
  writeFileSync(stray, "---\n'wirefoolproof': patch\n---\n\nx\n");
  expect(() => changeset('status')).toThrow();
  rmSync(stray);
});

it.runIf(notes.length > 0)('the next version has a CHANGELOG with the first line of each note', () => {
  const lines = notes.map(
    (name) => readFileSync(join(folder, '.changeset', name), 'utf8').split('---\n\n')[1] ?? '',
  );
  changeset('version');
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  for (const line of lines) expect(changelog).toContain(line.split('\n')[0]);
});
