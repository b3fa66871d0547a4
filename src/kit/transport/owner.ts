/** Names this process in files, so that a later one can tell whether it has ended. */
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { startOf } from './own-processes.ts';

/** The form of {@link ownName}, such as `4711-1234567-0a1b2c`: the process id, its start, and the place where it counts. */
export const ownerForm = '\\d+-\\d+-[0-9a-f]{6}';

/** The name of this process. Ids of processes come again; with the start, no two names are equal. */
export const ownName = (): string => `${process.pid}-${startOf(process.pid) ?? '0'}-${place()}`;

/** Whether the process with this name has ended; undefined: it ran in another place, whose processes are not seen here. */
export function hasEnded(name: string): boolean | undefined {
  const [pid = '', start = '', where] = name.split('-');
  if (where !== place()) return undefined;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
  const now = startOf(Number(pid));
  // Where no start is seen, a process with that id counts as the owner.
  return process.platform === 'linux' && now !== start;
}

let placeName: string | undefined;

/** Containers and machines may share a folder, and do not see the processes of each other. */
function place(): string {
  placeName ??= createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 6);
  return placeName;
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // only Linux has them
  }
}
