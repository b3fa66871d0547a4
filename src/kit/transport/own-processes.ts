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

/** The most looks at /proc for one list. */
const mostLooks = 3;

/**
 * The processes whose environment this user may read, without this process. A process that ends during the look may have
 * started another one behind its back, so /proc is read again then.
 */
export function ownProcesses(): readonly OwnProcess[] {
  if (process.platform !== 'linux') return [];
  let found: readonly OwnProcess[] = [];
  let isWhole = false;
  for (let looks = 0; !isWhole && looks < mostLooks; looks++) {
    isWhole = true;
    found = processIds().flatMap((pid) => {
      const stat = statOf(pid);
      if (stat === 'gone') isWhole = false;
      if (typeof stat === 'string' || stat.parent === kernel || pid === kernel) return [];
      const environment = textOf(`/proc/${pid}/environ`);
      return environment === undefined ? [] : [{ pid, environment, ...stat }];
    });
  }
  return found;
}

const processIds = (): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);

/**
 * When a process started, as text to compare: ids of processes come again, with another start.
 *
 * @returns undefined when it has ended, or where only Linux would show it
 */
export function startOf(pid: number): string | undefined {
  const stat = process.platform === 'linux' ? statOf(pid) : 'gone';
  return typeof stat === 'string' ? undefined : stat.start;
}

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

/** The parent and the start of a process. One that has ended may wait for its parent to notice. */
function statOf(pid: number): Pick<OwnProcess, 'parent' | 'start'> | 'gone' | 'ended' {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return 'gone';
  // The name of the program, in parentheses, may have any character. State is the third field.
  const [state, parent = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = rest[17];
  return start === undefined || state === 'Z' || state === 'X' ? 'ended' : { parent: Number(parent), start };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined; // it has ended, or belongs to another user
  }
}
