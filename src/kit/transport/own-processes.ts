/** The processes of this user, as Linux shows them in /proc. Other systems show none. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** A process that runs. */
export interface OwnProcess {
  readonly pid: number;
  /** The id of the process that started it; 1 or another reaper when that one has ended. */
  readonly parent: number;
  /** When it started; see {@link startOf}. */
  readonly start: string;
  /** Its environment at its start: `NAME=VALUE` entries that a NUL ends (Latin-1). */
  readonly environment: string;
}

/** The process that the threads of the kernel have as their parent. They are most processes of a small machine. */
const kernel = 2;

/** The processes whose environment this user may read, without this process. */
export function ownProcesses(): readonly OwnProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const stat = statOf(pid);
    if (stat === undefined || stat.parent === kernel || pid === kernel) return [];
    const environment = textOf(`/proc/${pid}/environ`);
    return environment === undefined ? [] : [{ pid, environment, ...stat }];
  });
}

/**
 * When a process started, as text to compare: ids of processes come again, with another start.
 *
 * @returns undefined when it has ended, or where only Linux would show it
 */
export const startOf = (pid: number): string | undefined =>
  process.platform === 'linux' ? statOf(pid)?.start : undefined;

/** The pipes and sockets that are the stdin, stdout and stderr of a process, such as `socket:[4711]`. */
export function standardPipesOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') return [];
  return [0, 1, 2].flatMap((fd) => {
    try {
      const link = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /^(?:pipe|socket):/.test(link) ? [link] : [];
    } catch {
      return []; // it is closed, or the process has ended
    }
  });
}

function statOf(pid: number): Pick<OwnProcess, 'parent' | 'start'> | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may have any character. State is the third field.
  const [state, parent = '', ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  const start = rest[17];
  // What has ended and waits for its parent to notice is no process any more.
  return start === undefined || state === 'Z' || state === 'X'
    ? undefined
    : { parent: Number(parent), start };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined; // it has ended, or belongs to another user
  }
}
