/** Conditions of blocks, and the lists of loops: what they say, and whether they are true (spec/sep/README.md, "Blocks"). */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { Comparison } from './compare.ts';
import { ConditionReader } from './condition-reader.ts';
import { mostConditionCharacters } from '../../parser/limits.ts';
import { partAt } from './paths.ts';
import type { Condition, Operand } from './condition-form.ts';

/** What was read, and the names in it; or what is wrong with it. */
export type ReadText<T> =
  { readonly read: T; readonly names: ReadonlySet<string> } | { readonly fault: string };

/** The condition in a text. */
export function conditionOf(text: string): ReadText<Condition> {
  if (text.length > mostConditionCharacters)
    return {
      fault: `expected a condition of at most ${mostConditionCharacters} characters; came ${text.length}`,
    };
  return readBy(text, (reader) => reader.condition());
}

/** The list in a text: a reference, or a list in JSON. */
export const listOf = (text: string): ReadText<Operand> =>
  readBy(text, (reader) => {
    const operand = reader.operand(0);
    if ('value' in operand && !isArray(operand.value))
      throw new SyntaxError('expected a reference or a list in JSON');
    return operand;
  });

function readBy<T>(text: string, read: (reader: ConditionReader) => T): ReadText<T> {
  try {
    const reader = new ConditionReader(text);
    const found = read(reader);
    reader.end();
    return { read: found, names: reader.names };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** What a condition reads. */
export interface ConditionWorld {
  /** The value of a name. */
  readonly lookup: (name: string) => Json | undefined;
  /** Told of a name without a value. */
  readonly missing: (name: string) => void;
  readonly comparison: Comparison;
}

/** Whether a condition is true. A part that cannot change the answer is not read. */
export function isTrue(condition: Condition, world: ConditionWorld): boolean {
  switch (condition.is) {
    case 'truth':
      return counts(valueOf(condition.of, world));
    case 'defined':
      return partAt(world.lookup(condition.reference.name), condition.reference.path) !== undefined;
    case 'compare':
      return compares(condition, world);
    case 'not':
      return !isTrue(condition.of, world);
    case 'and':
      return condition.all.every((one) => isTrue(one, world));
    case 'or':
      return condition.all.some((one) => isTrue(one, world));
  }
}

/** The value of an operand; undefined: there is none. */
export function valueOf(operand: Operand, { lookup, missing }: ConditionWorld): Json | undefined {
  if ('value' in operand) return operand.value;
  const { name, path } = operand.reference;
  const value = lookup(name);
  if (value === undefined) missing(name);
  return partAt(value, path);
}

/** Whether a value is not missing, false, null, 0, or an empty text, list or object. */
function counts(value: Json | undefined): boolean {
  if (isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function compares(
  { sign, left, right }: Extract<Condition, { is: 'compare' }>,
  world: ConditionWorld,
): boolean {
  const a = valueOf(left, world);
  const b = valueOf(right, world);
  if (a === undefined || b === undefined) return false;
  const { comparison } = world;
  if (sign === 'in') return comparison.has(b, a);
  if (sign === '==') return comparison.equal(a, b);
  if (sign === '!=') return !comparison.equal(a, b);
  const order = comparison.order(a, b);
  if (order === undefined) return false;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  return sign === '>' ? order > 0 : order >= 0;
}
