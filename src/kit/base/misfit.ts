/** Tests the input of a call against the schema of its tool, so that a tool never meets an input that it cannot take. */
import { isArray, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * The first misfit of an input, in words; undefined when it fits. Of JSON Schema it knows `type`, `enum`, `required`,
 * `properties`, `additionalProperties: false`, `items`, `minimum` and `maximum`; it ignores the rest.
 *
 * @example
 * const schema = { type: 'object', required: ['ms'], properties: { ms: { type: 'integer', minimum: 0 } } };
 * misfitOf(schema, { ms: 5 }); // undefined
 * misfitOf(schema, { ms: '5' }); // 'expected ms to be integer; came string'
 * misfitOf(schema, {}); // 'expected ms; it is missing'
 */
export function misfitOf(schema: JsonObject, input: Json): string | undefined {
  const rest: Checked[] = [{ schema, value: input, path: '' }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const misfit = misfitHere(next) ?? missingIn(next) ?? strangerIn(next);
    if (misfit !== undefined) return misfit;
    rest.push(...inside(next));
  }
  return undefined;
}

/** A value with the schema that it must fit. */
interface Checked {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly path: string;
}

const nameOf = (path: string): string => (path === '' ? 'the input' : path);
const pathOf = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function misfitHere({ schema, value, path }: Checked): string | undefined {
  const { type, enum: values, minimum, maximum } = schema;
  const types = (isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0 && !types.some((one) => isOfType(value, one)))
    return `expected ${nameOf(path)} to be ${types.join(' or ')}; came ${typeOf(value)}`;
  if (isArray(values) && !values.includes(value))
    return `expected ${nameOf(path)} to be one of ${JSON.stringify(values)}`;
  if (typeof value !== 'number') return undefined;
  if (typeof minimum === 'number' && value < minimum)
    return `expected ${nameOf(path)} to be at least ${minimum}; came ${value}`;
  if (typeof maximum === 'number' && value > maximum)
    return `expected ${nameOf(path)} to be at most ${maximum}; came ${value}`;
  return undefined;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return isArray(value) ? 'array' : typeof value;
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeOf(value);
}

function missingIn({ schema: { required }, value, path }: Checked): string | undefined {
  if (!isArray(required) || !isObject(value)) return undefined;
  const missing = required.find((key) => typeof key === 'string' && !Object.hasOwn(value, key));
  return typeof missing === 'string' ? `expected ${pathOf(path, missing)}; it is missing` : undefined;
}

/** A member that a closed schema does not have. */
function strangerIn({
  schema: { properties, additionalProperties },
  value,
  path,
}: Checked): string | undefined {
  if (additionalProperties !== false || !isObject(value)) return undefined;
  const known = isObject(properties) ? properties : {};
  const stranger = Object.keys(value).find((key) => !Object.hasOwn(known, key));
  return stranger === undefined ? undefined : `expected no ${pathOf(path, stranger)}; its schema is closed`;
}

/** The parts of a value that have a schema of their own, the first one last. */
function inside({ schema: { properties, items }, value, path }: Checked): readonly Checked[] {
  if (isArray(value) && isObject(items))
    return value.map((item, i) => ({ schema: items, value: item, path: `${path}[${i}]` })).toReversed();
  if (!isObject(value) || !isObject(properties)) return [];
  return Object.entries(properties)
    .flatMap(([key, of]) => {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      return isObject(of) && member !== undefined
        ? [{ schema: of, value: member, path: pathOf(path, key) }]
        : [];
    })
    .toReversed();
}
