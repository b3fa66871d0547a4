/**
 * Reading the JSON body of a request field by field: the first thing that cannot be taken is kept as the refusal, in the
 * words of the dialect, and reading goes on with something empty, so that readers need no branches.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ProviderError, Refused } from '../../messages.ts';
import { isJsonObject } from './arguments.ts';

/** Names of fields that are kept as unknown, at most. */
const mostUnknown = 50;

/** Levels of a body: those of arguments, a schema or another value inside, and of what is around it. */
const mostBodyDepth = 512;

/** How a dialect says what is wrong where; `path` is such as `messages[2].content`, or empty. */
type Complaint = (path: string, problem: string) => string;

/** What is wrong with a field, in a dialect's words. */
interface Problems {
  readonly missing: string;
  readonly string: string;
  readonly object: string;
  readonly array: string;
  readonly integer: string;
  readonly boolean: string;
}

/** Reads one body. */
export class BodyReader {
  readonly #complaint: Complaint;
  readonly #problems: Problems;
  readonly #unknown = new Set<string>();
  #refused: Refused | undefined;

  /** @param complaint - puts a path and a problem together */
  constructor(complaint: Complaint, problems: Problems) {
    this.#complaint = complaint;
    this.#problems = problems;
  }

  /** Why the body cannot be taken: the first reason, if there is one. */
  get refused(): Refused | undefined {
    return this.#refused;
  }

  /** Names of fields that were there and are not understood. */
  get unknown(): readonly string[] {
    return [...this.#unknown];
  }

  /** Refuses the body, unless it was before. */
  refuse(path: string, problem: string, error: Partial<ProviderError> = {}): void {
    const message = this.#complaint(path, problem);
    this.#refused ??= { path, error: { type: 'invalid_request', status: 400, message, ...error } };
  }

  /** The body itself, which must be an object; refused when it is nested so deeply that writing it again might fail. */
  body(value: Json): JsonObject {
    if (!nestedDeeper(value, mostBodyDepth)) return this.object(value, '');
    this.refuse('', `expected at most ${mostBodyDepth} levels of nesting`);
    return {};
  }

  /** Notes a field that is not understood. */
  ignore(path: string): void {
    if (this.#unknown.size < mostUnknown) this.#unknown.add(path.slice(0, 200));
  }

  /** Notes the fields of an object that are not among the known. */
  ignoreOthers(object: JsonObject, known: ReadonlySet<string>): void {
    for (const key of Object.keys(object)) if (!known.has(key)) this.ignore(key);
  }

  /** A string that must be there. */
  string(value: Json | undefined, path: string): string {
    if (typeof value === 'string') return value;
    this.#fault(value, path, this.#problems.string);
    return '';
  }

  /** An object that must be there. */
  object(value: Json | undefined, path: string): JsonObject {
    if (isJsonObject(value)) return value;
    this.#fault(value, path, this.#problems.object);
    return {};
  }

  /** An array that must be there. */
  array(value: Json | undefined, path: string): readonly Json[] {
    if (isArray(value)) return value;
    this.#fault(value, path, this.#problems.array);
    return [];
  }

  /** An integer that must be there. */
  integer(value: Json | undefined, path: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    this.#fault(value, path, this.#problems.integer);
    return 0;
  }

  /** A boolean that must be there. */
  boolean(value: Json | undefined, path: string): boolean {
    if (typeof value === 'boolean') return value;
    this.#fault(value, path, this.#problems.boolean);
    return false;
  }

  #fault(value: Json | undefined, path: string, problem: string): void {
    this.refuse(path, value === undefined ? this.#problems.missing : problem);
  }
}

/** Whether a JSON value is an array. */
export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Whether an optional field is there: null stands for its absence. */
export const present = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null;

/** Whether a value has more levels of objects and arrays than that; without recursion, linear. */
export function nestedDeeper(value: Json, levels: number): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((one) => typeof one === 'object' && one !== null);
    if (inner.length > 0 && depth >= levels) return true;
    level = inner.flatMap((one): readonly Json[] => Object.values(one));
  }
  return false;
}
