/**
 * Reads the members of a JSON object that may have any shape. A reader takes the members that it knows, if their values are of
 * the expected kind. The others are left, and can be written again as they came.
 */
import { entryOf, isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';

const isText = (value: Json): value is string => typeof value === 'string';
// A bigint is none: its digits are kept where it stands.
const isNumber = (value: Json): value is number => typeof value === 'number';
const isFlag = (value: Json): value is boolean => typeof value === 'boolean';
const isList = (value: Json): value is readonly Json[] => isArray(value);
const isMembers = (value: Json): value is JsonObject => isObject(value);
const isTexts = (value: Json): value is readonly string[] => isArray(value) && value.every(isText);

export class Members {
  readonly #left: Map<string, Json>;
  readonly #inner = new Map<string, Members>();

  /** Another value than an object has no members. */
  constructor(value: Json | undefined) {
    this.#left = new Map(isObject(value) ? Object.entries(value) : []);
  }

  /** A value that is not taken. */
  peek(key: string): Json | undefined {
    return this.#left.get(key);
  }

  text(key: string): string | undefined {
    return this.#take(key, isText);
  }

  number(key: string): number | undefined {
    return this.#take(key, isNumber);
  }

  flag(key: string): boolean | undefined {
    return this.#take(key, isFlag);
  }

  texts(key: string): readonly string[] | undefined {
    return this.#take(key, isTexts);
  }

  list(key: string): readonly Json[] | undefined {
    return this.#take(key, isList);
  }

  object(key: string): JsonObject | undefined {
    return this.#take(key, isMembers);
  }

  /** Any value but null. */
  value(key: string): Json | undefined {
    return this.#take(key, (value): value is Json => value !== null);
  }

  /** One of these words. */
  word<const W extends string>(key: string, words: readonly W[]): W | undefined {
    return this.#take(key, (value): value is W => words.some((word) => word === value));
  }

  /** The members of an inner object. What is left of them is left here. */
  members(key: string): Members {
    const known = this.#inner.get(key);
    if (known !== undefined) return known;
    const inner = new Members(this.object(key));
    this.#inner.set(key, inner);
    return inner;
  }

  /** Leaves a value under this key after all. */
  leave(key: string, value: Json): void {
    this.#left.set(key, value);
  }

  /** The members that nobody took. */
  rest(): JsonObject {
    const inner = [...this.#inner].map(([key, members]): [string, Json] => [key, members.rest()]);
    return Object.fromEntries([
      ...inner.filter(([, rest]) => isObject(rest) && isFilled(rest)),
      ...this.#left,
    ]);
  }

  /** The same as the member `more` of a part; no member where nothing is left. */
  more(): { readonly more?: JsonObject } {
    const rest = this.rest();
    return isFilled(rest) ? { more: rest } : {};
  }

  /** Null stands for an absent member. */
  #take<T extends Json>(key: string, is: (value: Json) => value is T): T | undefined {
    const value = this.#left.get(key);
    if (value === undefined) return undefined;
    const taken = is(value);
    if (taken || value === null) this.#left.delete(key);
    return taken ? value : undefined;
  }
}

const isFilled = (object: JsonObject): boolean => Object.keys(object).length > 0;

/**
 * An object with further members. Where both have one, that of `more` wins; two objects become one.
 *
 * @example
 * merged({ a: { b: 1 } }, { a: { c: 2 } }); // { a: { b: 1, c: 2 } }
 */
export function merged(object: JsonObject, more: JsonObject): JsonObject {
  const added = Object.entries(more).map(([key, value]): [string, Json] => {
    const before = entryOf(object, key);
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return Object.fromEntries([...Object.entries(object), ...added]);
}

/** The members whose value is not undefined. */
export type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object without its undefined members. */
export function given<T extends object>(members: T): Given<T>;
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
