/** Writes a message as canonical text, by the tables: every field, in their order, without blanks (KODA-01, KODA-02). */
import { isObject, WireproofError } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { exactText, floatText } from './exact-json.ts';
import { isInteger } from './integer.ts';
import { isPlainArray, isWritableJson } from './json-value.ts';
import { inWords } from './read-scalar.ts';
import { mostNested, scan } from './scan.ts';
import type { FieldType, RecordShape, SimpleType, Union } from './shapes.ts';
import { loopActions } from './tables.ts';

/** A value from outside: its type is checked while it is written. */
type Value = Json | undefined;

export class MessageWriter {
  /** The text of `args`; it counts instead of the value. */
  readonly #argsText: string | undefined;

  constructor(argsText?: string) {
    this.#argsText = argsText === undefined ? undefined : canonicalArgs(argsText);
  }

  /** The text of a message. @throws WireproofError of code usage on a value that no message can carry */
  write(union: Union, message: unknown): string {
    return this.#union(union, message as Value, '');
  }

  #union(union: Union, value: Value, path: string): string {
    if (!isObject(value)) throw misfit(path, 'an object', value);
    return `{${this.#tagged(union, ownOf(value), path)}}`;
  }

  #tagged(union: Union, value: JsonObject, path: string): string {
    const tag = value[union.tagName];
    const variant = typeof tag === 'string' ? union.byTag.get(tag) : undefined;
    if (variant === undefined) throw misfit(join(path, union.tagName), 'a known tag', tag);
    const head = `"${union.tagName}":"${variant.tag}"`;
    if (variant.flat !== undefined) return `${head},${this.#tagged(variant.flat, value, path)}`;
    return head + this.#fields(variant, value, path);
  }

  #fields({ fields }: RecordShape, value: JsonObject, path: string): string {
    let text = '';
    for (const { name, key, type } of fields) text += key + this.#value(type, value[name], path, name);
    return text;
  }

  #value(type: FieldType, value: Value, path: string, name: string): string {
    if (type === 'json' && this.#argsText !== undefined) return this.#argsText;
    if (typeof type === 'string') {
      if (!fits[type](value)) throw misfit(join(path, name), inWords[type], value);
      return scalarText(type, value);
    }
    if ('union' in type) return this.#union(type.union, value, join(path, name));
    if ('list' in type) return this.#records(type.list, value, join(path, name));
    return value === null ? 'null' : this.#value(type.nullable, value, path, name);
  }

  #records(shape: RecordShape, value: Value, path: string): string {
    if (!isPlainArray(value)) throw misfit(path, 'a list of objects', value);
    const texts = value.map((element, i) => {
      const elementPath = `${path}[${i}]`;
      if (!isObject(element)) throw misfit(elementPath, 'an object', element);
      return `{${this.#fields(shape, ownOf(element), elementPath)}}`;
    });
    return `[${texts.join(',')}]`;
  }
}

/** The own fields of an object: an inherited one does not count. A plain object inherits no field of a message. */
const ownOf = (value: JsonObject): JsonObject =>
  Object.getPrototypeOf(value) === Object.prototype
    ? value
    : Object.assign(Object.create(null) as JsonObject, value);

const isText = (value: Value): value is string => typeof value === 'string' && value.isWellFormed();

/** Whether a message can carry a value as this type. */
const fits: { readonly [T in SimpleType]: (value: Value) => boolean } = {
  string: isText,
  strings: (value) => isPlainArray(value) && value.every(isText),
  bool: (value) => typeof value === 'boolean',
  usize: (value) => isInteger(value, 'usize'),
  u64: (value) => isInteger(value, 'u64'),
  u32: (value) => isInteger(value, 'u32'),
  i64: (value) => isInteger(value, 'i64'),
  f64: (value) => typeof value === 'number' && Number.isFinite(value),
  // The message is one container around it.
  json: (value) => isWritableJson(value, mostNested - 1),
  'loop-action': (value) => loopActions.some((action) => action === value),
};

/** A value that fits its type, as text. */
function scalarText(type: SimpleType, value: Value): string {
  // Digits of a large integer are without quotes.
  if (typeof value === 'string' && type !== 'string' && type !== 'json')
    return quoted.has(type) ? `"${value}"` : value;
  return type === 'f64' ? floatText(value as number) : JSON.stringify(value);
}

const quoted: ReadonlySet<SimpleType> = new Set(['loop-action']);

/** @throws WireproofError of code usage on text that is not JSON */
function canonicalArgs(text: string): string {
  // The message is one container around it.
  const scanned = scan(text, mostNested - 1);
  if (scanned.ok) return exactText(scanned.value, 0);
  throw new WireproofError('usage', `expected argsText to be JSON: ${scanned.error.message}`);
}

function misfit(path: string, expected: string, value: Value): WireproofError {
  const came = value === undefined ? 'nothing' : typeof value === 'number' ? String(value) : typeof value;
  const place = path === '' ? 'the message' : path;
  return new WireproofError('usage', `expected ${place} to be ${expected}; came ${came}`);
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
