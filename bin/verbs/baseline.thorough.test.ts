/** `baseline`: writes the failures of today, and fails for new, mended and expired ones. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reversing } from '../../conformance/reversing-testee.test-helper.ts';
import { scratch, wireproof } from '../run.test-helper.ts';
import type { Ran } from '../run.test-helper.ts';

const project = mkdtempSync(join(scratch, 'baseline-'));
const broken = join(project, 'broken');
const file = join(project, 'wireproof.baseline.yaml');
/** Two rows, of which the first fails while the manager is broken. */
const rows = ['--only', 'TOK-09', '--only', 'TOK-10', '--trace', 'off'];
const baseline = (verb: string, ...flags: readonly string[]): Promise<Ran> =>
  wireproof(['baseline', verb, 'tokens/manager', ...rows, ...flags, '--', ...reversing(broken)], {
    cwd: project,
  });
const fromReport = (...flags: readonly string[]): Promise<Ran> =>
  wireproof(['baseline', 'write', '--from', 'report.json', ...flags], { cwd: project });
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it('writes what fails, and a check then fails for nothing but what is new, mended or expired', async () => {
  writeFileSync(broken, '');
  const written = await baseline('write', '--report', 'json=report.json', '--issue', 'https://x.test/1');
  expect([written.code, written.stderr]).toEqual([
    0,
    expect.stringContaining('wrote wireproof.baseline.yaml'),
  ]);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^ {2}- suite: "tokens\/manager"\n {4}target: ".*reversing\.mjs/m);
  expect(text).toContain(
    `      - id: "TOK-09"\n        reason: "known on ${day(0)}"\n        issue: "https://x.test/1"\n        expires: "${day(90)}"\n`,
  );

  expect(text.match(/ id: /g)).toHaveLength(1);

  // The same failures, with their messages: nothing new.
  expect((await baseline('check')).code).toBe(0);

  // New: a failure that is not in the list.
  writeFileSync(file, 'suite: tokens/manager\nexpected_failures: []\n');
  expect((await baseline('check')).code).toBe(1);

  // Known failures of another target are not this one's.
  writeFileSync(file, text.replace(/target: ".*"/, 'target: "another"'));
  const others = await baseline('check');
  expect([others.code, others.stderr]).toEqual([
    1,
    expect.stringMatching(
      /wireproof\.baseline\.yaml has no known failures of .*; it has those of another \(/,
    ),
  ]);

  // Expired.
  writeFileSync(file, text.replaceAll(day(90), day(-1)));
  const expired = await baseline('check');
  expect([expired.code, expired.stdout]).toEqual([1, expect.stringMatching(/TOK-09 expired on/)]);

  // Mended.
  writeFileSync(file, text);
  rmSync(broken);
  const mended = await baseline('check');
  expect([mended.code, mended.stdout]).toEqual([
    1,
    expect.stringContaining('TOK-09 is an expected failure and passes'),
  ]);

  // Written again, what is mended is taken out.
  const again = await baseline('write');
  expect(again.stderr).toContain('known failures: 0 (0 new, 1 mended and taken out)');
  expect((await baseline('check')).code).toBe(0);
});

it('keeps reason, issue and expiry of what was there, unless --renew', async () => {
  const entry = `suite: tokens/manager
expected_failures:
  - { id: TOK-09, reason: by design, issue: https://x.test/2, expires: '${day(-1)}' }
`;
  writeFileSync(file, entry);
  const kept = await fromReport('--issue', 'https://x.test/3');
  expect(kept.stderr).toContain('TOK-09 expired: --renew gives 90 days more');
  expect(readFileSync(file, 'utf8')).toContain(
    `reason: "by design"\n        issue: "https://x.test/2"\n        expires: "${day(-1)}"`,
  );
  await fromReport('--renew', '--days', '7', '--no-message');
  const renewed = readFileSync(file, 'utf8');
  const issue = '        issue: "https://x.test/2"';
  expect(renewed).toContain(`reason: "by design"\n${issue}\n        expires: "${day(7)}"`);
  expect(renewed).not.toContain('message:');
});

it('keeps the failures of each target apart: writing those of one changes nothing of another', async () => {
  const targets = join(project, 'targets');
  mkdirSync(targets);
  writeFileSync(join(targets, 'broken'), '');
  const command = (flag: string): string => JSON.stringify(reversing(join(targets, flag)));
  writeFileSync(
    join(targets, 'wireproof.yaml'),
    `targets:
  good: { suite: tokens/manager, command: ${command('absent')} }
  bad: { suite: tokens/manager, command: ${command('broken')} }
`,
  );
  const run = (verb: string, ...words: readonly string[]): Promise<Ran> =>
    wireproof(['baseline', verb, ...words, ...rows], { cwd: targets });
  const text = (): string => readFileSync(join(targets, 'wireproof.baseline.yaml'), 'utf8');

  // Both at once, then the good one alone: the failure of the bad one stays.
  const both = await run('write');
  expect([both.code, both.stderr]).toEqual([
    0,
    expect.stringMatching(/good: known failures: 0[^]*bad: known failures: 1 \(1 new, 0 mended/),
  ]);
  const written = text();
  const again = await run('write', 'good');
  expect(again.stderr).toContain('what it has of other targets and drives (1) stays as it was');
  expect(text()).toBe(written);
  expect((await run('check', 'bad')).code).toBe(0);
  expect((await run('check')).code).toBe(0);

  // The known failure of the bad one hides none of the good one.
  writeFileSync(join(targets, 'absent'), '');
  expect((await run('check', 'good')).code).toBe(1);
});

it('does not write what it cannot know', async () => {
  const refused = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
    const { code, stderr } = await wireproof(['baseline', ...args], { cwd: project });
    return [code, stderr];
  };
  const report = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8')) as object;
  writeFileSync(join(project, 'cut.json'), JSON.stringify({ ...report, interrupted: true }));
  expect(await refused('write', '--from', 'cut.json')).toEqual([
    2,
    expect.stringContaining('nothing is written'),
  ]);
  expect(await refused('write', 'toon/codec', '--from', 'report.json')).toEqual([
    2,
    expect.stringContaining('leave suite and command out'),
  ]);
  expect(await refused('write', '--from', 'report.json', '--days', 'x')).toEqual([
    2,
    expect.stringContaining('--days x: expected a number'),
  ]);
  writeFileSync(join(project, 'other.yaml'), 'baselines:\n  - { suite: toon/codec, expected: [] }\n');
  expect(await refused('write', '--from', 'report.json', '--file', 'other.yaml')).toEqual([
    2,
    expect.stringMatching(/other\.yaml:2:\d+: not a baseline: baselines\[0\]: expected/),
  ]);
  expect(await refused('check', '--file', 'none.yaml', 'tokens/manager')).toEqual([
    2,
    expect.stringContaining('wireproof baseline write makes it'),
  ]);
});
