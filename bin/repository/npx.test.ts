/** `npx wireproof` in the checkout runs what is built, and does not build it again under commands that run. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CheckoutCopy } from './checkout-copy.test-helper.ts';

const copy = new CheckoutCopy();
afterAll(() => copy.remove());

/** Every file of dist, with its inode and the time of its last change. */
const built = (): readonly string[] =>
  readdirSync(join(copy.root, 'dist'), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => {
      const { ino, mtimeMs } = statSync(join(copy.root, 'dist', path));
      return `${path} ${ino} ${mtimeMs}`;
    });

const { version } = JSON.parse(readFileSync(join(copy.root, 'package.json'), 'utf8')) as { version: string };
const isBuilt = (): boolean =>
  copy.run(
    '--input-type=module',
    '-e',
    "import { isBuilt } from './.config/build-state.mjs'; console.log(isBuilt())",
  ) === 'true\n';

it('leaves dist untouched', () => {
  const before = built();
  const said = execFileSync('npx', ['--offline', 'wireproof', '--version'], {
    cwd: copy.root,
    encoding: 'utf8',
  });
  expect(said.trim()).toBe(version);
  expect(built()).toEqual(before);
});

// Otherwise the test above would pass for a prepare script that never builds.
it('knows a source that is newer than the build, other than a test', () => {
  const later = new Date(Date.now() + 60_000);
  expect(isBuilt()).toBe(true);
  utimesSync(join(copy.root, 'bin/repository/npx.test.ts'), later, later);
  expect(isBuilt()).toBe(true);
  utimesSync(join(copy.root, 'bin/verbs/check.ts'), later, later);
  expect(isBuilt()).toBe(false);
});
