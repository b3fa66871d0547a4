/**
 * The members of a unit that SDKs read, with the type that the dialect gives them: LLM-S30, and LLM-S11 for the
 * arguments of calls. A table names each member by its path: `choices[].delta.content`.
 */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';

/**
 * A type. With `?` the member may also be null or missing, with `!` missing. A word is a string that is not empty; `=x|y`
 * is the string `x` or `y`.
 */
export type MemberType =
  | `=${string}`
  | 'string!'
  | 'number!'
  | 'word'
  | 'word!'
  | 'object!'
  | 'string'
  | 'string?'
  | 'number'
  | 'number?'
  | 'boolean'
  | 'boolean?'
  | 'object'
  | 'object?'
  | 'list'
  | 'list?';

/** Types by path. `[]` stands for every item of a list. */
export interface ShapeTable {
  readonly [path: string]: MemberType;
}

/** A table whose paths are split. */
export type Shape = readonly { readonly names: readonly string[]; readonly type: MemberType }[];

/** Splits the paths of a table. */
export const shapeOf = (table: ShapeTable): Shape =>
  Object.entries(table).map(([path, type]) => ({ names: path.replaceAll('[]', '.[]').split('.'), type }));

/** The name of a value's type, in the words of JSON. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'list';
  return isObject(value) ? 'object' : typeof value;
}

const article = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

/** A value in a message: its type, and the value itself. */
export function described(value: unknown): string {
  if (value === undefined) return 'it is missing';
  return value === null ? 'came null' : `came ${article(typeOf(value))}: ${shown(value)}`;
}

/** The name of a type without its mark. */
const nameOf = (type: MemberType): string => type.replace(/[?!]$/, '');

/** A type in a message. */
function expectedOf(type: MemberType): string {
  const name = nameOf(type);
  if (name.startsWith('=')) return `"${name.slice(1).replaceAll('|', '" or "')}"`;
  return name === 'word' ? 'a string, and not empty' : article(name);
}

function isOf(value: unknown, type: MemberType): boolean {
  if (value === undefined && /[?!]$/.test(type)) return true;
  if (value === null && type.endsWith('?')) return true;
  const name = nameOf(type);
  if (name.startsWith('='))
    return name
      .slice(1)
      .split('|')
      .some((word) => word === value);
  return name === 'word' ? typeof value === 'string' && value !== '' : typeOf(value) === name;
}

/** The faults of a member and its siblings in lists. An absent parent has a row of its own in the table. */
function faultsAt(
  value: unknown,
  names: readonly string[],
  type: MemberType,
  path: string,
  place: string,
): readonly string[] {
  const [name, ...rest] = names;
  if (name === undefined)
    return isOf(value, type)
      ? []
      : [`expected ${path}${place} to be ${expectedOf(type)}; ${described(value)}`];
  if (name === '[]')
    return isArray(value)
      ? value.flatMap((item, i) => faultsAt(item, rest, type, `${path}[${i}]`, place))
      : [];
  return isObject(value)
    ? faultsAt(value[name], rest, type, path === '' ? name : `${path}.${name}`, place)
    : [];
}

/** The members that carry the arguments of a call. LLM-S11 judges them. */
const ofArguments = /(^|\.)(arguments|partial_json|toolUse\.input)$/;

/** The members that say which call an item is. LLM-S20 judges them. */
const ofIdentity = /^item\.(call_id|name)$/;

function rowOf(path: string): string {
  if (ofIdentity.test(path)) return 'LLM-S20';
  return ofArguments.test(path) ? 'LLM-S11' : 'LLM-S30';
}

/**
 * Judges the members of a unit, or of a part of it.
 *
 * @param kind - the type of the event or message, if the dialect has types
 * @param path - the path of the part
 */
export function judgeShape(answer: Answer, value: unknown, shape: Shape, kind?: string, path = ''): void {
  const place = kind === undefined ? '' : ` of ${kind}`;
  for (const { names, type } of shape) {
    const [fault] = faultsAt(value, names, type, path, place);
    if (fault === undefined) continue;
    answer.facts.violated(rowOf(names.join('.')), fault);
  }
  answer.facts.exercised('LLM-S30');
}
