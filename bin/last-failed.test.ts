/** `check --last-failed`: plays what failed in the last run, says so, and is never conformant. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { reversing } from '../conformance/reversing-testee.test-helper.ts';
import { scratch, wireproof } from './run.test-helper.ts';
import type { Ran } from './run.test-helper.ts';

/** A project with a token manager that turns the order of calls around while the file `broken` exists. */
const project = mkdtempSync(join(scratch, 'last-failed-'));
const broken = join(project, 'broken');
const state = join(project, '.wireproof/last-run.json');
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
    mkdirSync(dirname(state));
    writeFileSync(state, '{"wireproof":"last-run/1","runs":[{"suite":1}]}');
    const { stdout, stderr, code } = await check('--json', '--last-failed');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no failure of an earlier run')]);
    all = JSON.parse(stdout) as Report;
    first = failedRows(all);
  });

  it('plays all when the file is damaged, and writes it anew with what failed', () => {
    expect(all.scope.selected).toBeUndefined();
    expect(first).toContain('TOK-09');
    const { runs } = JSON.parse(readFileSync(state, 'utf8')) as { runs: { failed: { id: string }[] }[] };
    expect(runs.map(({ failed }) => failed.map(({ id }) => id))).toEqual([first]);
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
    expect(JSON.parse(readFileSync(state, 'utf8'))).toEqual({ wireproof: 'last-run/1', runs: [] });
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
  expect(readFileSync(join(cwd, '.wireproof/last-run.json'), 'utf8')).toContain('TOK-09');
});
