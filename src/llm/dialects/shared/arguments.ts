/**
 * The arguments of a tool call, from the text of a model: exactly the object in the text, or the reason why the call
 * must not run. Nothing is ever repaired (LLM-C02).
 */
import { isArray, isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';

/** Why arguments are refused. Only with `no-json` they may have been cut. */
export interface ArgumentsFault {
  readonly kind: 'no-json' | 'no-object' | 'number' | 'depth';
  /** The expected and the received value, to follow the call's name. */
  readonly message: string;
}

/** The deepest nesting: a bound for code that walks or writes the arguments later. */
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

/** The value of a JSON text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value of {@link parseJson} is an object. */
export const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/**
 * The beginning of a text, quoted, for a message.
 *
 * @example
 * excerpt('ab'); // '"ab"'
 */
export function excerpt(text: string): string {
  return text.length <= 60 ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, 60))}…`;
}

/**
 * Why a value that JSON.parse made of this text is not to be trusted: nesting too deep, or a number that it changed.
 * The text is JSON; where arguments come as objects, it is the whole body or line.
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

/**
 * Every reader rounds fractions, and no reader must round integers. A double has at most 309 digits before the point.
 */
function survives(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(number) || BigInt(number) === BigInt(value);
}

/**
 * Whether a value has more levels of objects and arrays than this. It goes no deeper than these levels, so that a peer
 * cannot exhaust the stack.
 *
 * @example
 * nestedDeeper([[1]], 1); // true
 * nestedDeeper([[1]], 2); // false
 */
export function nestedDeeper(value: Json, levels: number): boolean {
  if (!isNested(value)) return false;
  if (levels === 0) return true;
  const inner: readonly Json[] = isArray(value) ? value : Object.values(value);
  for (const one of inner) if (nestedDeeper(one, levels - 1)) return true;
  return false;
}

const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  typeof value === 'object' && value !== null;
