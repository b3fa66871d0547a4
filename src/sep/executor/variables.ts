/** References to outputs: `$name` in parameters and in responses (SEP-41 to SEP-48). Nothing here recurses on a value. */
import { isArray, isObject } from '../../kit/base/index.ts';
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

/** The name of a text that is one reference; undefined: it is another text. */
export const wholeName = (text: string): string | undefined => wholeReference.exec(text)?.[1];

function substituteWhole(text: string, lookup: Lookup): Json {
  const name = wholeName(text);
  const whole = name === undefined ? undefined : lookup(name);
  if (whole !== undefined) return whole;
  return name === undefined ? substituteText(text, lookup) : text;
}

/** A part of a value, and what takes its copy. */
interface Part {
  readonly value: Json;
  readonly put: (copy: Json) => void;
}

/**
 * Replaces the references in all values of a value, but not in its keys. A text that is one reference becomes the value
 * with its type (SEP-42).
 *
 * @example
 * substitute({ a: '$n', b: 'n = $n' }, () => 3); // { a: 3, b: 'n = 3' }
 */
export const substitute = (value: Json, lookup: Lookup): Json =>
  withTexts(value, (text) => substituteWhole(text, lookup));

/** A copy of a value in which each text is replaced. Keys stay. */
export function withTexts(value: Json, replace: (text: string) => Json): Json {
  let whole: Json = null;
  const parts: Part[] = [{ value, put: (copy) => void (whole = copy) }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop())
    part.put(typeof part.value === 'string' ? replace(part.value) : copyOf(part.value, parts));
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

/** A list or an object whose parts are still to be copied; another value as it is. */
function copyOf(value: Json, parts: Part[]): Json {
  if (isArray(value)) {
    const into: Json[] = [...value];
    for (const [i, one] of value.entries()) parts.push({ value: one, put: (copy) => void (into[i] = copy) });
    return into;
  }
  if (!isObject(value)) return value;
  // With all keys in their order, and with __proto__ as a key like others.
  const into = Object.fromEntries(Object.entries(value));
  for (const [key, one] of Object.entries(value))
    parts.push({ value: one, put: (copy) => void (into[key] = copy) });
  return into;
}

/** The texts in a value, in their order, each with the levels of nesting around it. */
export function* textsIn(value: Json): Generator<{ readonly text: string; readonly level: number }> {
  const parts: { readonly value: Json; readonly level: number }[] = [{ value, level: 0 }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const level = part.level + 1;
    const { value: one } = part;
    if (typeof one === 'string') yield { text: one, level: part.level };
    else if (isArray(one) || isObject(one))
      for (const inner of Object.values(one).toReversed()) parts.push({ value: inner, level });
  }
}

/** The names that the texts of a value refer to. */
export function namesIn(value: Json): Set<string> {
  const found = new Set<string>();
  for (const { text } of textsIn(value)) for (const { name } of referencesIn(text)) found.add(name);
  return found;
}

/** Cuts a text before what may go on as a reference in the next piece. */
export function cutReference(text: string): readonly [certain: string, open: string] {
  // No more than what can be held back is read: a text that waits is cut again at each step.
  const from = Math.max(0, text.length - mostReference - 1);
  const tail = text.slice(from);
  const open = tail.includes('$') ? openReference.exec(tail) : null;
  const at = open === null ? text.length : from + open.index;
  return text.length - at > mostReference ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
