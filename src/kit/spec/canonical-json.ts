/**
 * JSON in one canonical form: sorted keys, two spaces, LF; a test of a file of vectors is one line. Finds the position of a
 * value in such a text.
 */
import { exactText } from '../base/index.ts';
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
  if (typeof value !== 'object' || value === null) return exactText(value);
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
  let [best, offset] = [-1, 0];
  for (const [path, index] of valuesIn(text)) {
    const depth = path.length;
    if (depth <= best || !path.every((part, i) => part !== null && String(part) === wanted[i])) continue;
    [best, offset] = [depth, index];
    if (depth === wanted.length) break;
  }
  return placeAt(text, offset);
}

/**
 * The positions of the values at JSON pointers, as `line:column`, in one walk. A pointer without a value has none.
 *
 * @param pointers - without `~`
 */
export function placesInJson(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  let [line, begin] = [1, 0];
  if (pointers.size === 0) return places;
  for (const [path, index] of valuesIn(text)) {
    const pointer = path.map((part) => `/${part ?? ''}`).join('');
    if (!pointers.has(pointer) || places.has(pointer)) continue;
    for (let end = text.indexOf('\n', begin); end >= 0 && end < index; end = text.indexOf('\n', begin))
      [line, begin] = [line + 1, end + 1];
    places.set(pointer, `${line}:${index - begin + 1}`);
  }
  return places;
}

/** The path of a value: an item's index, a member's key; null between members. */
type Path = readonly (string | number | null)[];

/** Every value of a text, also the keys, and its offset. The path is that of the moment. */
function* valuesIn(text: string): Generator<readonly [Path, number]> {
  const path: (string | number | null)[] = [];
  let key = '';
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const last = path.at(-1);
    if (token === ']' || token === '}') path.pop();
    else if (token === ',') path[path.length - 1] = typeof last === 'number' ? last + 1 : null;
    else if (token === ':') path[path.length - 1] = key;
    else {
      key = token.startsWith('"') ? String(JSON.parse(token)) : '';
      yield [path, index];
      if (token === '[') path.push(0);
      else if (token === '{') path.push(null);
    }
  }
}

/** An offset in a text as `line:column`, both from 1. */
export function placeAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}
