/** The common part of reading request bodies of OpenAI's two APIs, with the words of their refusals. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall } from '../../../kit/base/index.ts';
import { readArguments } from '../shared/arguments.ts';
import { BodyReader, isArray, present } from '../shared/body-reader.ts';
import type { BodyWords, GivenWords } from '../shared/body-reader.ts';

/** The APIs' words for a body that is no JSON. */
const notJson = 'We could not parse the JSON body of your request';

const words: BodyWords = {
  kinds: {
    string: 'a string',
    object: 'an object',
    array: 'an array of objects',
    integer: 'an integer',
    boolean: 'a boolean',
  },
  problem(expected, value, path) {
    if (path === '') return `${notJson}: expected an object.`;
    return value === undefined
      ? `Missing required parameter: '${path}'.`
      : `Invalid type for '${path}': expected ${expected}, but got ${kindOf(value)} instead.`;
  },
  message: (_path, problem) => problem,
  // Behind the colon: the words of serde, as compatible servers that are written in Rust send them.
  lone: ({ path }) => `${notJson}: ${path}: lone leading surrogate in hex escape`,
};

/** The refusal of a body whose bytes are no UTF-8. */
export const badBytes: string = `${notJson}.`;

/** A reader that refuses in the words of the APIs. `given`: the ids and names that the provider gave itself. */
export const bodyReader = (given?: GivenWords): BodyReader => new BodyReader(words, given);

/** Refuses a list without entries. */
export const refuseEmpty = (reader: BodyReader, path: string): void =>
  reader.refuse(
    path,
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  );

/** Refuses an id that is too long, unless the provider gave it. */
export function checkLength(reader: BodyReader, text: string, path: string, most: number): void {
  if (text.length <= most || reader.isGiven(text)) return;
  reader.refuse(
    path,
    `Invalid '${path}': string too long. Expected a string with maximum length ${most}, but got a string with length ` +
      `${text.length} instead.`,
  );
}

const namePattern = '^[a-zA-Z0-9_-]+$';
const nameForm = new RegExp(namePattern);

/** Refuses the name of a function that the APIs do not accept, unless the provider gave it. */
export function checkName(reader: BodyReader, name: string, path: string): void {
  if (nameForm.test(name) || reader.isGiven(name)) return;
  reader.refuse(
    path,
    name === ''
      ? `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`
      : `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${namePattern}'.`,
  );
}

/** A value's kind, in the words of the APIs. */
function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'boolean' ? 'a boolean' : 'a string';
}

/** A list that may be missing or null. */
export const readOptionalList = (
  reader: BodyReader,
  value: Json | undefined,
  path: string,
): readonly Json[] => (present(value) ? reader.array(value, path) : []);

/** A boolean that may be missing or null, which is false. */
export const readFlag = (reader: BodyReader, value: Json | undefined, path: string): boolean =>
  present(value) && reader.boolean(value, path);

/** `stream_options.include_obfuscation`, where it turns the padding of deltas off. */
export const readObfuscation = ({ stream_options: options }: JsonObject): { readonly obfuscation?: false } =>
  isObject(options) && options['include_obfuscation'] === false ? { obfuscation: false } : {};

/** A limit of tokens: a whole number from 1, or undefined where it is missing or null. */
export function readLimit(reader: BodyReader, value: Json | undefined, path: string): number | undefined {
  if (!present(value)) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) reader.expect(path, 'an integer', value);
  else if (value >= 1) return value;
  else
    reader.refuse(
      path,
      `Invalid '${path}': integer below minimum value. Expected a value >= 1, but got ${value} instead.`,
    );
  return undefined;
}

/** The model's name, which is required and not empty. */
export function readModel(reader: BodyReader, { model }: JsonObject): string {
  if (!present(model) || model === '') reader.refuse('model', 'you must provide a model parameter');
  return reader.string(model, 'model');
}

/** Text as a string or as parts of these types; other parts are left out and noted. */
export function readText(
  reader: BodyReader,
  value: Json | undefined,
  path: string,
  types: ReadonlySet<string>,
): string {
  if (typeof value === 'string') return value;
  if (isArray(value)) return value.map((part, i) => readPart(reader, part, `${path}[${i}]`, types)).join('');
  reader.expect(path, 'one of a string or array of objects', value ?? null);
  return '';
}

/** Whether a content has parts of other types than these, such as images; as a field of a message. */
export const otherPartsOf = (
  value: Json | undefined,
  types: ReadonlySet<string>,
): { readonly otherParts?: true } =>
  isArray(value) &&
  value.some((part) => isObject(part) && typeof part['type'] === 'string' && !types.has(part['type']))
    ? { otherParts: true }
    : {};

function readPart(reader: BodyReader, value: Json, path: string, types: ReadonlySet<string>): string {
  const part = reader.object(value, path);
  const type = reader.string(part['type'], `${path}.type`);
  if (!types.has(type)) {
    reader.ignore(`${path.replaceAll(/\[\d+\]/g, '[]')}:${type}`);
    return '';
  }
  const field = type === 'refusal' ? 'refusal' : 'text';
  return reader.string(part[field], `${path}.${field}`);
}

/** Refuses a role that the API does not have. */
export function refuseRole(reader: BodyReader, role: string, path: string, roles: readonly string[]): void {
  const known = roles.map((name) => `'${name}'`).join(', ');
  reader.refuse(path, `Invalid value: '${role}'. Supported values are: ${known}.`);
}

/**
 * The arguments of an earlier call. Text that is not an object, or that parsing would change, stays text: the API
 * accepts any text.
 */
export function readInput(text: string): ToolCall['input'] {
  const read = readArguments(text);
  return read.ok ? read.value : text;
}

/** The text of such arguments: a string is the model's text, not a JSON string. */
export const writeInput = (input: Json): string =>
  typeof input === 'string' ? input : JSON.stringify(input);
