/**
 * Says who holds a ledger. The lock itself is the kernel's, on the database file, and ends with its process;
 * the note beside the file only lets a refusal name the owner.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject } from '../../../kit/base/index.ts';

/** A process, told from a later one of the same number by when it began. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** In the kernel's ticks since it booted; empty where there is no /proc. */
  readonly started: string;
}

const note = (ledger: string): string => `${ledger}.owner`;

/** Field 22 of /proc/<pid>/stat (proc(5)); the second may hold spaces and brackets, so count after its end. */
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
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function read(ledger: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(note(ledger), 'utf8'));
    if (!isObject(value)) return undefined;
    const { host, pid, started } = value;
    const whole = typeof host === 'string' && Number.isSafeInteger(pid) && typeof started === 'string';
    return whole ? { host, pid: Number(pid), started } : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that this process holds the ledger; call it with the lock held. */
export function noteOwner(ledger: string): void {
  const owner: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
  writeFileSync(note(ledger), `${JSON.stringify(owner)}\n`);
}

/** Takes the note away; call it with the lock still held, so that it is not a successor's. */
export function forgetOwner(ledger: string): void {
  rmSync(note(ledger), { force: true });
}

/** Who holds the ledger, in words; a note whose process is gone names nobody. */
export function nameOwner(ledger: string): string {
  const owner = read(ledger);
  if (owner === undefined) return 'another process';
  if (owner.host !== hostname()) return `process ${owner.pid} on ${owner.host}`;
  const same = isAlive(owner.pid) && startOf(owner.pid) === owner.started;
  return same ? `process ${owner.pid}` : 'another process';
}
