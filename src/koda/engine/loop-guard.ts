/** The guard against loops: a third identical call within 20 that changes something ends the turn (KODA-51). */
import { isObject } from '../../kit/base/index.ts';
import type { Tool } from '../directive.ts';
import type { Turn } from './state.ts';

/** The tools whose calls change something. */
export const mutatingTools: readonly string[] = ['Bash', 'Edit', 'Write', 'Delete'];

/** The number of calls that are compared, the newest included. */
const compared = 20;

/** The number of identical calls that end a turn. */
const allowed = 3;

/** Remembers a call. @returns whether it is the third identical call within 20 that changes something */
export function repeats({ recent }: Turn, { name, args = {} }: Tool): boolean {
  const change = mutatingTools.includes(name) ? `${name} ${JSON.stringify(args, sorted)}` : undefined;
  recent.push(change === undefined ? { name } : { name, change });
  if (recent.length > compared) recent.shift();
  return change !== undefined && recent.filter((call) => call.change === change).length >= allowed;
}

/** Takes the newest call back: it was rejected or blocked, and so it has changed nothing. Its name stays. */
export function takeBack({ recent }: Turn): void {
  const call = recent.pop();
  if (call !== undefined) recent.push({ name: call.name });
}

/** The order of the members of an object does not matter (KODA-15). */
const sorted = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The names of the last five calls, the oldest first (KODA-46). */
export const recentNames = ({ recent }: Turn): readonly string[] => recent.slice(-5).map(({ name }) => name);
