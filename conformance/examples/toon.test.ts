/** The Python examples of TOON are conformant, judged by the built command as a stranger would judge them. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();
/** What the examples need: Python 3.8, for `:=`. */
const needs = 'import sys; sys.exit(sys.version_info < (3, 8) and "older than 3.8")';
const pythons = [...new Set([process.env['WIREPROOF_PYTHON'] ?? 'python3', '/usr/bin/python3'])];

/** The last line of what a Python says that cannot run the examples; undefined when it can. */
function missing(python: string): string | undefined {
  const { status, stderr, error } = spawnSync(python, ['-c', needs], { encoding: 'utf8', timeout: 20_000 });
  if (status === 0) return undefined;
  return `${python}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? 'fails'}`;
}

const tried = pythons.map((python) => ({ python, lacks: missing(python) }));
const able = tried.find(({ lacks }) => lacks === undefined)?.python;
const why = `no Python 3.8 or later; ${tried.map(({ lacks }) => lacks ?? 'runs').join('; ')}`;
if (able === undefined) console.warn(`skipped: ${why}; on Debian: apt install python3`);

interface Checked {
  /** Undefined where none was written. */
  readonly report: Report | undefined;
  readonly code: number | string;
  readonly stderr: string;
}

/** Checks an example: what comes before and after `--`, without the Python and the report. */
function check(
  python: string,
  before: readonly string[],
  [file = '', ...rest]: readonly string[],
): Promise<Checked> {
  const args = ['check', ...before, '--report', 'json', '--trace', 'off', '--'];
  const target = [python, join(root, 'conformance/examples', file), ...rest];
  const command = [join(root, 'dist/bin/wireproof.cjs'), ...args, ...target];
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      const report = stdout === '' ? undefined : (JSON.parse(stdout) as Report);
      resolve({ report, code: error?.code ?? 0, stderr });
    });
  });
}

/** Each example on each of its carriers: what comes before `--` and after it. */
const checks: readonly (readonly [title: string, before: readonly string[], after: readonly string[]])[] = [
  ['toon_testee.py', ['toon/codec'], ['toon_testee.py']],
  ['toon_subagent.py over stdio', ['toon/subagent', '--carrier', 'stdio'], ['toon_subagent.py']],
  ['toon_subagent.py over TCP', ['toon/subagent'], ['toon_subagent.py', '{address}']],
  ['toon_subagent.py over WebSocket', ['toon/subagent', '--carrier', 'ws'], ['toon_subagent.py', '{url}']],
];

describe.each(checks)('%s', (_, before, after) => {
  it('is conformant, with every applicable MUST exercised', async (context) => {
    if (able === undefined) return context.skip(why);
    const { report, code, stderr } = await check(able, before, after);
    const failed = report?.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect({ code, verdict: report?.verdict, failed, stderr }).toMatchObject({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });
});
