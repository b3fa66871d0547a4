/** The first day: what a newcomer does in a fresh clone. The first two blocks of the README run there as they are written. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { copySources } from './checkout-copy.test-helper.ts';

const clone = mkdtempSync(join(tmpdir(), 'wireproof-clone-'));
copySources(packageRoot(), clone);
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** The environment of a shell that neither npm nor vitest has started. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|vitest|NODE_OPTIONS$|INIT_CWD$)/i.test(name)),
);

/** Runs a block in the clone. Its lines run in turn, and the first that fails ends it. @returns exit code, output */
const shell = async (block: string): Promise<readonly [unknown, string]> => {
  const settings = {
    cwd: clone,
    maxBuffer: 64 << 20,
    timeout: 540_000,
    // As written, but without a download of what is there.
    env: { ...environment, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' },
  };
  try {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], settings);
    return [0, stdout + stderr];
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    return [code, stdout + stderr];
  }
};

const readme = readFileSync(join(clone, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block = '']) => block).slice(0, 2);

describe('a fresh clone', () => {
  it('says what to do first', { timeout: 120_000 }, async () => {
    const [code, output] = await shell('npx wireproof check fold/agent -- x');
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('wireproof is not built in this folder: run npm ci first\n'),
    ]);
  });

  it('has two blocks to begin with', () => {
    expect(blocks).toHaveLength(2);
  });

  // On a loaded machine, npx as a target may need longer than the five seconds of a handshake.
  it.each(blocks)('runs block by block: %s', { timeout: 600_000, retry: 2 }, async (block) => {
    const [code, output] = await shell(block);
    expect([code, output]).toEqual([0, expect.anything()]);
  });
});
