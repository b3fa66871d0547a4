/** The Python token manager is conformant, judged by the built command as a stranger would judge it. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();
const example = join(root, 'conformance/examples/tokens_testee.py');
const pythons = [...new Set([process.env['WIREPROOF_PYTHON'] ?? 'python3', '/usr/bin/python3'])];

/** Whether a Python can run the example: it is written for 3.8. */
function isAble(python: string): boolean {
  const old = 'import sys; sys.exit(sys.version_info < (3, 8))';
  return spawnSync(python, ['-c', old], { timeout: 20_000 }).status === 0;
}

const able = pythons.find(isAble);
const why = `no Python 3.8 or later; tried ${pythons.join(', ')}; on Debian: apt install python3`;
if (able === undefined) console.warn(`skipped: ${why}`);

/** Checks a testee; the report is undefined where none was written. */
function check(
  target: readonly string[],
): Promise<{ readonly report: Report | undefined; readonly code: number | string; readonly stderr: string }> {
  const args = ['check', 'tokens/manager', '--report', 'json', '--trace', 'off', '--', ...target];
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'dist/bin/wireproof.cjs'), ...args],
      options,
      (error, stdout, stderr) => {
        const report = stdout === '' ? undefined : (JSON.parse(stdout) as Report);
        resolve({ report, code: error?.code ?? 0, stderr });
      },
    );
  });
}

const failedIn = (report: Report | undefined): readonly string[] | undefined =>
  report?.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('tokens_testee.py', () => {
  it('is conformant, with every applicable MUST exercised', async (context) => {
    if (able === undefined) return context.skip(why);
    const { report, code, stderr } = await check([able, example]);
    expect({ code, verdict: report?.verdict, failed: failedIn(report), stderr }).toMatchObject({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });

  it('fails a row when one line of it is wrong, and dies of no request', async (context) => {
    if (able === undefined) return context.skip(why);
    const source = readFileSync(example, 'utf8');
    const wrong = source.replace('self.ratio > 0.8', 'self.ratio >= 0.8');
    expect(wrong).not.toBe(source);
    const { report, code } = await check([able, '-c', wrong]);
    expect({ code, verdict: report?.verdict, failed: failedIn(report) }).toEqual({
      code: 1,
      verdict: 'not-conformant',
      failed: ['TOK-22', 'TOK-33'],
    });
  });

  it('answers what it does not know, and lines that are no request', (context) => {
    if (able === undefined) return context.skip(why);
    const input =
      '{"id":1,"op":"tokens.guess"}\n[]\n{"id":2,"op":"tokens.estimate"}\nnonsense\n{"id":3,"op":"hello"}\n';
    const { stdout, status } = spawnSync(able, [example], { input, encoding: 'utf8', timeout: 20_000 });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown });
    expect(status).toBe(0);
    expect(answers).toMatchObject([
      { id: 1, unsupported: true },
      { id: null, error: { code: 'bad-input' } },
      { id: 2, error: { code: 'bad-input' } },
      { id: null, error: { code: 'bad-input' } },
      { id: 3, ok: { name: 'tokens_testee.py' } },
    ]);
  });
});
