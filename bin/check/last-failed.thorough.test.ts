/** `check --last-failed`: plays what failed in the last run, says so, and is never conformant. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { reversing } from '../../conformance/reversing-testee.test-helper.ts';
import { scratch, wireproof } from '../run.test-helper.ts';
import type { Ran } from '../run.test-helper.ts';

/** A project with a token manager that turns the order of calls around while the file `broken` exists. */
const project = mkdtempSync(join(scratch, 'last-failed-'));
const broken = join(project, 'broken');
const states = join(project, '.wireproof/last-run');
/** The file of the only target of the project. */
const state = (): string => join(states, readdirSync(states)[0] ?? '');
const check = (...flags: readonly string[]): Promise<Ran> =>
  wireproof(['check', 'tokens/manager', '--trace', 'off', ...flags, '--', ...reversing(broken)], {
    cwd: project,
  });
const json = async (...flags: readonly string[]): Promise<Report & { readonly code: number | null }> => {
  const { stdout, stderr, code } = await check('--json', ...flags);
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as Report), code };
};
const failedRows = ({ requirements }: Report): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('--last-failed', () => {
  let all: Report;
  let first: readonly string[] = [];

  beforeAll(async () => {
    writeFileSync(broken, '');
    await check();
    // As a target may leave it: nested deeper than a parser's stack.
    writeFileSync(state(), '['.repeat(200_000));
    const { stdout, stderr, code } = await check('--json', '--last-failed');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no failure of an earlier run')]);
    all = JSON.parse(stdout) as Report;
    first = failedRows(all);
  });

  it('plays all when the file is damaged, and writes it anew with what failed', () => {
    expect(all.scope.selected).toBeUndefined();
    expect(first).toContain('TOK-09');
    const { failed } = JSON.parse(readFileSync(state(), 'utf8')) as { failed: { id: string }[] };
    expect(failed.map(({ id }) => id)).toEqual(first);
  });

  it('plays these rows only, and shows the failure again', async () => {
    const again = await json('--last-failed');
    expect(failedRows(again)).toEqual(first);
    expect(again.requirements.map(({ id }) => id)).toEqual(first);
    expect(again.scope.selected?.flags).toEqual(['--last-failed']);
    expect([again.verdict, again.code]).toEqual(['not-conformant', 1]);
  });

  it('is partial when they pass, and keeps none: the next run plays all, as the first did', async () => {
    rmSync(broken);
    const mended = await json('--last-failed');
    expect([mended.verdict, mended.code, failedRows(mended)]).toEqual(['partial', 0, []]);
    expect(readdirSync(states)).toEqual([]);
  });

  it('is refused beside another selection', async () => {
    const { code, stderr } = await check('--last-failed', '--only', 'TOK-09');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--last-failed selects by itself')]);
  });
});

it('keeps the failures of a run without --last-failed, and writes nothing for a target without a failure', async () => {
  const cwd = mkdtempSync(join(scratch, 'clean-'));
  const fault = join(cwd, 'broken');
  const run = async (): Promise<number | null> =>
    (
      await wireproof(
        ['check', 'tokens/manager', '--only', 'TOK-09', '--trace', 'off', '--', ...reversing(fault)],
        { cwd },
      )
    ).code;
  expect([await run(), existsSync(join(cwd, '.wireproof'))]).toEqual([0, false]);
  writeFileSync(fault, '');
  expect(await run()).toBe(1);
  const [file = ''] = readdirSync(join(cwd, '.wireproof/last-run'));
  const record = join(cwd, '.wireproof/last-run', file);
  expect(readFileSync(record, 'utf8')).toContain('TOK-09');
  // A target may have put a link there.
  const other = join(cwd, 'other');
  writeFileSync(other, 'kept');
  rmSync(record);
  symlinkSync(other, record);
  expect(await run()).toBe(1);
  expect([readFileSync(other, 'utf8'), readFileSync(record, 'utf8')]).toEqual([
    'kept',
    expect.stringContaining('TOK-09'),
  ]);
  // And a folder.
  rmSync(record);
  mkdirSync(record);
  expect(await run()).toBe(1);
});
