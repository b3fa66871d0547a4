/** References to outputs: `$name` in parameters and in responses (SEP-41 to SEP-48). Nothing here recurses on a value. */
import { exactText, isArray, isObject } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';

/** A reference, or `$$name`, which stands for a literal `$name`. Digits cannot begin a name. */
const reference = /\$(\$?)([A-Za-z_][A-Za-z0-9_]*)/g;
const wholeReference = /^\$([A-Za-z_][A-Za-z0-9_]*)$/;
/** What may go on as a reference in the next piece of a text. */
const openReference = /\$\$?(?:[A-Za-z_][A-Za-z0-9_]*)?$/;

/** The most characters of a reference that is cut. A longer one is text. */
const mostReference = 256;

/** The value of a name; undefined: there is none. */
export type Lookup = (name: string) => Json | undefined;

/** A value as it stands inside a text: a string as it is, any other value as compact JSON (SEP-43). */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : exactText(value));

/** The references in a text, each with its position. */
export function* referencesIn(text: string): Generator<{ readonly name: string; readonly at: number }> {
  if (!text.includes('$')) return;
  for (const { 1: escape, 2: name = '', index } of text.matchAll(reference))
    if (escape === '') yield { name, at: index };
}

/** Replaces the references in a text. What is put in is not read again (SEP-48). */
export const substituteText = (text: string, lookup: Lookup): string =>
  text.includes('$')
    ? text.replace(reference, (written: string, escape: string, name: string) => {
        if (escape !== '') return `$${name}`;
        const value = lookup(name);
        return value === undefined ? written : textOf(value);
      })
    : text;

/** The name of a text that is one reference; undefined: it is another text. */
export const wholeName = (text: string): string | undefined => wholeReference.exec(text)?.[1];

function substituteWhole(text: string, lookup: Lookup): Json {
  const name = wholeName(text);
  const whole = name === undefined ? undefined : lookup(name);
  if (whole !== undefined) return whole;
  return name === undefined ? substituteText(text, lookup) : text;
}

/** A list or an object that is being copied. */
interface Copy {
  [key: string | number]: Json;
}

/** The lists and objects that are still to be copied: the holder, the key and the part of each. */
interface Places {
  readonly holders: Copy[];
  readonly keys: (string | number)[];
  readonly parts: Json[];
}

/**
 * Replaces the references in all values of a value, but not in its keys. A text that is one reference becomes the value
 * with its type (SEP-42).
 *
 * @example
 * substitute({ a: '$n', b: 'n = $n' }, () => 3); // { a: 3, b: 'n = 3' }
 */
export const substitute = (value: Json, lookup: Lookup): Json =>
  referencesOf(value).hasSign ? withTexts(value, (text) => substituteWhole(text, lookup)) : value;

/** A copy of a value in which each text is replaced. Keys stay. */
export function withTexts(value: Json, replace: (text: string) => Json): Json {
  const places: Places = { holders: [], keys: [], parts: [] };
  const whole = copyOf(value, replace, places);
  for (let holder = places.holders.pop(); holder !== undefined; holder = places.holders.pop())
    holder[places.keys.pop() ?? ''] = copyOf(places.parts.pop() ?? null, replace, places);
  return whole;
}

/** Replaces the references in a text by other texts, and keeps each `$$name`. */
export const rewriteReferences = (
  text: string,
  rewrite: (name: string, written: string) => string,
): string =>
  text.includes('$')
    ? text.replace(reference, (written: string, escape: string, name: string) =>
        escape === '' ? rewrite(name, written) : written,
      )
    : text;

/** A list or an object whose lists and objects are still to be copied; a text that is replaced; another value as it is. */
function copyOf(value: Json, replace: (text: string) => Json, places: Places): Json {
  if (typeof value === 'string') return replace(value);
  if (isArray(value)) {
    const list = [...value];
    const holder = list as unknown as Copy;
    for (let i = 0; i < list.length; i++) take(holder, i, replace, places);
    return list;
  }
  if (!isObject(value)) return value;
  // With all keys in their order, and with __proto__ as a key like others.
  const holder: Copy = Object.fromEntries(Object.entries(value));
  for (const key of Object.keys(value)) take(holder, key, replace, places);
  return holder;
}

/** Replaces a part that is a text, and remembers one that is a list or an object. */
function take(
  holder: Copy,
  key: string | number,
  replace: (text: string) => Json,
  { holders, keys, parts }: Places,
): void {
  const part = holder[key] ?? null;
  if (typeof part === 'string') holder[key] = replace(part);
  if (typeof part !== 'object' || part === null) return;
  holders.push(holder);
  keys.push(key);
  parts.push(part);
}

/** The texts in a value, in their order, each with the levels of nesting around it. */
export function* textsIn(value: Json): Generator<{ readonly text: string; readonly level: number }> {
  const [parts, levels]: [Json[], number[]] = [[value], [0]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const level = levels.pop() ?? 0;
    if (typeof part === 'string') yield { text: part, level };
    if (typeof part !== 'object' || part === null) continue;
    const inner: readonly Json[] = isArray(part) ? part : Object.values(part);
    for (let i = inner.length - 1; i >= 0; i--) {
      const one = inner[i] ?? null;
      if (typeof one !== 'string' && (typeof one !== 'object' || one === null)) continue;
      parts.push(one);
      levels.push(level + 1);
    }
  }
}

/** What the texts of a value refer to. */
interface References {
  readonly names: ReadonlySet<string>;
  /** Whether a text has the sign of a reference, which also begins `$$name`. */
  readonly hasSign: boolean;
}

/** The references of values that were read. Parameters are asked for several times, and never change. */
const known = new WeakMap<object, References>();

function referencesOf(value: Json): References {
  const before = typeof value === 'object' && value !== null ? known.get(value) : undefined;
  if (before !== undefined) return before;
  const names = new Set<string>();
  let hasSign = false;
  for (const { text } of textsIn(value)) {
    hasSign ||= text.includes('$');
    for (const { name } of referencesIn(text)) names.add(name);
  }
  const found = { names, hasSign };
  if (typeof value === 'object' && value !== null) known.set(value, found);
  return found;
}

/** The names that the texts of a value refer to. */
export const namesIn = (value: Json): ReadonlySet<string> => referencesOf(value).names;

/** Cuts a text before what may go on as a reference in the next piece. */
export function cutReference(text: string): readonly [certain: string, open: string] {
  // No more than what can be held back is read: a text that waits is cut again at each step.
  const from = Math.max(0, text.length - mostReference - 1);
  const tail = text.slice(from);
  const open = tail.includes('$') ? openReference.exec(tail) : null;
  const at = open === null ? text.length : from + open.index;
  return text.length - at > mostReference ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
