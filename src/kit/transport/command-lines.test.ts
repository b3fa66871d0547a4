/** The command lines of this machine's processes: a program of the test is among them while it runs. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../world/until.test-helper.ts';
import { commandLines, linesOfProc, linesOfPs } from './command-lines.ts';
import { scratchFolder } from './scratch.ts';

const tmp = scratchFolder();
afterEach(tmp.remove);

const shows = process.platform !== 'win32';

describe.skipIf(!shows)('command lines', () => {
  it.each([
    ['the first way of this platform', commandLines],
    ['ps', linesOfPs],
  ])('%s: a program is shown while it runs, with its arguments', async (_, list) => {
    const word = `word-${process.pid}-${Math.trunc(performance.now() * 1000)}`;
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', 'x', word]);
    const isShown = (): boolean => list()?.some((line) => line.includes(`x ${word}`)) === true;
    await until(isShown);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(isShown()).toBe(false);
  });

  it('a folder without processes, or none, shows nothing', () => {
    expect(linesOfProc(join(tmp.path, 'none'))).toBeUndefined();
    mkdirSync(join(tmp.path, '7'), { recursive: true });
    writeFileSync(join(tmp.path, '7', 'cmdline'), ''); // as of a kernel thread, or of one that waits to be reaped
    expect(linesOfProc(tmp.path)).toBeUndefined();
  });
});
