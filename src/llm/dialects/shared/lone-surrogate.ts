/**
 * Half surrogate pairs in a body. Clients send them as escapes (`\ud83d`) when they cut a text in the middle of a character.
 * Strict JSON parsers refuse such a body (RFC 8259, 8.2); Go's and JavaScript's accept it.
 */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';

/** The first half surrogate pair in a value. */
export interface LoneSurrogate {
  /** The place of its string, such as `messages[2].content`. */
  readonly path: string;
  /** `high`: the half that begins a pair; its other half is missing. `low`: the half that ends a pair. */
  readonly half: 'high' | 'low';
}

/** Finds the first half surrogate pair in the strings of a value, and in the names of its members. */
export function loneSurrogateIn(value: Json, path = ''): LoneSurrogate | undefined {
  return hasLone(value) ? placeIn(value, path) : undefined;
}

/** Whether there is one. Paths are made only then. */
function hasLone(value: Json): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (isArray(value)) return value.some(hasLone);
  if (!isObject(value)) return false;
  return Object.keys(value).some(hasLone) || Object.values(value).some(hasLone);
}

function placeIn(value: Json, path: string): LoneSurrogate | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path, half: halfIn(value) };
  if (Array.isArray(value)) return firstIn(value.entries(), (i) => `${path}[${i}]`);
  if (!isObject(value)) return undefined;
  const name = Object.keys(value).find((key) => !key.isWellFormed());
  if (name !== undefined) return { path, half: halfIn(name) };
  return firstIn(Object.entries(value), (key) => (path === '' ? key : `${path}.${key}`));
}

function firstIn<K>(entries: Iterable<[K, Json]>, pathOf: (key: K) => string): LoneSurrogate | undefined {
  for (const [key, entry] of entries) {
    // The path is made only for values that can have a string inside.
    if (entry === null || typeof entry === 'number' || typeof entry === 'boolean') continue;
    if (typeof entry === 'string' && entry.isWellFormed()) continue;
    const found = placeIn(entry, pathOf(key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** In unicode mode, a surrogate of a whole pair is no character of its own. */
const halfIn = (text: string): LoneSurrogate['half'] => {
  const [half = ''] = /\p{Surrogate}/u.exec(text) ?? [];
  return half < '\udc00' ? 'high' : 'low';
};

/**
 * The offset of the first half surrogate pair in the shortest JSON text of a value (UTF-16 units): the place that parsers
 * name. A client that writes white space between values has it at another offset.
 */
export const offsetOfLone = (value: Json): number => loneEscape.exec(JSON.stringify(value))?.index ?? 0;

/** JSON.stringify escapes a half, and only a half, as \udXXX. An even number of backslashes before it is text. */
const loneEscape = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/;
const loneEscapes = new RegExp(loneEscape, 'g');

/** The JSON text of a value, with U+FFFD in the place of half surrogate pairs: every parser reads it. */
export const wellFormedJson = (value: Json): string => JSON.stringify(value).replace(loneEscapes, '\\ufffd');
