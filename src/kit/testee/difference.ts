/** Compares a testee's answer with the expected value, and describes the first difference. */
import { exactText, isArray, isObject } from '../base/index.ts';
import type { Json } from '../base/index.ts';

/** The longest piece of an answer that a message shows (characters). */
const shownAtMost = 60;

/** A value in few words, for values of any size and depth. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (!isObject(value)) return cut(exactText(value));
  const keys = Object.keys(value);
  return keys.length === 0 ? '{}' : cut(`an object with ${keys.slice(0, 5).join(', ')}`);
}

const cut = (text: string): string =>
  text.length <= shownAtMost ? text : `${text.slice(0, shownAtMost)}… (${text.length} characters)`;

/**
 * The first difference between a value and the expected value; undefined when they are equal. The order of keys does not
 * matter.
 *
 * It does not recurse, because the testee chooses the depth of the value.
 */
export function difference(at: string, expected: Json, came: unknown): string | undefined {
  const left: { at: string; expected: Json; came: unknown }[] = [{ at, expected, came }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at: where, expected: e, came: c } = next;
    if (isArray(e) && isArray(c) && e.length === c.length) {
      for (let i = e.length - 1; i >= 0; i--)
        left.push({ at: `${where}[${i}]`, expected: e[i] ?? null, came: c[i] });
      continue;
    }
    if (isObject(e) && isObject(c)) {
      const odd = oddKey(e, c);
      if (odd !== undefined) return `${where}.${cut(odd.key)}: expected ${odd.expected}; came ${odd.came}`;
      for (const key of Object.keys(e).toReversed())
        left.push({ at: `${where}.${cut(key)}`, expected: e[key] as Json, came: c[key] });
      continue;
    }
    if (e !== c) return `${where}: expected ${shown(e)}; came ${shown(c)}`;
  }
  return undefined;
}

/** A key that only one of two objects has. */
function oddKey(
  expected: Record<string, unknown>,
  came: Record<string, unknown>,
): { key: string; expected: string; came: string } | undefined {
  const missing = Object.keys(expected).find((key) => !Object.hasOwn(came, key));
  if (missing !== undefined) return { key: missing, expected: shown(expected[missing]), came: 'nothing' };
  const added = Object.keys(came).find((key) => !Object.hasOwn(expected, key));
  return added === undefined ? undefined : { key: added, expected: 'no such key', came: shown(came[added]) };
}
