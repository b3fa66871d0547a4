/** Compiled JSON Schemas, and what one refuses in words: where, what was expected, what came. */
import { isArray, isObject } from './json.ts';
import { didYouMean } from './nearest.ts';

/** One fault that a compiled schema found. */
export interface SchemaFault {
  /** JSON pointer of the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The part of the schema that refuses. Beside a `pattern`, its `title` says in a noun phrase what fits. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly message?: string;
}

/** A compiled schema. */
export interface Validator {
  (value: unknown): boolean;
  /** Why the last value was refused. */
  readonly errors?: readonly SchemaFault[] | null;
}

/** Why a schema refuses a value. */
export interface SchemaRefusal {
  readonly fault: SchemaFault;
  readonly expected: string;
  readonly came: string;
}

/** Runs a schema on a value; undefined: the schema takes it. */
export function schemaRefusal(validator: Validator, value: unknown): SchemaRefusal | undefined {
  if (validator(value)) return undefined;
  const errors = validator.errors ?? [];
  const last = errors.at(-1);
  const isNamed =
    (last?.keyword === 'oneOf' && alternativeKeys(last).length > 0) ||
    (last?.keyword === 'anyOf' && typeof last.parentSchema['title'] === 'string');
  const fault = isNamed ? last : errors[0];
  return fault === undefined ? undefined : { fault, expected: expectation(fault), came: whatCame(fault) };
}

/**
 * A JSON pointer as a path for people.
 *
 * @example
 * pathOf('/turns/0/steps'); // 'turns[0].steps'
 */
export const pathOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => {
      if (/^\d+$/.test(part)) return `${path}[${part}]`;
      return path === '' ? part : `${path}.${part}`;
    }, '');

/**
 * The JSON pointer of a path that {@link pathOf} wrote.
 *
 * @example
 * pointerOf('turns[0].steps'); // '/turns/0/steps'
 */
export const pointerOf = (path: string): string =>
  path
    .replaceAll(/\[(\d+)\]/g, '/$1')
    .replaceAll('.', '/')
    .replace(/^(?=[^/])/, '/');

/**
 * A value in a few words: its kind, and its beginning when it is a string or a number.
 *
 * @example
 * inWords([1, 2]); // 'a list of 2'
 */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(clip(value, 60));
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  if (isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : typeof value;
}

/** The first characters of a text, and `…` where it goes on. Splits no surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${Array.from(text.slice(0, length)).slice(0, -1).join('')}…`;

const kinds: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

const words = (list: unknown, by: string): string => (isArray(list) ? list : [list]).map(String).join(by);

const propertyNames = ({ properties }: SchemaFault['parentSchema']): readonly string[] =>
  isObject(properties) ? Object.keys(properties) : [];

function propertiesOf({ parentSchema }: SchemaFault): string {
  const patterns = parentSchema['patternProperties'];
  const fitting = isObject(patterns) ? Object.keys(patterns).map((one) => `those that fit ${one}`) : [];
  return [...propertyNames(parentSchema), ...fitting].join(', ') || 'no keys';
}

/** The keys of which a `oneOf` of nothing but `required` takes exactly one. */
function alternativeKeys({ parentSchema: { oneOf } }: SchemaFault): readonly string[] {
  const branches = isArray(oneOf) ? oneOf : [];
  const keys = branches.map((branch) => (isObject(branch) ? branch['required'] : undefined));
  return keys.every((key) => isArray(key)) ? keys.flat().map(String) : [];
}

function expectation(fault: SchemaFault): string {
  const { keyword, params, parentSchema: schema } = fault;
  const { title, pattern } = schema;
  if (typeof title === 'string' && pattern !== undefined && (keyword === 'pattern' || keyword === 'type'))
    return title;
  switch (keyword) {
    case 'required':
      return `the key ${String(params['missingProperty'])}`;
    case 'additionalProperties':
      return `no keys but ${propertiesOf(fault)}`;
    case 'minProperties':
    case 'maxProperties':
      return `${schema['maxProperties'] === 1 ? 'exactly' : 'at least'} one of ${propertiesOf(fault)}`;
    case 'oneOf':
      return `exactly one of ${alternativeKeys(fault).join(', ') || 'its kinds of key'}`;
    case 'type':
      return words(params['type'], ',')
        .split(',')
        .map((name) => kinds[name] ?? name)
        .join(' or ');
    case 'anyOf':
      return String(title);
    case 'enum':
      return `one of ${words(params['allowedValues'], ', ')}`;
    case 'const':
      return String(params['allowedValue']);
    case 'pattern':
      return `text that fits ${String(params['pattern'])}`;
    case 'minimum':
    case 'maximum':
      return `an integer ${range(schema['minimum'], schema['maximum'], 'from')}`;
    case 'minItems':
    case 'maxItems':
      return `a list ${range(schema['minItems'], schema['maxItems'], 'of')} items`;
    default:
      return `a value that ${fault.message ?? 'the schema takes'}`;
  }
}

const range = (least: unknown, most: unknown, between: string): string => {
  if (most === undefined) return `of at least ${inWords(least)}`;
  return least === undefined
    ? `of at most ${inWords(most)}`
    : `${between} ${inWords(least)} to ${inWords(most)}`;
};

function whatCame({ keyword, params, parentSchema: schema, data }: SchemaFault): string {
  const keys = isObject(data) ? Object.keys(data) : [];
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      return `the key ${inWords(key)}${didYouMean(key, propertyNames(schema))}`;
    }
    case 'required':
    case 'minProperties':
    case 'maxProperties':
    case 'oneOf':
      return keys.length === 0 ? 'no keys' : `the keys ${clip(keys.join(', '), 200)}`;
    default:
      return inWords(data);
  }
}
