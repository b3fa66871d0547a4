/**
 * Names the process that has a ledger open. The lock itself is the kernel's, on the database file, and ends with its
 * process. A note next to the file lets a refusal name the owner.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject } from '../../../kit/base/index.ts';
import { parseJson } from '../../json.ts';

/** A process. Its start time distinguishes it from a later process with the same id. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** In the kernel's ticks since boot; empty without /proc. */
  readonly started: string;
}

const note = (ledger: string): string => `${ledger}.owner`;

/** Field 22 of /proc/<pid>/stat (proc(5)). Field 2 can contain spaces and brackets, so the count starts after it. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user exists, but cannot be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function read(ledger: string): Owner | undefined {
  try {
    const parsed = parseJson(readFileSync(note(ledger), 'utf8'));
    if (!parsed.ok || !isObject(parsed.value)) return undefined;
    const { host, pid, started } = parsed.value;
    const valid = typeof host === 'string' && Number.isSafeInteger(pid) && typeof started === 'string';
    return valid ? { host, pid: Number(pid), started } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the note of this process. Call it while holding the lock. */
export function noteOwner(ledger: string): void {
  const owner: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
  writeFileSync(note(ledger), `${JSON.stringify(owner)}\n`);
}

/** Removes the note. Call it while still holding the lock, so that it is not the note of the next owner. */
export function forgetOwner(ledger: string): void {
  rmSync(note(ledger), { force: true });
}

/** Names the ledger's owner. A note of a process that has ended counts as no note. */
export function nameOwner(ledger: string): string {
  const owner = read(ledger);
  if (owner === undefined) return 'another process';
  if (owner.host !== hostname()) return `process ${owner.pid} on ${owner.host}`;
  const same = isAlive(owner.pid) && startOf(owner.pid) === owner.started;
  return same ? `process ${owner.pid}` : 'another process';
}
