/** Arguments made from a tool's schema, so that a script can call an unknown tool. */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ContentStep } from '../script/script.ts';
import type { LlmRequest, ToolSpec } from '../messages.ts';

/** The name that stands for the first tool of a request that runs no shell. */
export const offeredTool = '*';

/** Most levels of a schema that are followed; deeper values are null. */
const mostDepth = 8;
/** Long enough for a cut inside. */
const sampleText = 'a sample text of some length';

/** The names of tools that run commands, and words of their descriptions. */
const shellName =
  /(^|[^a-z])(bash|sh|shell|zsh|powershell|exec|execute|command|commands|cmd|terminal|run)([^a-z]|$)/;
const shellText =
  /\b(bash|shell|powershell|terminal|(run|runs|execute|executes) (a |an |the )?([a-z]+ )?(commands?|code|scripts?|programs?))\b/;

/** Whether a tool may run commands. Arguments that are made up must not reach it. */
export const runsCommands = ({ name, description = '' }: ToolSpec): boolean =>
  shellName.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()) ||
  shellText.test(description.slice(0, longestDescription).toLowerCase());

/** How much of a description is read (characters). */
const longestDescription = 300;

/**
 * Replaces {@link offeredTool} by the request's first tool that runs no commands, with arguments from its schema unless
 * the step has some. When there is no such tool, the call is of a tool named `none`. Returns any other step unchanged.
 */
export function offered(step: ContentStep, { tools }: LlmRequest): ContentStep {
  if (step.do !== 'tool_call' || step.name !== offeredTool) return step;
  const tool = tools.find((one) => !runsCommands(one));
  const name = tool?.name ?? 'none';
  if (step.arguments !== '{}') return { ...step, name };
  const input = tool === undefined ? {} : sampleOf(tool.inputSchema);
  return { ...step, name, arguments: JSON.stringify(isObject(input) ? input : {}) };
}

/**
 * A value that fits a schema, by its `type`, `enum`, `const`, `properties` and `items`; it has every property.
 *
 * @example
 * sampleOf({ type: 'object', properties: { n: { type: 'integer' }, to: { enum: ['a', 'b'] } } }); // { n: 1, to: 'a' }
 */
export function sampleOf(schema: Json | undefined, depth = 0): Json {
  if (!isObject(schema) || depth > mostDepth) return null;
  const { type, enum: values, const: only, properties, items } = schema;
  if (only !== undefined) return only;
  const [first] = listOf(values);
  if (first !== undefined) return first;
  const [kind = properties === undefined ? 'string' : 'object'] = listOf(type);
  switch (kind) {
    case 'object':
      return sampleObject(properties, depth);
    case 'array':
      return [sampleOf(items ?? { type: 'string' }, depth + 1)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText;
  }
}

/** One value or a list, as a list. */
const listOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : isArray(value) ? value : [value];

const sampleObject = (properties: Json | undefined, depth: number): JsonObject =>
  isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, depth + 1)]),
      )
    : {};
