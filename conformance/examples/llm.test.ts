/** The Python client of model providers is conformant, judged by the built command as a stranger would judge it. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();
const example = join(root, 'conformance/examples/llm_client.py');
const pythons = [...new Set([process.env['WIREPROOF_PYTHON'] ?? 'python3', '/usr/bin/python3'])];

/** Whether a Python can run the example: it is written for 3.8. */
function isAble(python: string): boolean {
  const old = 'import sys; sys.exit(sys.version_info < (3, 8))';
  return spawnSync(python, ['-c', old], { timeout: 20_000 }).status === 0;
}

const able = pythons.find(isAble);
const why = `no Python 3.8 or later; tried ${pythons.join(', ')}; on Debian: apt install python3`;
if (able === undefined) console.warn(`skipped: ${why}`);

interface Checked {
  /** Undefined where none was written. */
  readonly report: Report | undefined;
  readonly code: number | string;
  readonly stderr: string;
}

function check(flags: readonly string[], target: readonly string[]): Promise<Checked> {
  const args = ['check', 'llm/client', ...flags, '--report', 'json', '--trace', 'off', '--', ...target];
  const command = [join(root, 'dist/bin/wireproof.cjs'), ...args];
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      const report = stdout === '' ? undefined : (JSON.parse(stdout) as Report);
      resolve({ report, code: error?.code ?? 0, stderr });
    });
  });
}

const failedIn = (report: Report | undefined): readonly string[] | undefined =>
  report?.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('llm_client.py', () => {
  it('is conformant in its dialects, with every MUST exercised', { timeout: 180_000 }, async (context) => {
    if (able === undefined) return context.skip(why);
    const { report, code, stderr } = await check([], [able, example]);
    expect({ code, verdict: report?.verdict, failed: failedIn(report), stderr }).toMatchObject({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
    expect(report?.features).toEqual(['anthropic', 'openai-chat', 'thinking']);
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });

  // What clients in the field do: a limit is taken for a stop like any other, and what is left of a call is run.
  it('fails when it runs what the limit cut', { timeout: 180_000 }, async (context) => {
    if (able === undefined) return context.skip(why);
    const source = readFileSync(example, 'utf8');
    const wrong = source
      .replace("'length': 'max_tokens'", "'length': 'tool_use'")
      .replace('if isinstance(value, dict) else None', 'if isinstance(value, dict) else {}')
      .replace(
        'except (ValueError, RecursionError): return None',
        'except (ValueError, RecursionError): return {}',
      );
    const { report, code } = await check(['--only', 'LLM-C01', '--only', 'LLM-C05'], [able, '-c', wrong]);
    expect({ code, failed: failedIn(report) }).toEqual({ code: 1, failed: ['LLM-C01', 'LLM-C05'] });
  });
});
