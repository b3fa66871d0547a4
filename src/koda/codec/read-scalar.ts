/** Reads scalars and lists of strings out of tokens, and names the fault of a token that does not fit. */
import { integerOf } from './integer.ts';
import type { IntegerType } from './integer.ts';
import { doubleOf, finite } from './serde-float.ts';
import type { SimpleType } from './shapes.ts';
import { charactersOf, isString, textOf } from './tokens.ts';
import type { TokenKind, Tokens } from './tokens.ts';
import type { Fault } from './violation.ts';

/** Reads a value; undefined when the token does not fit. */
type Read = (tokens: Tokens, token: number) => unknown;

const readers: { readonly [T in Exclude<SimpleType, 'loop-action'>]: Read } = {
  string: (tokens, token) => (isString(tokens, token) ? charactersOf(tokens, token) : undefined),
  strings: readStrings,
  bool: (tokens, token) => booleans[tokens.kinds[token] ?? ''],
  usize: readInteger('usize'),
  u64: readInteger('u64'),
  u32: readInteger('u32'),
  i64: readInteger('i64'),
  // An integer is a float, too (KODA-11).
  f64: (tokens, token) => (isNumber(tokens.kinds[token]) ? doubleOf(textOf(tokens, token)) : undefined),
  // JSON.parse is right for args: doubles, the last of two members with one name, __proto__ as an own member.
  json: (tokens, token) =>
    JSON.parse(textOf(tokens, token), holdsInfinite(tokens, token) ? inDoubles : undefined) as unknown,
};

/** Whether a value holds a number that JSON.parse takes as infinite. For serde_json it is the largest double. */
function holdsInfinite(tokens: Tokens, token: number): boolean {
  const end = tokens.nexts[token] ?? 0;
  for (let at = token; at < end; at++)
    if (isNumber(tokens.kinds[at]) && !Number.isFinite(Number(textOf(tokens, at)))) return true;
  return false;
}

const inDoubles = (_: string, value: unknown): unknown => (typeof value === 'number' ? finite(value) : value);

const booleans: { readonly [kind: string]: boolean | undefined } = { true: true, false: false };

/** The value of a token as this type; undefined when it does not fit. */
export const readScalar = (tokens: Tokens, token: number, type: keyof typeof readers): unknown =>
  readers[type](tokens, token);

function readInteger(type: IntegerType): Read {
  return (tokens, token) => {
    if (tokens.kinds[token] !== 'integer') return undefined;
    const digits = textOf(tokens, token);
    return digits === '-0' ? undefined : integerOf(digits, type);
  };
}

function readStrings(tokens: Tokens, token: number): readonly string[] | undefined {
  if (tokens.kinds[token] !== 'array') return undefined;
  const elements = elementsOf(tokens, token);
  return elements.every((element) => isString(tokens, element))
    ? elements.map((element) => charactersOf(tokens, element))
    : undefined;
}

/** The values in an array, or the names and values in an object. */
export function elementsOf(tokens: Tokens, token: number): readonly number[] {
  const elements: number[] = [];
  const end = tokens.nexts[token] ?? 0;
  for (let at = token + 1; at < end; at = tokens.nexts[at] ?? end) elements.push(at);
  return elements;
}

export const isNumber = (kind: TokenKind | undefined): boolean => kind === 'integer' || kind === 'float';

/** Why a token does not fit a scalar type. */
export function misfitOf(tokens: Tokens, token: number, type: SimpleType): Fault {
  const kind = tokens.kinds[token];
  if (kind === 'null') return type === 'f64' ? 'null-float' : 'null-field';
  if (type === 'loop-action') return misfitOfAction(kind);
  if (!integerTypes.has(type) || !isNumber(kind)) return 'wrong-type';
  return kind === 'float' || textOf(tokens, token) === '-0' ? 'not-an-integer' : 'out-of-range';
}

const integerTypes: ReadonlySet<SimpleType> = new Set(['usize', 'u64', 'u32', 'i64']);

function misfitOfAction(kind: TokenKind | undefined): Fault {
  if (isNumber(kind)) return 'numeric-tag';
  if (kind === 'object') return 'object-action';
  return kind === 'string' || kind === 'escaped' ? 'unknown-tag' : 'wrong-type';
}

export const inWords: { readonly [T in SimpleType]: string } = {
  string: 'a string',
  strings: 'a list of strings',
  bool: 'true or false',
  usize: 'an integer from 0 to 2^64 - 1',
  u64: 'an integer from 0 to 2^64 - 1',
  u32: 'an integer from 0 to 2^32 - 1',
  i64: 'an integer from -2^63 to 2^63 - 1',
  f64: 'a number',
  json: 'any JSON',
  'loop-action': 'stop, continue50 or continue200',
};
