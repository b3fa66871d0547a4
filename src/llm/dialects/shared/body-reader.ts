/**
 * Reads a JSON body field by field. The first wrong value becomes the refusal, in the words of the dialect, and
 * reading continues with an empty value, so that readers need no branches.
 */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, ProviderError, Refused } from '../../messages.ts';
import { isJsonObject, nestedDeeper } from './arguments.ts';
import { loneSurrogateIn } from './lone-surrogate.ts';
import type { LoneSurrogate } from './lone-surrogate.ts';

/** Most names of fields that are kept as unknown, and most characters of one. */
const mostUnknown = { names: 50, length: 200 };

/** Most levels of a body: those of arguments or a schema inside, and of the fields around it. */
const mostBodyDepth = 512;

/** The kinds of values that a body is made of. */
export type JsonKind = 'string' | 'object' | 'array' | 'integer' | 'boolean';

/** How an API words its refusals. */
export interface BodyWords {
  /** The name of each kind, as an expectation. */
  readonly kinds: { readonly [K in JsonKind]: string };
  /** The problem where another value was expected; the value is undefined where it is missing. */
  readonly problem: (expected: string, value: Json | undefined, path: string) => string;
  /** The message for a problem at this path, such as `messages[2].content`, or empty for the whole body. */
  readonly message: (path: string, problem: string) => string;
  /** The message for half a surrogate pair in the body; absent: the API accepts it. */
  readonly lone?: (found: LoneSurrogate, body: Json) => string;
}

/** Ids and names that the provider gave itself. No check of their form applies to them. */
export type GivenWords = ReadonlySet<string>;

export class BodyReader {
  readonly #words: BodyWords;
  readonly #unknown = new Set<string>();
  readonly #given: GivenWords;
  #refused: Refused | undefined;

  constructor(words: BodyWords, given: GivenWords = new Set()) {
    this.#words = words;
    this.#given = given;
  }

  /** Whether an id or a name comes from the provider itself: then its form is no fault of the client. */
  isGiven(word: string): boolean {
    return this.#given.has(word);
  }

  /** The first reason to refuse the body. */
  get refused(): Refused | undefined {
    return this.#refused;
  }

  /** The value read from the body, with the names of unknown fields; or the first refusal. */
  result<T extends object>(read: T): Result<T & { readonly unknown?: readonly string[] }, Refused> {
    if (this.#refused !== undefined) return refuse(this.#refused);
    return ok(this.#unknown.size === 0 ? read : { ...read, unknown: [...this.#unknown] });
  }

  /** The request read from the body, with the names of unknown fields; or the first refusal, with what was read. */
  request(read: LlmRequest): Result<LlmRequest, Refused> {
    const result = this.result(read);
    return result.ok ? result : refuse({ ...result.error, read });
  }

  /** Refuses the body, unless it is refused already. */
  refuse(path: string, problem: string, error: Partial<ProviderError> = {}): void {
    const message = this.#words.message(path, problem);
    this.#refused ??= { path, error: { type: 'invalid_request', status: 400, message, ...error } };
  }

  /** Refuses the body, since another value was expected. */
  expect(path: string, expected: string, value: Json | undefined): void {
    this.refuse(path, this.#words.problem(expected, value, path));
  }

  /** Notes an unknown field. */
  ignore(path: string): void {
    if (this.#unknown.size < mostUnknown.names) this.#unknown.add(path.slice(0, mostUnknown.length));
  }

  /** Notes the fields of an object that are not among the known ones. */
  ignoreOthers(object: JsonObject, known: ReadonlySet<string>, prefix = ''): void {
    for (const key of Object.keys(object)) if (!known.has(key)) this.ignore(`${prefix}${key}`);
  }

  /**
   * The body itself, an object; refused when it is nested so deep that writing it again might fail, and when it has half a
   * surrogate pair that the API does not accept.
   */
  body(value: Json, path = ''): JsonObject {
    if (nestedDeeper(value, mostBodyDepth)) {
      this.refuse(path, `expected at most ${mostBodyDepth} levels of nesting`);
      return {};
    }
    const { lone } = this.#words;
    const found = lone && loneSurrogateIn(value);
    if (lone !== undefined && found !== undefined)
      this.refuse(found.path, '', { message: lone(found, value) });
    return this.object(value, path);
  }

  /** A required string. */
  string(value: Json | undefined, path: string): string {
    if (typeof value === 'string') return value;
    this.expect(path, this.#words.kinds.string, value);
    return '';
  }

  /** A required object. */
  object(value: Json | undefined, path: string): JsonObject {
    if (isJsonObject(value)) return value;
    this.expect(path, this.#words.kinds.object, value);
    return {};
  }

  /** A required array. */
  array(value: Json | undefined, path: string): readonly Json[] {
    if (isArray(value)) return value;
    this.expect(path, this.#words.kinds.array, value);
    return [];
  }

  /** A required integer. */
  integer(value: Json | undefined, path: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    this.expect(path, this.#words.kinds.integer, value);
    return 0;
  }

  /** A required boolean. */
  boolean(value: Json | undefined, path: string): boolean {
    if (typeof value === 'boolean') return value;
    this.expect(path, this.#words.kinds.boolean, value);
    return false;
  }
}

/** Whether a JSON value is an array. */
export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The text of a string; empty for another value. */
export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Whether an optional field is present: null stands for its absence. */
export const present = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null;
