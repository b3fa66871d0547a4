/** Tests whether a call that the limit may have cut has all required arguments (TOK-03 to TOK-08). */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';

/** A tool, as a request offers it to the model. */
export interface ToolSchema {
  readonly name: string;
  /** The JSON Schema of its arguments; only `required` and the `type` of each property are used. */
  readonly inputSchema: JsonObject;
}

/** Tests whether the arguments of a call to a tool are complete; `undefined` stands for missing arguments. */
export type CompletenessTest = (name: string, input: Json | undefined) => boolean;

interface Parameter {
  readonly name: string;
  /** The type is exactly `string`: then `""` counts as missing (TOK-05, TOK-06). */
  readonly isString: boolean;
}

/**
 * Makes the parameter test for some tools. Complete arguments are an object (TOK-03) in which every required property is
 * present and not null (TOK-04), and not `""` where its type is exactly `string` (TOK-05). Other faults pass (TOK-06,
 * TOK-07), and so does every call of an unknown tool (TOK-08).
 *
 * @example
 * const isComplete = completenessOf([{ name: 'write', inputSchema: { required: ['path', 'text'] } }]);
 * isComplete('write', { path: '/a', text: 'b' }); // true
 * isComplete('write', { path: '/a' }); // false
 */
export function completenessOf(tools: readonly ToolSchema[]): CompletenessTest {
  const known = new Map(tools.map(({ name, inputSchema }) => [name, parametersOf(inputSchema)]));
  return (name, input) => {
    const required = known.get(name);
    if (required === undefined) return true;
    return isObject(input) && required.every((parameter) => has(input, parameter));
  };
}

function has(input: Record<string, unknown>, { name, isString }: Parameter): boolean {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return value !== undefined && value !== null && !(isString && value === '');
}

/** The required parameters; a malformed schema has none. */
function parametersOf({ required, properties }: JsonObject): readonly Parameter[] {
  if (!isArray(required)) return [];
  return required
    .filter((name) => typeof name === 'string')
    .map((name) => ({ name, isString: typeOf(properties, name) === 'string' }));
}

function typeOf(properties: Json | undefined, name: string): unknown {
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const property = properties[name];
  return isObject(property) ? property['type'] : undefined;
}
