/** JSON text with all digits of its integers, where a double cannot hold them. */
import { elementsOf, isNumber } from './read-scalar.ts';
import { scan } from './scan.ts';
import { doubleOf } from './serde-float.ts';
import { charactersOf, isString, textOf } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/** The {@link exactText} of a value whose numbers JSON.parse and JSON.stringify change; undefined for any other value. */
export function inexactText(tokens: Tokens, token: number): string | undefined {
  if (!hasInexactNumber(tokens, token)) return undefined;
  const text = exactText(tokens, token);
  // The number may have stood in a member that a later one of its name replaces.
  const scanned = scan(text);
  return scanned.ok && hasInexactNumber(scanned.value, 0) ? text : undefined;
}

/** Whether a value holds an integer of 64 bits whose digits a double does not give back, or -0. */
function hasInexactNumber(tokens: Tokens, token: number): boolean {
  const end = tokens.nexts[token] ?? 0;
  for (let at = token; at < end; at++)
    if (isNumber(tokens.kinds[at]) && numberText(tokens, at) !== String(doubleOf(textOf(tokens, at))))
      return true;
  return false;
}

/**
 * The value of a token in canonical form: without blanks; of two members with one name the last; integers of 64 bits with
 * all digits. Without recursion.
 */
export function exactText(tokens: Tokens, token: number): string {
  const parts: string[] = [];
  /** What is left to write, the last first: tokens, and text between them. */
  const rest: (number | string)[] = [token];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const inner = typeof next === 'string' ? undefined : partsOf(tokens, next);
    if (typeof next === 'string') parts.push(next);
    else if (inner === undefined) parts.push(scalarText(tokens, next));
    else for (const part of inner.toReversed()) rest.push(part);
  }
  return parts.join('');
}

/** The members of a container with the text around them; undefined for a scalar. */
function partsOf(tokens: Tokens, token: number): readonly (number | string)[] | undefined {
  if (tokens.kinds[token] === 'array') return arrayParts(tokens, token);
  return tokens.kinds[token] === 'object' ? objectParts(tokens, token) : undefined;
}

function arrayParts(tokens: Tokens, token: number): readonly (number | string)[] {
  const elements = elementsOf(tokens, token).flatMap((element, i) => (i === 0 ? [element] : [',', element]));
  return ['[', ...elements, ']'];
}

function objectParts(tokens: Tokens, token: number): readonly (number | string)[] {
  const elements = elementsOf(tokens, token);
  const members = new Map<string, number>();
  for (let i = 0; i + 1 < elements.length; i += 2)
    members.set(charactersOf(tokens, elements[i] ?? 0), elements[i + 1] ?? 0);
  const parts = [...members].flatMap(([name, value], i) => [
    `${i === 0 ? '' : ','}${JSON.stringify(name)}:`,
    value,
  ]);
  return ['{', ...parts, '}'];
}

function scalarText(tokens: Tokens, token: number): string {
  if (isNumber(tokens.kinds[token])) return numberText(tokens, token);
  return isString(tokens, token) ? JSON.stringify(charactersOf(tokens, token)) : textOf(tokens, token);
}

/** A number as serde_json's Value has it: an integer of 64 bits keeps its digits, any other number is a double. */
function numberText(tokens: Tokens, token: number): string {
  const text = textOf(tokens, token);
  if (tokens.kinds[token] === 'integer' && text !== '-0' && fitsIn64Bits(text)) return text;
  return floatText(doubleOf(text));
}

/** A float as text. JSON.stringify loses the sign of -0. */
export const floatText = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value));

/** Whether serde_json reads an integer as u64 or i64. */
function fitsIn64Bits(digits: string): boolean {
  if (digits.length <= 18) return true;
  if (digits.length > 20) return false;
  const value = BigInt(digits);
  return value >= -(2n ** 63n) && value <= 2n ** 64n - 1n;
}
