/** The tools that touch the machine (issue 17: "`read_file` inside a root, and `run` as a process of its own"). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { credentialIn } from '../../kit/world/index.ts';
import type { ToolCommand, ToolEnd } from '../options.ts';
import { ToolHost } from './tool-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-agent-'));
const root = join(folder, 'root');
execFileSync('mkdir', [root, join(root, 'inner'), join(folder, 'root-two')]);
writeFileSync(join(root, 'inner', 'a.txt'), 'inside\n');
writeFileSync(join(root, 'large.txt'), 'x'.repeat(1_000_000));
writeFileSync(join(folder, 'secret.txt'), 'outside\n');
writeFileSync(join(folder, 'root-two', 'b.txt'), 'outside\n');
symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
symlinkSync(join(root, 'inner'), join(root, 'in'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (tool: string, input: JsonObject): Promise<ToolEnd> =>
  new Promise((resolve) => {
    const host = new ToolHost({ root, ended: ({ end }: ToolCommand) => resolve(end) });
    host.take({ do: 'run', id: 'tool-1', tool, input });
  });

describe('read_file', () => {
  it.each(['inner/a.txt', './inner/../inner/a.txt', 'in/a.txt', join(root, 'inner/a.txt')])(
    'reads %s',
    async (path) => {
      expect(await run('read_file', { path })).toEqual({ outcome: 'completed', output: 'inside\n' });
    },
  );

  it.each(['../secret.txt', 'link.txt', '/etc/hostname', '../root-two/b.txt', '..'])(
    'does not read %s',
    async (path) => {
      const { outcome, output } = await run('read_file', { path });
      expect([outcome, output]).toEqual(['failed', 'the path leads out of the working directory']);
    },
  );

  it.each([
    ['none.txt', 'there is no such file'],
    ['inner', 'this is not a file'],
    ['inner/a.txt/b', 'the file cannot be read: ENOTDIR'],
    ['a\0b', 'the file cannot be read: ERR_INVALID_ARG_VALUE'],
  ])('fails for %j', async (path, output) => {
    expect(await run('read_file', { path })).toEqual({ outcome: 'failed', output });
  });

  it('reads the beginning of a large file', async () => {
    const { output } = await run('read_file', { path: 'large.txt' });
    expect(output).toHaveLength(1 << 18);
  });

  it.runIf(process.platform === 'linux')('does not wait for the other side of a pipe', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect((await run('read_file', { path: 'pipe' })).output).toBe('this is not a file');
  });
});

describe('run', () => {
  const node = (code: string): JsonObject => ({ command: process.execPath, args: ['-e', code] });

  it('gives the output of a program, and no shell reads its arguments', async () => {
    const args = ['-e', 'console.log(process.argv[1])', '$(id); x'];
    expect(await run('run', { command: process.execPath, args })).toEqual({
      outcome: 'completed',
      output: '$(id); x\n',
    });
  });

  it('has failed when the program has, and gives its errors and its exit code', async () => {
    const end = await run('run', node('console.log("out"); console.error("bad"); process.exitCode = 3'));
    expect(end).toEqual({ outcome: 'failed', output: 'out\n\nbad\nexited with code 3' });
  });

  it('has failed when there is no such program', async () => {
    expect(await run('run', { command: '/nowhere/none' })).toMatchObject({ outcome: 'failed' });
  });

  it('does not wait for input', async () => {
    expect(
      (await run('run', node('process.stdin.resume(); process.stdin.on("end", () => console.log("end"))')))
        .output,
    ).toBe('end\n');
  });

  const isRunning = (pid: number): boolean => {
    try {
      return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };

  it.runIf(process.platform === 'linux')(
    'is killed with its children when its call is cancelled',
    async () => {
      const pids = join(root, 'pids');
      const parent = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore', detached: true });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      setTimeout(() => {}, 60000);`;
      const ends: ToolCommand[] = [];
      const host = new ToolHost({ root, ended: (end) => void ends.push(end) });
      host.take({ do: 'run', id: 'tool-1', tool: 'run', input: node(parent) });
      const read = (): number[] => {
        try {
          return readFileSync(pids, 'utf8').split(' ').map(Number);
        } catch {
          return [];
        }
      };
      await expect.poll(() => read().length, { timeout: 10_000 }).toBe(2);
      expect(read().map(isRunning)).toEqual([true, true]);
      host.take({ do: 'cancel', id: 'tool-1' });
      await expect.poll(() => read().some(isRunning), { timeout: 2000 }).toBe(false);
      await host.stop();
      expect(ends).toHaveLength(1);
    },
  );

  it('that is cancelled before it has started does not go on', async () => {
    const ends: ToolCommand[] = [];
    const host = new ToolHost({ root, ended: (end) => void ends.push(end) });
    host.take({ do: 'run', id: 'tool-1', tool: 'run', input: node('setTimeout(() => {}, 60000)') });
    host.take({ do: 'cancel', id: 'tool-1' });
    await host.stop();
    expect(ends.map(({ end }) => end.outcome)).toEqual(['failed']);
  });
});

describe.runIf(process.platform === 'linux')("the user's credentials", () => {
  const shell = (text: string): Promise<ToolEnd> => run('run', { command: 'sh', args: ['-c', text] });
  const key = 'the-key-of-a-provider';

  it('are neither in the environment of a program nor in its output', async () => {
    const before = process.env['WIREPROOF_TEST_KEY'];
    process.env['WIREPROOF_TEST_KEY'] = key;
    try {
      expect(credentialIn('WIREPROOF_TEST_KEY', '--key-env')).toBe(key);
      const { output } = await shell('env');
      expect(output).toContain('PATH=');
      expect(output).not.toContain('WIREPROOF_TEST_KEY');
    } finally {
      if (before === undefined) delete process.env['WIREPROOF_TEST_KEY'];
      else process.env['WIREPROOF_TEST_KEY'] = before;
    }
    writeFileSync(join(root, 'key.txt'), `key: ${key}\n`);
    const path = join(root, 'key.txt');
    expect(await shell(`cat ${path}`)).toEqual({ outcome: 'completed', output: 'key: redacted\n' });
    expect(await run('read_file', { path })).toEqual({ outcome: 'completed', output: 'key: redacted\n' });
  });
});
