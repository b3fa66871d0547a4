/** Paths into a value, and the order of numbers and texts. */
import { isArray, isNumber, isObject } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';

/** The end of a line. */
export const lineOf: RegExp = /\r?\n/;

/** A key, or a position in brackets. */
const part = /[^.[\]]+|\[(\d+)\]/g;

/** The value at a path such as `load.cpu[0]`; undefined: there is none. The empty path is the value itself. */
export function valueAt(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const { 0: key, 1: position } of path.matchAll(part)) {
    if (position !== undefined) found = isArray(found) ? found[Number(position)] : undefined;
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** The order of two numbers, or of two texts by their code points. */
export function compared(a: Json, b: Json): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : Number(a > b);
  if (typeof a !== 'string' || typeof b !== 'string') return 0;
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0);
  return a.length - b.length;
}
