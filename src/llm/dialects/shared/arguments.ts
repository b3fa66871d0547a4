/**
 * The arguments of a tool call, from the text that a model wrote: an object that says exactly what the text says, or
 * the reason why the call must not run. Nothing is ever repaired (LLM-C02).
 */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';

/** Why arguments are refused; only those that are no JSON may have been cut. */
export interface ArgumentsFault {
  readonly kind: 'no-json' | 'no-object' | 'number' | 'depth';
  /** What was expected and what came, to stand behind the call's name. */
  readonly message: string;
}

/** Deeper nesting is refused, so that whoever walks or writes the arguments later has a bound. */
export const mostArgumentDepth = 256;

/**
 * Reads a call's arguments. Integers that a double cannot hold are refused instead of being changed silently
 * (LLM-C20), as are numbers too large for any double. Cost linear in the text; never throws.
 *
 * @example
 * readArguments('{"city":"Oslo"}'); // { ok: true, value: { city: 'Oslo' } }
 * readArguments('{"city":"Os').ok; // false
 * readArguments('{"id":9007199254740993}').ok; // false
 */
export function readArguments(text: string): Result<JsonObject, ArgumentsFault> {
  const value = parseJson(text);
  if (value === undefined) {
    return refuse({ kind: 'no-json', message: `expected a JSON object; came ${excerpt(text)}` });
  }
  if (!isJsonObject(value)) {
    return refuse({ kind: 'no-object', message: `expected a JSON object; came ${excerpt(text)}` });
  }
  const fault = contentFault(text);
  return fault === undefined ? ok(value) : refuse(fault);
}

/** The value of a JSON text; nothing when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether what {@link parseJson} gave is an object. */
export const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/**
 * A value's beginning, quoted, for a message: input may be long.
 *
 * @example
 * excerpt('ab'); // '"ab"'
 */
export function excerpt(text: string): string {
  return text.length <= 60 ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, 60))}…`;
}

/**
 * What stands in the way of trusting a value that JSON.parse made of this text: nesting too deep, or a number that it
 * changed. The text is known to be JSON; where arguments come as objects, it is that of the whole body or line.
 */
export function contentFault(text: string): ArgumentsFault | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '"') at = stringEnd(text, at);
    else if (c === '{' || c === '[') {
      if (++depth > mostArgumentDepth) {
        return { kind: 'depth', message: `expected at most ${mostArgumentDepth} levels at character ${at}` };
      }
    } else if (c === '}' || c === ']') depth--;
    else if (c === '-' || (c >= '0' && c <= '9')) {
      const end = numberEnd(text, at);
      const number = text.slice(at, end);
      if (!survives(number)) {
        const message = `expected numbers that a double can hold; came ${excerpt(number)} at character ${at}`;
        return { kind: 'number', message };
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Where the string that begins at `start` has its closing quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
}

function numberEnd(text: string, start: number): number {
  let end = start + 1;
  while ('0123456789.eE+-'.includes(text[end] ?? ' ')) end++;
  return end;
}

/** Fractions are rounded by every reader; integers are not to be. A double has at most 309 digits before the point. */
function survives(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(number) || BigInt(number) === BigInt(value);
}

/**
 * Whether a value has more levels of objects and arrays than this. Goes level by level, without recursion, so that a
 * peer cannot exhaust the stack.
 *
 * @example
 * nestedDeeper([[1]], 1); // true
 * nestedDeeper([[1]], 2); // false
 */
export function nestedDeeper(value: Json, levels: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((nested) => Object.values(nested).filter(isNested));
  }
  return false;
}

const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  typeof value === 'object' && value !== null;
