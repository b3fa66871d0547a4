/** References to outputs: `$name` in parameters and in responses (SEP-41 to SEP-48). */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';

/** A reference, or `$$name`, which stands for a literal `$name`. Digits cannot begin a name. */
const reference = /\$(\$?)([A-Za-z_][A-Za-z0-9_]*)/g;
const wholeReference = /^\$([A-Za-z_][A-Za-z0-9_]*)$/;
/** What may go on as a reference in the next piece of a text. */
const openReference = /\$\$?(?:[A-Za-z_][A-Za-z0-9_]*)?$/;

/** The most characters of a reference. A longer one is text. */
const mostReference = 256;

/** The value of a name; undefined: there is none. */
export type Lookup = (name: string) => Json | undefined;

/** A value as it stands inside a text: a string as it is, any other value as compact JSON (SEP-43). */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

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

/**
 * Replaces the references in all values of a value, but not in its keys. A text that is one reference becomes the value
 * with its type (SEP-42).
 *
 * @example
 * substitute({ a: '$n', b: 'n = $n' }, () => 3); // { a: 3, b: 'n = 3' }
 */
export function substitute(value: Json, lookup: Lookup): Json {
  if (typeof value === 'string') {
    const name = wholeReference.exec(value)?.[1];
    const whole = name === undefined ? undefined : lookup(name);
    if (whole !== undefined) return whole;
    return name === undefined ? substituteText(value, lookup) : value;
  }
  if (isArray(value)) return value.map((one) => substitute(one, lookup));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substitute(one, lookup)]));
}

/** The names that the texts of a value refer to. */
export function namesIn(value: Json, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const { name } of referencesIn(value)) found.add(name);
  else if (isArray(value)) for (const one of value) namesIn(one, found);
  else if (isObject(value)) for (const one of Object.values(value)) namesIn(one, found);
  return found;
}

/** Cuts a text before what may go on as a reference in the next piece. */
export function cutReference(text: string): readonly [certain: string, open: string] {
  const from = text.lastIndexOf('$');
  if (from < 0 || text.length - from > mostReference) return [text, ''];
  const begin = Math.max(0, from - 1);
  const open = openReference.exec(text.slice(begin));
  return open === null ? [text, ''] : [text.slice(0, begin + open.index), text.slice(begin + open.index)];
}
