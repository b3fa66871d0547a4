/** `wireproof view`: a page of a trace or of a report. */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { lateTextFault, longTimeouts, scratch, wireproof } from '../run.test-helper.ts';
import { isAttended, openerOf } from './opener.ts';

const folder = join(scratch, 'view');
const traces = join(folder, '.wireproof/traces');
const reportFile = join(folder, 'report.json');
const page = join(folder, 'page.html');
const session = join(packageRoot(), 'fixtures/fold/sessions/FOLD-A15.bad.jsonl');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const scenarios = ['--scenario', 'plain-message', '--scenario', 'ended-and-back'];
  const args = [
    'check',
    'fold/agent',
    ...scenarios,
    ...longTimeouts,
    '--trace',
    'all',
    '--report',
    `json=${reportFile}`,
  ];
  const target = [process.execPath, lateTextFault('late-text-view'), '{address}'];
  const { code } = await wireproof([...args, '--', ...target], { cwd: folder });
  expect(code).toBe(1);
});

const view = (...args: readonly string[]) => wireproof(['view', ...args], { cwd: folder });
const keys = (): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/<details class="trace" id="([^"]*)"/g)].map(([, key = '']) => key);

describe('view', () => {
  it('judges a trace, and prints the path of its page', async () => {
    const { code, stdout, stderr } = await view(session);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const written = stdout.trim();
    expect(statSync(written).mode & 0o777).toBe(0o600);
    expect(readFileSync(written, 'utf8')).toMatch(/<details class="row fail" id="FOLD-A15"/);
    rmSync(dirname(written), { recursive: true });
  });

  it('shows a report with the traces beside it that have a violation', async () => {
    const { code, stdout, stderr } = await view(reportFile, '--out', page, '--no-open');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${page}\n`, stderr: '' });
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    const evidence = report.requirements.flatMap(({ evidence = [] }) =>
      evidence.map(({ trace }) => `trace-${trace}`),
    );
    expect(keys()).toEqual([...new Set(evidence)]);
  });

  it('shows every trace of the run, or those of a scenario, when it is asked', async () => {
    await view(reportFile, '--out', page, '--trace', 'all');
    expect(keys().length).toBe(readdirSync(traces).length);
    const { code } = await view(reportFile, '--out', page, '--scenario', 'ended-and-back');
    expect({ code, keys: keys() }).toEqual({ code: 0, keys: ['trace-ended-and-back'] });
  });

  it('says which trace is missing, or is of another run', async () => {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    const lone = join(scratch, 'lone.json');
    const missing = report.requirements.map((row) => ({
      ...row,
      ...(row.evidence && { evidence: [{ trace: '../../gone', seq: 1 }] }),
    }));
    writeFileSync(lone, JSON.stringify({ ...report, requirements: missing }));
    const gone = await view(lone, '--out', page);
    expect(gone.code).toBe(0);
    expect(gone.stderr).toMatch(/note: the trace \.\.\/\.\.\/gone is not on the page: no gone\.jsonl in /);
    expect(readFileSync(page, 'utf8')).toContain('../../gone is not on this page: no gone.jsonl in ');
    writeFileSync(lone, JSON.stringify({ ...report, seed: 'another' }));
    const other = await view(lone, '--out', page);
    expect(other.stderr).toMatch(/is of another run \(fold\/agent, seed /);
  });

  it('prints names of a hostile report without a character that acts', async () => {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    const trace = `\n::error::x\u001b[2J\u202e\u0007${'n'.repeat(100_000)}`;
    const rows = report.requirements.map((row) => ({
      ...row,
      ...(row.evidence && { evidence: [{ trace, seq: 1 }] }),
    }));
    const lone = join(scratch, 'hostile.json');
    writeFileSync(lone, JSON.stringify({ ...report, requirements: rows }));
    const { code, stderr } = await view(lone, '--out', page);
    expect(code).toBe(0);
    expect(stderr).toContain('\\x3a:error::x\\u{1b}[2J\\u{202e}');
    expect(stderr).not.toMatch(/^::|[\p{Cc}\p{Cf}](?<!\n)/mu);
    expect(stderr.length).toBeLessThan(2000);
  });

  it.each([
    ['neither.txt', 'hello', /neither\.txt:1:1: not JSON: /],
    ['cut.json', '{\n  "wireproof": "report/1",\n  "kit": [', /cut\.json:3:\d+/],
    ['odd.jsonl', '{"wireproof":"trace/1"}\n', /odd\.jsonl:1: not the header of a trace/],
  ])('refuses %s with its position', async (name, text, expected) => {
    writeFileSync(join(folder, name), text);
    const { code, stdout, stderr } = await view(name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });

  it('refuses a scenario that no trace plays, and names those that are played', async () => {
    const { code, stderr } = await view(reportFile, '--scenario', 'nonesuch');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /--scenario nonesuch: no trace of .*report\.json plays it; its traces have .*ended-and-back/,
    );
  });

  it('has help with examples', async () => {
    const { stdout } = await view('--help');
    expect(stdout).toMatch(/Examples:\n\s+wireproof view /);
  });
});

describe('the page', () => {
  it('is opened by the program of the platform, without a shell', () => {
    expect(openerOf('linux', '/a b')).toEqual(['xdg-open', '/a b']);
    expect(openerOf('darwin', '/a b')).toEqual(['open', '/a b']);
    expect(openerOf('win32', 'C:\\a b')).toEqual(['explorer.exe', 'C:\\a b']);
  });

  it('is opened for a person, not in CI', () => {
    expect(isAttended({ isTTY: true }, {})).toBe(true);
    expect(isAttended({ isTTY: true }, { CI: 'true' })).toBe(false);
    expect(isAttended({}, {})).toBe(false);
  });
});

describe('judge', () => {
  it('writes the page of a trace, too', async () => {
    const { code, stdout } = await wireproof(['judge', session, '--report', 'html']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain('<details class="trace" id="trace-FOLD-A15.bad"');
  });
});
