/** The Python agent is conformant, judged by the built command as a stranger would judge it. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();
/** What the agent needs. The system's Python may have it where another is first in PATH. */
const needs = 'import grpc.aio, google.protobuf';
const pythons = [...new Set([process.env['WIREPROOF_PYTHON'] ?? 'python3', '/usr/bin/python3'])];

/** The last line of what a Python says that cannot run the agent; undefined when it can. */
function missing(python: string): string | undefined {
  const { status, stderr, error } = spawnSync(python, ['-c', needs], { encoding: 'utf8', timeout: 20_000 });
  if (status === 0) return undefined;
  return `${python}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? 'fails'}`;
}

/** The report of a check; undefined where none was written. */
function check(python: string): Promise<{ report: Report | undefined; stderr: string }> {
  const args = ['check', 'fold/agent', '--report', 'json', '--trace', 'off', '--'];
  const target = [python, join(root, 'conformance/examples/fold_agent.py'), '{address}'];
  const command = [join(root, 'dist/bin/wireproof.cjs'), ...args, ...target];
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (_, stdout, stderr) => {
      resolve({ report: stdout === '' ? undefined : (JSON.parse(stdout) as Report), stderr });
    });
  });
}

describe('fold_agent.py', () => {
  it('is conformant, with at least 50 of 56 rows exercised', async (context) => {
    const tried = pythons.map((python) => ({ python, lacks: missing(python) }));
    const able = tried.find(({ lacks }) => lacks === undefined);
    if (able === undefined) {
      const why = `no Python with grpcio and protobuf; ${tried.map(({ lacks }) => lacks).join('; ')}`;
      console.warn(`skipped: ${why}; on Debian: apt install python3-grpcio python3-protobuf`);
      return context.skip(why);
    }
    const { report, stderr } = await check(able.python);
    const failed = report?.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect({ verdict: report?.verdict, failed, stderr }).toMatchObject({ verdict: 'conformant', failed: [] });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
    expect(report?.counts.pass).toBeGreaterThanOrEqual(50);
  });
});
