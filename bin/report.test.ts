/** The verb report, on reports of real checks: shards of the reference and of the example agent, merged and compared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { example, longTimeouts, program, reference, scratch, wireproof } from './run.test-helper.ts';

const path = (name: string): string => join(scratch, name);
const reportAt = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;

/** Checks a target. @returns the file of its report, and the exit code */
async function check(
  name: string,
  suite: string,
  target: readonly string[],
  flags: readonly string[] = [],
): Promise<{ readonly file: string; readonly code: number | null }> {
  const file = path(`${name}.json`);
  const { code } = await wireproof([
    ...['check', suite, ...longTimeouts, '--seed', '7', '--trace', 'off', '--report', `json=${file}`],
    ...flags,
    '--',
    ...target,
  ]);
  return { file, code };
}

/** Checks a target as shards. @returns the files of their reports */
async function shards(
  of: number,
  suite: string,
  target: readonly string[],
  flags: readonly string[],
): Promise<readonly string[]> {
  const files: string[] = [];
  for (let part = 1; part <= of; part++) {
    const name = `${suite.replace('/', '-')}-${part}-of-${of}`;
    files.push((await check(name, suite, target, [...flags, '--shard', `${part}/${of}`])).file);
  }
  return files;
}

/** A report without times, without the order in which scenarios ended, and without how often and in which traces rows showed. */
function comparable(report: Report): unknown {
  return {
    ...report,
    duration_ms: 0,
    requirements: report.requirements.map(({ exercised, evidence, ...row }) => ({
      ...row,
      shown: exercised > 0,
      blamed: evidence !== undefined,
    })),
    scenarios: report.scenarios
      .map(({ name, outcome, reason }) => ({ name, outcome, reason }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

const manager = ['tokens/manager', reference('testee', 'tokens/manager')] as const;
const agent = ['fold/agent', ['node', example, '{address}']] as const;
const part = ['--only', 'FOLD-A1*', '--only', 'FOLD-A4*'];

describe.each([
  ['the reference of tokens/manager', manager, [], [2, 7]],
  ['the example agent', agent, part, [2, 7]],
] as const)('shards of %s', (_, [suite, target], flags, numbers) => {
  let whole: { readonly file: string; readonly code: number | null };
  beforeAll(async () => {
    whole = await check(`whole-${suite.replace('/', '-')}`, suite, target, flags);
  }, 120_000);

  it.each(numbers)('are as %i the run without shards', async (of) => {
    const files = await shards(of, suite, target, flags);
    const merged = path('merged.json');
    const { code, stderr } = await wireproof(['report', 'merge', ...files, '--report', `json=${merged}`]);
    expect(comparable(reportAt(merged))).toEqual(comparable(reportAt(whole.file)));
    expect([code, stderr]).toEqual([whole.code, '']);
    const compared = await wireproof(['report', 'diff', whole.file, merged]);
    expect(compared.stdout.trimEnd().split('\n').at(-1)).toBe('nothing became worse: no requirement differs');
    expect(compared.code).toBe(0);
  });
});

/** Writes a report to a file. */
const written = (name: string, report: Report): string => program(name, JSON.stringify(report));

describe('reports of other runs', () => {
  let file = '';
  let report: Report;
  beforeAll(async () => {
    const [suite, target] = manager;
    ({ file } = await check('one', suite, target, ['--shard', '1/1']));
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
    expect(JSON.parse(readFileSync(badge, 'utf8'))).toMatchObject({ schemaVersion: 1, color: 'brightgreen' });
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
