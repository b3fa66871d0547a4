/** The command lines of this machine's processes. Linux shows them in /proc, other Unix systems by `ps`. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** The longest time of `ps` (ms), and its longest output (bytes). */
const bounds = { ms: 2000, bytes: 16 << 20 } as const;

/** The command lines of all processes that run, without those that wait to be reaped; undefined: the platform does not show them. */
export function commandLines(): readonly string[] | undefined {
  return linesOfProc('/proc') ?? linesOfPs();
}

/** Reads a folder like /proc; undefined when it shows no process. */
export function linesOfProc(folder: string): readonly string[] | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const lines = names.flatMap((name) => (/^\d+$/.test(name) ? lineOf(`${folder}/${name}/cmdline`) : []));
  return lines.length === 0 ? undefined : lines;
}

/** The command line in a file, as a list. Empty for a kernel thread, and when the process has ended. */
function lineOf(file: string): readonly string[] {
  try {
    const line = readFileSync(file, 'utf8').replaceAll('\0', ' ').trimEnd();
    return line === '' ? [] : [line];
  } catch {
    return [];
  }
}

/** Asks `ps`; undefined without that program. */
export function linesOfPs(): readonly string[] | undefined {
  const { status, stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'args='], {
    encoding: 'utf8',
    timeout: bounds.ms,
    maxBuffer: bounds.bytes,
    windowsHide: true,
  });
  const lines = status === 0 ? stdout.split('\n').filter((line) => line.trim() !== '') : [];
  return lines.length === 0 ? undefined : lines;
}
