/** How long the threads of programs have waited for a processor, as Linux counts it in /proc. */
import { readFileSync, readdirSync } from 'node:fs';
import type { WaitedSoFar } from './machine-load.ts';

/** The processes of process groups, by group. */
function membersOf(groups: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const group = Number.isInteger(pid) ? groupOf(pid) : undefined;
    if (group === undefined || !groups.has(group)) continue;
    const members = found.get(group) ?? [];
    members.push(pid);
    found.set(group, members);
  }
  return found;
}

/** The process group of a process; undefined when it has ended. */
function groupOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name before it may have any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : Number(fields[2]);
}

/** How long the threads of a process have waited (ms); undefined when Linux does not count it, or the process has ended. */
function waitedOf(pid: number): number | undefined {
  let nanoseconds = 0;
  for (const thread of listOf(`/proc/${pid}/task`)) {
    const [, waited] = textOf(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ') ?? [];
    if (waited !== undefined) nanoseconds += Number(waited);
  }
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined;
}

/**
 * How long the threads of this process and those of each process group have waited for a processor so far (ms).
 *
 * @returns undefined where the system does not count it
 */
export function runDelays(groups: ReadonlySet<number>): WaitedSoFar | undefined {
  if (process.platform !== 'linux' || textOf('/proc/self/schedstat') === undefined) return undefined;
  const programs = new Map<number, number>();
  for (const [group, members] of membersOf(groups))
    programs.set(
      group,
      members.reduce((sum, pid) => sum + (waitedOf(pid) ?? 0), 0),
    );
  return { kit: waitedOf(process.pid) ?? 0, programs };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function listOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
