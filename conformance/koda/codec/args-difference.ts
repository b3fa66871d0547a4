/** Compares two values of `args` with all digits of their integers, and floats within 2 ULP. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { shown } from '../../../src/kit/testee/index.ts';
import { areNear } from './ulp.ts';

/**
 * The first difference of two JSON texts in words; undefined when they are equal. Both are texts of the codec, so they are
 * valid and at most 127 levels deep.
 *
 * @example
 * argsDifference('{"a":9007199254740993,"b":[]}', '{"b":[],"a":9007199254740993}'); // undefined
 * argsDifference('[9007199254740993]', '[9007199254740992]'); // 'args[0]: expected 9007199254740993; came 9007199254740992'
 */
export const argsDifference = (expected: string, came: string): string | undefined =>
  valueDifference('args', exactly(expected), exactly(came));

const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** A value whose numbers are strings `n…` and whose strings and names are strings `s…`. */
const exactly = (text: string): Json =>
  JSON.parse(
    text.replaceAll(stringsAndNumbers, (token) =>
      token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
    ),
  ) as Json;

function valueDifference(at: string, expected: Json, came: Json | undefined): string | undefined {
  if (isArray(expected) && isArray(came) && expected.length === came.length) {
    for (const [i, one] of expected.entries()) {
      const wrong = valueDifference(`${at}[${i}]`, one, came[i]);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(came)) return memberDifference(at, expected, came);
  return areEqual(expected, came) ? undefined : `${at}: expected ${inWords(expected)}; came ${inWords(came)}`;
}

function memberDifference(at: string, expected: JsonObject, came: JsonObject): string | undefined {
  const stranger = Object.keys(came).find((name) => !Object.hasOwn(expected, name));
  if (stranger !== undefined) return `${at}: expected no member ${shown(stranger.slice(1))}; it came`;
  for (const [name, value] of Object.entries(expected)) {
    const inner = `${at}.${name.slice(1)}`;
    if (!Object.hasOwn(came, name)) return `${inner}: expected ${inWords(value)}; came nothing`;
    const wrong = valueDifference(inner, value, came[name]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function areEqual(expected: Json, came: Json | undefined): boolean {
  if (expected === came) return true;
  if (typeof expected !== 'string' || typeof came !== 'string') return false;
  if (!expected.startsWith('n') || !came.startsWith('n')) return false;
  return areEqualNumbers(expected.slice(1), came.slice(1));
}

/** Integers of 64 bits are equal digit by digit; other numbers are doubles. */
const areEqualNumbers = (a: string, b: string): boolean =>
  isInteger64(a) && isInteger64(b) ? BigInt(a) === BigInt(b) : areNear(Number(a), Number(b));

const isInteger64 = (text: string): boolean =>
  /^-?\d{1,20}$/.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) < 2n ** 64n;

/** A value of {@link exactly} in words. */
function inWords(value: Json | undefined): string {
  if (typeof value !== 'string') return shown(value);
  return value.startsWith('n') ? value.slice(1) : shown(value.slice(1));
}
