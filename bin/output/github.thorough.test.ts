/** Runs in a GitHub job: the step summary, the annotations, and texts that try to be commands of the runner. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { program, reference, scratch, wireproof } from '../run.test-helper.ts';
import type { Ran } from '../run.test-helper.ts';

const summary = join(scratch, 'summary.md');
const inGithub = { env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary } };
const target = ['--', ...reference('testee', 'tokens/manager')];
/** One row: what goes where does not depend on how many there are. */
const row = ['--only', 'TOK-09'];
const check = (flags: readonly string[], env: { readonly [name: string]: string } = {}): Promise<Ran> =>
  wireproof(['check', 'tokens/manager', '--seed', '7', '--trace', 'off', ...flags, ...target], {
    env: { ...inGithub.env, ...env },
  });

/** The lines that the runner takes for commands: white space before them is dropped. */
const commandsIn = ({ stdout, stderr }: Ran): readonly string[] =>
  `${stdout}\n${stderr}`.split(/[\r\n]+/u).filter((line) => /^\s*::|##\[|##vso\[/u.test(line));

describe('a check in a GitHub job', () => {
  it('appends a summary, and prints the verdict as a notice beside the console report', async () => {
    const written = program('summary.md', 'of an earlier command');
    expect(written).toBe(summary);
    const ran = await check(row);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/\npartial: \d+ of \d+ applicable MUSTs exercised/u);
    expect(commandsIn(ran)).toEqual([
      expect.stringMatching(/^::notice title=tokens\/manager::partial: \d+ of \d+ applicable MUSTs/u),
    ]);
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^of an earlier command\n\n## Wireproof: tokens\/manager\n/u,
    );
  });

  it('writes neither when the user names reports', async () => {
    rmSync(summary, { force: true });
    const ran = await check([...row, '--report', 'json']);
    expect(commandsIn(ran)).toEqual([]);
    expect(existsSync(summary)).toBe(false);
    expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'partial' });
  });

  it('keeps stdout for the report, and a file of its own, when the user names both', async () => {
    const own = join(scratch, 'own.md');
    rmSync(own, { force: true });
    const ran = await check([...row, '--report', 'json', '--report', `github=${own}`]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'partial' });
    expect(ran.stderr).toContain('::notice title=tokens/manager::');
    expect(readFileSync(own, 'utf8')).toMatch(/^## Wireproof/u);
  });

  it('does without a summary that cannot be written or has no room', async () => {
    const folder = await check(row, { GITHUB_STEP_SUMMARY: scratch });
    expect([folder.code, folder.stderr]).toEqual([
      0,
      expect.stringContaining('note: no step summary: cannot write'),
    ]);
    program('summary.md', 'x'.repeat(1 << 20));
    const full = await check(row);
    expect([full.code, full.stderr]).toEqual([0, expect.stringContaining('GitHub takes 1 MiB')]);
    expect(readFileSync(summary, 'utf8')).toHaveLength(1 << 20);
    const named = await check([...row, '--report', 'github=/proc/none/summary.md']);
    expect(named.code).toBe(3);
  });
});

describe('texts of a peer in a GitHub job', () => {
  it('are no commands', async () => {
    const file = join(scratch, 'hostile-base.json');
    // More rows than there can be annotations.
    const rows = ['--only', 'TOK-1*', '--only', 'TOK-2*'];
    await check([...rows, '--shard', '1/1', '--report', `json=${file}`]);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const { shard } = report;
    if (shard === undefined) throw new Error('no facts of the shard');
    const text =
      '::set-output name=a::b\n%0A::error::pwned\r##[error]x ##vso[task.complete] ::stop-commands::t';
    const violation = {
      ...{ scenario: text, message: text, evidence: [{ trace: text, seq: 0 }] },
      ...{ excerpt: [text], replay: text, unexpected: true },
    };
    const hostile: Report = {
      ...report,
      target: text,
      notes: [text],
      shard: {
        ...shard,
        problems: [text],
        findings: shard.findings.map((found) => ({ ...found, violation, places: [] })),
      },
    };
    rmSync(summary, { force: true });
    const ran = await wireproof(
      ['report', 'merge', program('hostile.json', JSON.stringify(hostile))],
      inGithub,
    );
    expect(ran.code).toBe(1);
    const commands = commandsIn(ran);
    expect(commands).toHaveLength(10);
    for (const command of commands)
      expect(command).toMatch(/^::(?:error|warning|notice) title=[^:,\r\n]*::/u);
    expect(readFileSync(summary, 'utf8')).not.toMatch(/^\s*::|##\[|##vso\[/mu);
  });
});
