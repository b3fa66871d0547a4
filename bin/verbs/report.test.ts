/** The verb report, on reports of real checks: shards of the reference, merged and compared. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { program, reference, wireproof } from '../run.test-helper.ts';
import { check, expectShardsAsWhole, path, reportAt } from './report-shards.test-helper.ts';

const manager = reference('testee', 'tokens/manager');

describe('two shards are as the run without shards', () => {
  // Of more shards, and of a whole suite: report-shards.thorough.test.ts.
  it('of the reference of tokens/manager', () =>
    expectShardsAsWhole({ suite: 'tokens/manager', target: manager, flags: ['--only', 'TOK-2*'], of: 2 }));
});

/** Writes a report to a file. */
const written = (name: string, report: Report): string => program(name, JSON.stringify(report));

describe('reports of other runs', () => {
  let file = '';
  let report: Report;
  beforeAll(async () => {
    ({ file } = await check('one', 'tokens/manager', manager, ['--only', 'TOK-09', '--shard', '1/1']));
    report = reportAt(file);
  }, 60_000);

  it('are refused by merge with what differs', async () => {
    const other = written('other.json', { ...report, seed: '8' });
    const { code, stdout, stderr } = await wireproof(['report', 'merge', file, other]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `wireproof: not shards of one run: the seed is "7" in ${file}, and "8" in ${other}; give each shard the same --seed\n`,
    );
  });

  it('are refused with what they are', async () => {
    const xml = path('out.xml');
    await wireproof(['report', 'merge', file, '--report', `junit=${xml}`]);
    const { code, stderr } = await wireproof(['report', 'diff', file, xml]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${xml}: expected a report`);
    expect(stderr).toContain('came XML, such as --report junit writes');
  });

  it('merge into every format', async () => {
    const [badge, ctrf] = [path('badge.json'), path('ctrf.json')];
    const formats = ['--report', `badge=${badge}`, '--report', `ctrf=${ctrf}`, '--report', 'markdown'];
    const { code, stdout } = await wireproof(['report', 'merge', file, ...formats]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## Wireproof: tokens\/manager\n/u);
    expect(JSON.parse(readFileSync(badge, 'utf8'))).toMatchObject({ schemaVersion: 1, color: 'blue' });
    expect(JSON.parse(readFileSync(ctrf, 'utf8'))).toMatchObject({ reportFormat: 'CTRF' });
  });

  it('make diff exit with 1 when something became worse', async () => {
    const [first, ...rest] = report.requirements;
    if (first === undefined) throw new Error('no requirement');
    const failed = { ...first, verdict: 'fail' as const, message: '::error::a\n::error::b' };
    const worse = written('worse.json', {
      ...report,
      requirements: [failed, ...rest],
      verdict: 'not-conformant',
    });
    const { code, stdout } = await wireproof(['report', 'diff', file, worse]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${first.id} ${first.level}  pass → FAIL`);
    expect(stdout).not.toMatch(/^\s*::/mu);
    const back = await wireproof(['report', 'diff', worse, file, '--json']);
    expect(back.code).toBe(0);
    expect(JSON.parse(back.stdout)).toMatchObject({ became_worse: false, better: [{ id: first.id }] });
  });

  it('stand side by side in a matrix', async () => {
    const page = path('matrix.html');
    const other = written('renamed.json', { ...report, target: '<script>alert(1)</script>' });
    const { code, stdout } = await wireproof([
      'report',
      'matrix',
      file,
      other,
      '--out',
      page,
      '--report',
      'markdown',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('| Requirement | Level |');
    expect(readFileSync(page, 'utf8')).not.toContain('<script');
    expect(readFileSync(page, 'utf8')).toContain('&#60;script&#62;');
  });

  it('are refused by matrix in another format', async () => {
    const { code, stderr } = await wireproof(['report', 'matrix', file, '--report', 'junit']);
    expect(code).toBe(2);
    expect(stderr).toContain('--report junit: expected html or markdown');
  });
});
