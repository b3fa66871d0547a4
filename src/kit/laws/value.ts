/** Compares values for the laws: as JSON with sorted keys, which also shows maps, sets, bytes and bigints. */

function replace(_: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (typeof value === 'bigint') return { bigint: value.toString() };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A value as a text. Equal values have equal texts; an undefined member counts as absent. */
export const textOf = (value: unknown): string => JSON.stringify(value, replace) ?? 'undefined';

/** Throws when two values differ, with both in the message. */
export function demandSame(name: string, expected: unknown, came: unknown): void {
  const [a, b] = [textOf(expected), textOf(came)];
  if (a !== b) throw new Error(`${name}: expected ${cut(a)}; came ${cut(b)}`);
}

const cut = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
