/** Arguments made from a tool's schema, so that a script can call an unknown tool. */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ContentStep } from './script.ts';
import type { LlmRequest, ToolSpec } from '../messages.ts';

/** The name that stands for the first tool of a request that runs no shell. */
export const offeredTool = '*';

/** Most levels of a schema that are followed; deeper values are null. */
const mostDepth = 8;
/** Long enough for a cut inside. */
const sampleText = 'a sample text of some length';
/** Holds files that tools write at paths that are made up: not the folder in which a program happens to run. */
const sampleFolder = '/tmp/wireproof';
const sampleFile = 'sample.txt';

/** Words of a name or a description of a text that is the path of a file or a folder. */
const pathName =
  /(^|_)(path|paths|pathname|file|files|filename|filepath|dir|dirs|directory|directories|folder|cwd|workdir|root)(_|$)/;
const pathText = /\b(absolute|relative|file|directory|folder) ?paths?\b|\bpath (to|of)\b|\bfile ?names?\b/i;

/** Whether a text of a schema is a path. */
const isPath = (name: string, { description }: JsonObject): boolean =>
  pathName.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()) ||
  (typeof description === 'string' && pathText.test(description.slice(0, longestDescription)));

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
  const { folder } = step;
  const input = tool === undefined ? {} : sampleOf(tool.inputSchema, { folder });
  return { ...step, name, arguments: JSON.stringify(isObject(input) ? input : {}) };
}

/**
 * A value that fits a schema, by its `type`, `enum`, `const`, `properties` and `items`; it has every property. A path is in
 * `folder`; `name` is the name of the value.
 *
 * @example
 * sampleOf({ type: 'object', properties: { n: { type: 'integer' }, to: { enum: ['a', 'b'] } } }); // { n: 1, to: 'a' }
 */
export function sampleOf(schema: Json | undefined, place: SamplePlace = {}): Json {
  const { depth = 0, name = '', folder = sampleFolder } = place;
  const inside = { ...place, depth: depth + 1 };
  if (!isObject(schema) || depth > mostDepth) return null;
  const { type, enum: values, const: only, properties, items } = schema;
  if (only !== undefined) return only;
  const [first] = listOf(values);
  if (first !== undefined) return first;
  const [kind = properties === undefined ? 'string' : 'object'] = listOf(type);
  switch (kind) {
    case 'object':
      return sampleObject(properties, inside);
    case 'array':
      return [sampleOf(items ?? { type: 'string' }, inside)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return isPath(name, schema) ? `${folder}/${sampleFile}` : sampleText;
  }
}

/** Where a value is: how deep, under which name; and the folder of paths. */
interface SamplePlace {
  readonly depth?: number;
  readonly name?: string;
  readonly folder?: string | undefined;
}

const listOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : isArray(value) ? value : [value];

const sampleObject = (properties: Json | undefined, place: SamplePlace): JsonObject =>
  isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, { ...place, name })]),
      )
    : {};
