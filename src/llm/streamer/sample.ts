/** Arguments made from a tool's schema: how a script calls a tool of which it knows nothing. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ContentStep } from '../script/script.ts';
import type { LlmRequest } from '../messages.ts';

/** The name that stands for the first tool which a request offers. */
export const offeredTool = '*';

/** Schemas inside one another that are followed; what is deeper is null. */
const mostDepth = 8;
/** Long enough that a cut can fall inside. */
const sampleText = 'a sample text of some length';

/**
 * A call of {@link offeredTool} as a call of the tool that the request offers first, with arguments made from its
 * schema where the step has none of its own; any other step as it is.
 */
export function offered(step: ContentStep, { tools }: LlmRequest): ContentStep {
  if (step.do !== 'tool_call' || step.name !== offeredTool) return step;
  const [tool] = tools;
  const name = tool?.name ?? 'none';
  if (step.arguments !== '{}') return { ...step, name };
  const input = tool === undefined ? {} : sampleOf(tool.inputSchema);
  return { ...step, name, arguments: JSON.stringify(isObject(input) ? input : {}) };
}

/**
 * A value that a schema takes, as far as `type`, `enum`, `const`, `properties` and `items` say: every property is there.
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

/** What may be one or several, as several. */
const listOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value];

const sampleObject = (properties: Json | undefined, depth: number): JsonObject =>
  isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, depth + 1)]),
      )
    : {};
