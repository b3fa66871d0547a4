/**
 * Reading an OpenAI request body field by field: the values, the first thing that refuses it (in the words of the
 * API), and the names of what was there and is not understood.
 */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { Refused } from '../../messages.ts';
import { isJsonObject, readArguments } from '../shared/arguments.ts';
import { isArray } from '../shared/body-reader.ts';

/** Most names of fields that are kept for logs. */
const MAX_UNKNOWN = 64;

/** Most characters of one of them. */
const MAX_NAME = 200;

/** What reading a body found beside its values. Readers go on after a refusal; the first one stands. */
export class Findings {
  #first: Refused | undefined;
  readonly #unknown = new Set<string>();

  /** Refuses the body with status 400, at this place in it. */
  refuse(path: string, message: string): void {
    this.#first ??= { error: { type: 'invalid_request', message, status: 400 }, path };
  }

  /** Refuses the body since this value is not what it should be, such as `an array of objects`. */
  wrongType(path: string, expected: string, value: Json | undefined): void {
    this.refuse(path, `Invalid type for '${path}': expected ${expected}, but got ${kindOf(value)} instead.`);
  }

  /** Notes a field that is not understood, by its path without indices. */
  ignore(path: string): void {
    if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.add(path.slice(0, MAX_NAME));
  }

  /** Notes every field of an object that is not among the known ones. */
  ignoreOthers(object: JsonObject, known: ReadonlySet<string>, prefix: string): void {
    for (const key of Object.keys(object)) if (!known.has(key)) this.ignore(`${prefix}${key}`);
  }

  /** The request that was read, with the names of what was not understood, or the first refusal. */
  result<T extends object>(value: T): Result<T & { readonly unknown?: readonly string[] }, Refused> {
    if (this.#first !== undefined) return refuse(this.#first);
    return ok(this.#unknown.size === 0 ? value : { ...value, unknown: [...this.#unknown] });
  }
}

/** What a value is, in the words that the API has for it. */
function kindOf(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'boolean' ? 'a boolean' : 'a string';
}

/** An object, or undefined and a refusal. */
export function readObject(
  value: Json | undefined,
  path: string,
  findings: Findings,
): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  findings.wrongType(path, 'an object', value);
  return undefined;
}

/** A string that must be there. */
export function readString(value: Json | undefined, path: string, findings: Findings): string {
  if (typeof value === 'string') return value;
  if (value === undefined) findings.refuse(path, `Missing required parameter: '${path}'.`);
  else findings.wrongType(path, 'a string', value);
  return '';
}

/** A list that must be there. */
export function readList(value: Json | undefined, path: string, findings: Findings): readonly Json[] {
  if (isArray(value)) return value;
  if (value === undefined) findings.refuse(path, `Missing required parameter: '${path}'.`);
  else findings.wrongType(path, 'an array of objects', value);
  return [];
}

/** A list that may be missing or null. */
export const readOptionalList = (
  value: Json | undefined,
  path: string,
  findings: Findings,
): readonly Json[] => (value === undefined || value === null ? [] : readList(value, path, findings));

/** A boolean that may be missing or null, which is false. */
export function readFlag(value: Json | undefined, path: string, findings: Findings): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value === true;
  findings.wrongType(path, 'a boolean', value);
  return false;
}

/** A limit of tokens: a whole number from 1, or undefined where it is missing or null. */
export function readLimit(value: Json | undefined, path: string, findings: Findings): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) findings.wrongType(path, 'an integer', value);
  else if (value >= 1) return value;
  else
    findings.refuse(
      path,
      `Invalid '${path}': integer below minimum value. Expected a value >= 1, but got ${value} instead.`,
    );
  return undefined;
}

/** The model's name, which must be there and not be empty. */
export function readModel(body: JsonObject, findings: Findings): string {
  const model = body['model'];
  if (model === undefined || model === null || model === '')
    findings.refuse('model', 'you must provide a model parameter');
  return typeof model === 'string' ? model : readString(model ?? '', 'model', findings);
}

/** Text as a string or as parts of these types; other parts are passed over and noted. */
export function readText(
  value: Json | undefined,
  path: string,
  findings: Findings,
  types: ReadonlySet<string>,
): string {
  if (typeof value === 'string') return value;
  if (!isArray(value)) {
    findings.wrongType(path, 'one of a string or array of objects', value);
    return '';
  }
  return value.map((part, i) => readPart(part, `${path}[${i}]`, findings, types)).join('');
}

function readPart(part: Json, path: string, findings: Findings, types: ReadonlySet<string>): string {
  const object = readObject(part, path, findings);
  if (object === undefined) return '';
  const type = readString(object['type'], `${path}.type`, findings);
  if (!types.has(type)) {
    findings.ignore(`${path.replaceAll(/\[\d+\]/g, '[]')}:${type}`);
    return '';
  }
  const field = type === 'refusal' ? 'refusal' : 'text';
  return readString(object[field], `${path}.${field}`, findings);
}

/**
 * The arguments of an earlier call. What is no object, or would not survive parsing, stays the text that it was: the API
 * takes any.
 */
export function readInput(text: string): Json {
  const read = readArguments(text);
  return read.ok ? read.value : text;
}

/** The same back: a text is what the model wrote, and no JSON string. */
export const writeInput = (input: Json): string =>
  typeof input === 'string' ? input : JSON.stringify(input);
