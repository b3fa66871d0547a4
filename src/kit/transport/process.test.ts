/** A target's processes end with it, whatever group they are in. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProcess } from './process.ts';

/** Starts a process of its own session, prints its id, and ends: a daemon. */
const daemon = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' });
child.unref();
console.log(child.pid);
`;

/** Whether a process runs. An ended one whose parent has not asked for its exit code is still listed, as Z. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe.runIf(process.platform === 'linux')('a target that leaves its process group', () => {
  it('leaves no process when it is stopped, even when it has ended before', { timeout: 10_000 }, async () => {
    const target = await startProcess({
      command: [process.execPath, '-e', daemon],
      env: {},
      onExit() {},
    });
    await expect.poll(() => target.ending()).toBe('exited with code 0');
    const pid = Number(target.output()[0]);
    expect(isRunning(pid)).toBe(true);
    await target.stop();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

it.each([
  [['./no-such-program'], /"\.\/no-such-program": no such file or command$/u],
  [['python3 agent.py {address}'], /no such file or command; it is one argument: write the command without/u],
  [['./notes.txt'], /not executable; chmod \+x "\.\/notes\.txt" makes it so$/u],
  [['./folder'], /it is a folder$/u],
])('a program that cannot be started is refused with the usual cure: %j', async (command, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
  writeFileSync(join(folder, 'notes.txt'), '', { mode: 0o644 });
  mkdirSync(join(folder, 'folder'));
  await expect(startProcess({ command, env: {}, folder, onExit() {} })).rejects.toThrow(message);
  rmSync(folder, { recursive: true });
});

describe('the stdin of a target', () => {
  /** Prints what its stdin gives in a second: its end, or nothing. */
  const reader = `
process.stdin.on('data', () => {}).on('end', () => { console.log('ended'); process.exit(); });
setTimeout(() => { console.log('open'); process.exit(); }, 1000);
`;

  it.each([
    ['is empty and has an end, if that is asked', true, 'ended'],
    ['stays open else', false, 'open'],
  ])('%s', { timeout: 10_000 }, async (_, emptyStdin, said) => {
    const command = [process.execPath, '-e', reader];
    const target = await startProcess({ command, env: {}, onExit() {}, emptyStdin });
    await expect.poll(() => target.ending(), { timeout: 8000 }).toBe('exited with code 0');
    expect(target.output()).toEqual([said]);
    await target.stop();
  });
});
