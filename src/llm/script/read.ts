/**
 * Reads a document value by value, each with its place. The first fault is kept and reading goes on with harmless values,
 * so that readers need no branches; who reads asks for the fault at the end.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Violation } from '../../kit/base/index.ts';
import { inWords, refusal } from './refusal.ts';
import type { ScriptFault } from './refusal.ts';
import { scriptLimits } from './script.ts';
import { byteLength, isWellFormed } from '../dialects/shared/utf8.ts';

/** What all places of one document share. */
interface Book {
  fault?: Violation;
  /** Bytes of content so far. */
  bytes: number;
}

/** A value in a document, perhaps none. */
export class DocumentCursor {
  readonly value: unknown;
  readonly path: string;
  readonly #book: Book;

  constructor(value: unknown, path = '', book: Book = { bytes: 0 }) {
    this.value = value;
    this.path = path;
    this.#book = book;
  }

  /** The first fault of the whole document so far. */
  get fault(): Violation | undefined {
    return this.#book.fault;
  }

  /** Notes that something else was expected here. */
  refuse(code: ScriptFault, expected: string, came: string = inWords(this.value)): void {
    this.#book.fault ??= refusal(code, this.path, expected, came);
  }

  /** Takes note of so many bytes of content; refuses more than a script may hold. */
  countBytes(bytes: number): boolean {
    this.#book.bytes += bytes;
    const fits = this.#book.bytes <= scriptLimits.bytes;
    if (!fits)
      this.refuse(
        'too-large',
        `at most ${scriptLimits.bytes} bytes of text in a script`,
        `${this.#book.bytes}`,
      );
    return fits;
  }

  /** Expects an object with no other keys than these, and each that is required. */
  object(keys: readonly string[], required: readonly string[] = []): void {
    if (!isObject(this.value)) return this.refuse('bad-shape', `an object with ${keys.join(', ')}`);
    const strange = Object.keys(this.value).find((key) => !keys.includes(key));
    if (strange !== undefined)
      this.refuse('bad-shape', `none but ${keys.join(', ')}`, `the key ${inWords(strange)}`);
    const missing = required.find((key) => !this.has(key));
    if (missing !== undefined) this.refuse('bad-shape', missing, `none`);
  }

  /** Whether this is an object with something at this key. */
  has(key: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, key) && this.value[key] !== undefined;
  }

  /** The value at a key; none when this is no object or has no such key. */
  at(key: string): DocumentCursor {
    const value = isObject(this.value) && this.has(key) ? this.value[key] : undefined;
    return new DocumentCursor(value, this.path === '' ? key : `${this.path}.${key}`, this.#book);
  }

  /** What `read` makes of the value at a key; undefined when there is none. */
  maybe<T>(key: string, read: (place: DocumentCursor) => T): T | undefined {
    return this.has(key) ? read(this.at(key)) : undefined;
  }

  /** Expects a list of so many. */
  list(min: number, max: number, of: string): readonly DocumentCursor[] {
    const { value } = this;
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      const large = Array.isArray(value) && value.length > max;
      this.refuse(large ? 'too-large' : 'bad-shape', `a list of ${min} to ${max} ${of}`);
      return [];
    }
    return value.map((item: unknown, i) => new DocumentCursor(item, `${this.path}[${i}]`, this.#book));
  }

  /** Expects text that UTF-8 can carry. */
  text(): string {
    if (typeof this.value !== 'string') this.refuse('bad-shape', 'text');
    else if (!isWellFormed(this.value)) this.refuse('bad-text', 'Unicode text', 'half of a surrogate pair');
    else return this.value;
    return '';
  }

  /** Expects text that becomes content. */
  content(): string {
    const text = this.text();
    return this.countBytes(byteLength(text)) ? text : '';
  }

  /** Expects at least one character and no line end. */
  line(): string {
    const text = this.text();
    if (text === '' || /[\r\n]/.test(text)) this.refuse('bad-text', 'one line of text');
    return text;
  }

  /** Expects an integer from `min` to `max`. */
  integer(min: number, max: number): number {
    if (
      typeof this.value === 'number' &&
      Number.isInteger(this.value) &&
      this.value >= min &&
      this.value <= max
    )
      return this.value;
    const code = typeof this.value === 'number' ? 'bad-value' : 'bad-shape';
    this.refuse(code, `an integer from ${min} to ${max}`);
    return min;
  }

  /** Expects true or false. */
  boolean(): boolean {
    if (typeof this.value !== 'boolean') this.refuse('bad-shape', 'true or false');
    return this.value === true;
  }

  /** Expects one of these words. */
  oneOf<const W extends string>(words: readonly W[], fallback: NoInfer<W>): W {
    const word = words.find((known) => known === this.value);
    if (word === undefined)
      this.refuse(typeof this.value === 'string' ? 'bad-value' : 'bad-shape', words.join(', '));
    return word ?? fallback;
  }

  /** Expects a time in words, such as `200ms` or `1.5s`; gives milliseconds. */
  time(): number {
    const match =
      typeof this.value === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|min|h)$/.exec(this.value) : null;
    const ms = Math.round(Number(match?.[1]) * (units[match?.[2] ?? ''] ?? NaN));
    if (match !== null && ms <= scriptLimits.ms) return ms;
    this.refuse(match === null ? 'bad-shape' : 'too-large', 'a time in words up to 1h, such as 200ms or 2s');
    return 0;
  }
}

const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** The same object without the keys whose value is undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** An object whose keys are missing where they could be undefined. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
