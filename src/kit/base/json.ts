/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object that is neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The own entry of a table; undefined for another key. A key from outside needs this function: `table['constructor']`
 * is a function of every object.
 */
export const entryOf = <T>(table: { readonly [key: string]: T }, key: unknown): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/** Whether a value is an array. `Array.isArray` does not narrow JSON, whose arrays are readonly. */
export function isArray(value: Json | undefined): value is readonly Json[];
export function isArray(value: unknown): value is readonly unknown[];
export function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

/**
 * Most levels of nesting in JSON from outside. Code that walks, compares or writes such a value may recurse: without the
 * limit, a kilobyte of brackets would end the process.
 */
export const mostJsonLevels = 512;

/**
 * Parses JSON from outside.
 *
 * @throws SyntaxError when it is not JSON, or is nested deeper than {@link mostJsonLevels}
 */
export function jsonOf(text: string): Json {
  if (nestsDeeper(text, mostJsonLevels))
    throw new SyntaxError(`expected at most ${mostJsonLevels} levels of nesting; came more`);
  return JSON.parse(text) as Json;
}

/**
 * A text as JSON, or as itself where it is not JSON: a peer reports in JSON or in words.
 *
 * @example
 * [jsonOrText('{"a":1}'), jsonOrText('too late')]; // [{ a: 1 }, 'too late']
 */
export function jsonOrText(text: string): Json {
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}

/**
 * Whether a text that may be JSON has more levels of nesting. Linear in the text, without recursion.
 *
 * @example
 * nestsDeeper('[{"a":"[["}]', 2); // false
 * nestsDeeper('[{"a":[]}]', 2); // true
 */
export function nestsDeeper(text: string, levels: number): boolean {
  // Each level has a bracket.
  if (text.length <= levels) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfText(text, i);
    else if (code === openBracket || code === openBrace) {
      if (++depth > levels) return true;
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The place of the quote that ends the string at `start`; the end of the text when there is none. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
