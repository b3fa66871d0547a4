/** What case tables are made with: functions of JSON values, and the reading of their arguments. */
import { isArray, isObject } from '../base/index.ts';
import type { Json, JsonObject } from '../base/index.ts';

/**
 * Make values of arguments: `{$name: [argument, …]}` in a table, or `$name` without any. An argument that is missing is
 * undefined, whatever its type says: read it by the functions of this file. They throw on arguments that they cannot take.
 */
export type CaseBuilders = { readonly [name: string]: (...args: readonly Json[]) => Json };

const unlike = (expected: string, came: Json | undefined): Error =>
  new Error(`expected ${expected}; came ${came === undefined ? 'nothing' : JSON.stringify(came)}`);

/** An argument that is a text. @throws Error for another value */
export function textArgument(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  throw unlike('a text', value);
}

/** An argument that is a number; `otherwise` when it is missing. @throws Error for another value */
export function numberArgument(value: Json | undefined, otherwise?: number): number {
  const number = value ?? otherwise;
  if (typeof number === 'number') return number;
  throw unlike('a number', value);
}

/** An argument that is a list; an empty one when it is missing. @throws Error for another value */
export function listArgument(value: Json | undefined): readonly Json[] {
  const list: Json = value ?? [];
  if (isArray(list)) return list;
  throw unlike('a list', value);
}

/** An argument that is an object; an empty one when it is missing. @throws Error for another value */
export function objectArgument(value: Json | undefined): JsonObject {
  const object: Json = value ?? {};
  if (isObject(object)) return object;
  throw unlike('an object', value);
}

/**
 * Functions with types of their own as builders. Their arguments are not checked: a wrong one shows in what they make,
 * which the schema of the vectors and the reference implementation are held to.
 */
export const asBuilders = (functions: {
  readonly [name: string]: (...args: never[]) => Json;
}): CaseBuilders => functions as CaseBuilders;

/** Builders of texts that any protocol may use. */
export const textBuilders: CaseBuilders = {
  repeat: (text, times) => textArgument(text).repeat(numberArgument(times)),
  /** A text as long as this at least, with spaces after it. */
  pad: (text, length) => textArgument(text).padEnd(numberArgument(length)),
  join: (...texts) => texts.map(textArgument).join(''),
  /** A text so many times, each on a line of its own. */
  lines: (text, times) => Array.from({ length: numberArgument(times) }, () => textArgument(text)).join('\n'),
  json: (value) => JSON.stringify(value ?? null),
};
