/**
 * JSON with all digits of its integers. A double cannot hold each integer of 64 bits, and JSON.parse changes such a one
 * without a word: an id becomes another id.
 */
import { isObject, jsonOf, mostJsonLevels } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * Parses JSON from outside. An integer of 64 bits whose digits a double does not give back is a bigint, which the type `Json` does not
 * tell: walk the value by its kinds, and write it with {@link exactText}. Any other value is that of {@link jsonOf}.
 *
 * @throws SyntaxError when it is no JSON, or is nested too deep
 * @example
 * exactText(exactJsonOf('{"id":9007199254740993}')); // '{"id":9007199254740993}'
 */
export function exactJsonOf(text: string): Json {
  const value = jsonOf(text);
  return mayBeLong.test(text) ? new ExactReader(text).read() : value;
}

/**
 * The object in a text, with all digits of its integers; undefined for any other text.
 *
 * @example
 * exactObjectOf('{"id":9007199254740993}'); // { id: 9007199254740993n }
 * exactObjectOf('[1]'); // undefined
 */
export function exactObjectOf(text: string): JsonObject | undefined {
  try {
    const value = exactJsonOf(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** No integer of fewer digits is beyond 2^53. */
const longDigits = 16;
const mayBeLong = new RegExp(`\\d{${longDigits}}`);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Whether text in UTF-8, from one byte to before another, has so many digits in a row that only {@link exactJsonOf} keeps
 * them all. Such a row has one of the bytes that are looked at first. Pays in the benchmark "TOON decode".
 */
export function hasLongDigits(utf8: Uint8Array, from: number, to: number): boolean {
  for (let i = from + longDigits - 1; i < to; i += longDigits) {
    if (!isDigit(utf8[i])) continue;
    let first = i;
    let end = i + 1;
    while (first > from && isDigit(utf8[first - 1])) first--;
    while (end < to && isDigit(utf8[end])) end++;
    if (end - first >= longDigits) return true;
  }
  return false;
}
/** An integer with all its digits: a bigint, if it has 64 bits and a double does not give them back. */
export function integerOf(digits: string): number | bigint {
  const double = Number(digits);
  // A double may be the integer, and have other digits as a text, such as 2^63.
  if (Number.isSafeInteger(double) || String(double) === digits || digits.length > mostDigits) return double;
  const exact = BigInt(digits);
  return exact < least || exact > most ? double : exact;
}

/** The most characters of an integer of 64 bits. */
const mostDigits = 20;
const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Reads a text that is JSON, and not too deep. */
class ExactReader {
  readonly #tokens: IterableIterator<RegExpExecArray>;
  #token = '';

  constructor(text: string) {
    this.#tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g);
    this.#next();
  }

  read(): Json {
    const token = this.#token;
    this.#next();
    if (token === '[') return this.#items(']', () => this.read());
    if (token === '{') return Object.fromEntries(this.#items('}', () => this.#member()));
    return (/^-?\d+$/.test(token) ? integerOf(token) : JSON.parse(token)) as Json;
  }

  #member(): readonly [string, Json] {
    const key = JSON.parse(this.#token) as string;
    this.#next();
    this.#next();
    return [key, this.read()];
  }

  /** Items with commas between them, up to a closing bracket. */
  #items<T>(closing: string, read: () => T): readonly T[] {
    const items: T[] = [];
    while (this.#token !== closing) {
      items.push(read());
      if (this.#token === ',') this.#next();
    }
    this.#next();
    return items;
  }

  #next(): void {
    const { value } = this.#tokens.next() as { readonly value?: RegExpExecArray };
    this.#token = value?.[0] ?? '';
  }
}

/** Whether a value is a number, also an integer of 64 bits that is a bigint: both compare by their values. */
export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' || typeof value === 'bigint';

/** A value as compact JSON, with all digits of each bigint in it. Any other value is written as by JSON.stringify. @throws TypeError for a circular one */
export function exactText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // It has a bigint, or is not JSON.
    if (error instanceof TypeError && !isCircular(value)) return written(value);
    throw error;
  }
}

/** Whether a value holds itself, or is deeper than any value from outside. */
function isCircular(value: unknown, levels = 2 * mostJsonLevels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isCircular(one, levels - 1));
}

function written(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((one) => written(one ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${written(one)}`).join(',')}}`;
}
