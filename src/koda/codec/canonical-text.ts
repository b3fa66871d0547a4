/**
 * Reads canonical text, as an encoder writes it, without tokens (bench: .config/bench/koda-codec.mjs). It leaves every
 * other text to the general reader.
 */
import { nestsDeeper } from '../../kit/base/index.ts';
import type { EngineEvent } from '../messages.ts';
import { isEscaped, odd, parsed, surrogate } from './plain-string.ts';
import { mostNested } from './scan.ts';
import { scanNumber } from './scan-scalar.ts';
import { doubleOf } from './serde-float.ts';
import type { FieldType, RecordShape, SimpleType, Union } from './shapes.ts';
import { loopActions, tables } from './tables.ts';

/** The message of a canonical text; undefined for another text, and for a text that is no message. */
export function readCanonical(union: Union, text: string): unknown {
  const delta = union === tables.event ? readTextDelta(text) : undefined;
  if (delta !== undefined) return delta;
  const reader = new CanonicalReader(text);
  const message = reader.union(union);
  return reader.at === text.length ? message : undefined;
}

/** Most lines of a session are these. */
function readTextDelta(source: string): EngineEvent | undefined {
  const [start, end] = [deltaHead.length, source.length - 2];
  if (end < start || source.slice(0, start) !== deltaHead || !source.endsWith('"}')) return undefined;
  const characters = source.slice(start, end);
  if (!odd.test(characters)) return { type: 'text_delta', text: characters };
  if (surrogate.test(characters)) return undefined;
  // A quote without a backslash ends the JSON too early.
  const text = parsed(source.slice(start - 1, end + 1)) as string | undefined;
  return text === undefined ? undefined : { type: 'text_delta', text };
}

const deltaHead = '{"type":"text_delta","text":"';

/** An object while it is read. */
type Target = { [name: string]: unknown };

/** Each method reads what is at `at`, and moves it; it returns undefined or false when the text is not canonical. */
class CanonicalReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  union(union: Union): Target | undefined {
    const target: Target = {};
    return this.#skip(openBrace) && this.#tagged(union, target) && this.#skip(closeBrace)
      ? target
      : undefined;
  }

  #tagged({ tagName, tagKey, byTag }: Union, target: Target): boolean {
    if (!this.#skipText(tagKey)) return false;
    const end = this.text.indexOf('"', this.at);
    const variant = byTag.get(this.text.slice(this.at, end));
    if (variant === undefined) return false;
    this.at = end + 1;
    target[tagName] = variant.tag;
    if (variant.flat !== undefined) return this.#skip(comma) && this.#tagged(variant.flat, target);
    return this.#fields(variant, target);
  }

  #fields({ fields }: RecordShape, target: Target): boolean {
    for (const { key, name, type } of fields) {
      if (!this.#skipText(key)) return false;
      const value = this.#value(type);
      if (value === undefined) return false;
      target[name] = value;
    }
    return true;
  }

  #value(type: FieldType): unknown {
    if (typeof type === 'string') return this.#simple(type);
    if ('union' in type) return this.union(type.union);
    if ('list' in type) return this.#list(() => this.#record(type.list));
    return this.#skipText('null') ? null : this.#value(type.nullable);
  }

  #simple(type: SimpleType): unknown {
    switch (type) {
      case 'string':
        return this.#string();
      case 'strings':
        return this.#list(() => this.#string());
      case 'bool':
        return this.#skipText('true') || (this.#skipText('false') ? false : undefined);
      case 'usize':
      case 'u64':
      case 'u32':
      case 'i64':
        return this.#integer();
      case 'f64':
        return this.#number();
      case 'json':
        return this.#json();
      case 'loop-action': {
        const action = this.#string();
        return loopActions.find((known) => known === action);
      }
    }
  }

  #record(shape: RecordShape): Target | undefined {
    const target: Target = {};
    return this.#skip(openBrace) && this.#fields(shape, target) && this.#skip(closeBrace)
      ? target
      : undefined;
  }

  #list<T>(element: () => T | undefined): T[] | undefined {
    if (!this.#skip(openBracket)) return undefined;
    const elements: T[] = [];
    if (this.#skip(closeBracket)) return elements;
    do {
      const value = element();
      if (value === undefined) return undefined;
      elements.push(value);
    } while (this.#skip(comma));
    return this.#skip(closeBracket) ? elements : undefined;
  }

  #string(): string | undefined {
    const { text, at } = this;
    const end = text.indexOf('"', at + 1);
    if (end < 0 || text.charCodeAt(at) !== quote) return undefined;
    const characters = text.slice(at + 1, end);
    // indexOf and a regular expression are faster than a loop over the characters.
    if (odd.test(characters)) return this.#escapedString();
    this.at = end + 1;
    return characters;
  }

  /** A string with an escape. The general reader has those with surrogates. */
  #escapedString(): string | undefined {
    const { text, at } = this;
    let end = text.indexOf('"', at + 1);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    const inQuotes = text.slice(at, end + 1);
    if (end < 0 || surrogate.test(inQuotes)) return undefined;
    this.at = end + 1;
    return parsed(inQuotes) as string | undefined;
  }

  /** An integer of at most nine digits, which every integer type holds. The general reader has the others. */
  #integer(): number | undefined {
    const { text, at } = this;
    let value = 0;
    let end = at;
    for (let code = text.charCodeAt(end); isDigit(code); code = text.charCodeAt(++end))
      value = value * 10 + (code - zero);
    const isPlain = end > at && end - at <= 9 && (text.charCodeAt(at) !== zero || end === at + 1);
    if (!isPlain) return undefined;
    this.at = end;
    return value;
  }

  #number(): number | undefined {
    const { text, at } = this;
    const code = text.charCodeAt(at);
    const scalar = isDigit(code) || code === minus ? scanNumber(text, at) : undefined;
    if (scalar === undefined || typeof scalar === 'string') return undefined;
    this.at = scalar.end;
    return doubleOf(text.slice(at, scalar.end));
  }

  /** `args`. In canonical text, only `is_sub_agent` follows, so that its end is known. */
  #json(): unknown {
    const end = this.text.lastIndexOf(',');
    const text = this.text.slice(this.at, end);
    if (surrogate.test(text) || oddNumber.test(text) || nestsDeeper(text, mostNested - 1)) return undefined;
    this.at = end;
    return parsed(text);
  }

  #skip(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  #skipText(part: string): boolean {
    const end = this.at + part.length;
    // Faster than startsWith.
    if (this.text.slice(this.at, end) !== part) return false;
    this.at = end;
    return true;
  }
}

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [quote, comma, minus, zero] = [0x22, 0x2c, 0x2d, 0x30];

/** A number that may be beyond the doubles, have too many digits for one, or be -0; also such characters in a string. */
const oddNumber = /\d[Ee]|\d{16}|-0/;

const isDigit = (code: number): boolean => code >= zero && code <= 0x39;
