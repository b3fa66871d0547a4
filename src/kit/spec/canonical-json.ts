/**
 * JSON in one canonical form: sorted keys, two spaces, LF; a test of a file of vectors is one line. Finds the position of a
 * value in such a text.
 */
import type { Json } from '../base/index.ts';

/** Sorts keys by their UTF-16 code units (RFC 8785, 3.2.3). */
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Objects and lists below this number of others are written in one line. A test of a file of vectors is below four. */
const oneLineBelow = 4;

/**
 * The canonical text of a value. Recursive: the depth of the value must be bounded (`nestsDeeper` of kit/base).
 *
 * @example
 * canonicalJson({ b: [1], a: '\u00e9' }); // '{\n  "a": "é",\n  "b": [\n    1\n  ]\n}\n'
 * canonicalJson([[[[{ b: [1], a: 2 }]]]]); // '[\n  [\n    [\n      [\n        {"a":2,"b":[1]}\n      ]\n    ]\n  ]\n]\n'
 */
export const canonicalJson = (value: Json): string => `${textOf(value, 0)}\n`;

function textOf(value: Json, above: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isLine = above >= oneLineBelow;
  const [open, close, items] = Array.isArray(value)
    ? (['[', ']', value.map((item: Json) => textOf(item, above + 1))] as const)
    : (['{', '}', membersOf(value as { readonly [key: string]: Json }, above + 1)] as const);
  if (items.length === 0 || isLine) return open + items.join(',') + close;
  const outer = '  '.repeat(above);
  return `${open}\n${outer}  ${items.join(`,\n${outer}  `)}\n${outer}${close}`;
}

const membersOf = (value: { readonly [key: string]: Json }, above: number): string[] =>
  Object.entries(value)
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([key, item]) => `${JSON.stringify(key)}:${above > oneLineBelow ? '' : ' '}${textOf(item, above)}`);

/** The tokens of a JSON text: strings, punctuation, and all other words. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/**
 * The position of the value at a JSON pointer, as `line:column`; without such a value, that of its nearest parent.
 *
 * @example
 * placeInJson('{\n  "a": [1, 2]\n}', '/a/1'); // '2:12'
 */
export function placeInJson(text: string, pointer: string): string {
  const wanted = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  // An item's index, a member's key; null between members.
  const path: (string | number | null)[] = [];
  let [best, offset, key] = [-1, 0, ''];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const last = path.at(-1);
    if (token === ']' || token === '}') path.pop();
    else if (token === ',') path[path.length - 1] = typeof last === 'number' ? last + 1 : null;
    else if (token === ':') path[path.length - 1] = key;
    else {
      key = token.startsWith('"') ? String(JSON.parse(token)) : '';
      const depth = path.length;
      if (depth > best && path.every((part, i) => part !== null && String(part) === wanted[i])) {
        [best, offset] = [depth, index];
        if (depth === wanted.length) break;
      }
      if (token === '[') path.push(0);
      else if (token === '{') path.push(null);
    }
  }
  return placeAt(text, offset);
}

/** An offset in a text as `line:column`, both from 1. */
export function placeAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}
