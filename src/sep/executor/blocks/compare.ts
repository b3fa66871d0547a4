/** Compares values as JSON. Values come from outside: nothing recurses, and the work of a run has an end. */
import { isArray, isNumber, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';

/** The most parts of values, and pieces of texts, that the conditions of a run compare. */
export const mostCompared = 32_000_000;

/** The characters of a text that count as one step. */
const stepLength = 64;

/** Compares values, up to a number of steps. */
export class Comparison {
  #left: number;

  /** @param most - the most steps */
  constructor(most: number = mostCompared) {
    this.#left = most;
  }

  /** Whether no step is left: the answers since then are false. */
  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Whether two values are equal: objects have the same keys in any order. */
  equal(a: Json, b: Json): boolean {
    const pairs: (readonly [Json, Json])[] = [[a, b]];
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
      const [one, other] = pair;
      if (!this.#spend(typeof one === 'string' ? one.length : 0)) return false;
      if (one === other) continue;
      const inner = isArray(one) ? pairsOfLists(one, other) : pairsOfObjects(one, other);
      if (inner === undefined) return false;
      for (const next of inner) pairs.push(next);
    }
    return true;
  }

  /** Whether a list has an equal item, a text has a text in it, or an object a key. */
  has(whole: Json, part: Json): boolean {
    if (isArray(whole)) return whole.some((item) => this.equal(item, part));
    if (typeof part !== 'string') return false;
    if (typeof whole === 'string')
      return this.#spend(whole.length) && textHas(whole, part, (n) => this.#spend(n));
    return isObject(whole) && Object.hasOwn(whole, part);
  }

  /** The order of two numbers, or of two texts by their code points: below, at or above 0; undefined: they have none. */
  order(a: Json, b: Json): number | undefined {
    if (isNumber(a) && isNumber(b)) return a < b ? -1 : Number(a > b);
    if (typeof a !== 'string' || typeof b !== 'string') return undefined;
    return this.#spend(a.length * stepLength) ? orderOfTexts(a, b) : undefined;
  }

  /** @returns false: there are no steps for so many characters */
  #spend(characters: number): boolean {
    this.#left -= 1 + characters / stepLength;
    return this.#left >= 0;
  }
}

type Pairs = readonly (readonly [Json, Json])[];

/** The items of two lists that have to be equal; undefined: the lists are not equal. */
const pairsOfLists = (one: readonly Json[], other: Json): Pairs | undefined =>
  isArray(other) && one.length === other.length
    ? one.map((item, i) => [item, other[i] ?? null] as const)
    : undefined;

/** The members of two objects that have to be equal; undefined: they are no objects, or not equal. */
function pairsOfObjects(one: Json, other: Json): Pairs | undefined {
  if (!isObject(one) || !isObject(other)) return undefined;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return undefined;
  const pairs: (readonly [Json, Json])[] = [];
  for (const key of keys) {
    if (!Object.hasOwn(other, key)) return undefined;
    pairs.push([one[key] ?? null, other[key] ?? null]);
  }
  return pairs;
}

/** The longest text for which the search of the engine is fast, whatever the texts are. */
const mostNeedle = 128;

/** Whether a text stands in another one. The cost is linear in both (Knuth, Morris and Pratt). */
function textHas(whole: string, part: string, spend: (characters: number) => boolean): boolean {
  if (part.length > whole.length) return false;
  if (part.length <= mostNeedle) return whole.includes(part);
  if (!spend((whole.length + part.length) * 8)) return false;
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = 0; i < whole.length; i++) {
    while (matched > 0 && whole.charCodeAt(i) !== part.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (whole.charCodeAt(i) === part.charCodeAt(matched)) matched++;
    if (matched === part.length) return true;
  }
  return false;
}

/** For each beginning of a text, the length of its longest other beginning that is also its end. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let i = 1; i < text.length; i++) {
    while (length > 0 && text.charCodeAt(i) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(i) === text.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}

function orderOfTexts(a: string, b: string): number {
  const { length } = a.length < b.length ? a : b;
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit in the order of code points: halves of surrogate pairs come last. */
const rankOf = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
