/** LM Studio's prediction config: a stack of layers of keys and values, in which a later layer outdoes an earlier one. */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused, ToolSpec } from '../../messages.ts';
import { mostArgumentDepth } from '../shared/arguments.ts';
import { nestedDeeper } from './depth.ts';
import { refused } from './refused.ts';

/** What every key of a prediction's config begins with. */
const PREFIX = 'llm.prediction.';

/** What a config says about a request. */
export type PredictionConfig = Pick<LlmRequest, 'tools' | 'maxTokens' | 'stopSequences' | 'unknown'>;

/** The fields of a request's config, as the SDK writes them. */
export function writeConfig(request: PredictionConfig): JsonObject {
  const { maxTokens, stopSequences, tools } = request;
  const fields: Json[] = [];
  if (maxTokens !== undefined)
    fields.push({ key: `${PREFIX}maxPredictedTokens`, value: { checked: true, value: maxTokens } });
  if (stopSequences !== undefined && stopSequences.length > 0)
    fields.push({ key: `${PREFIX}stopStrings`, value: stopSequences });
  fields.push({
    key: `${PREFIX}tools`,
    value: tools.length === 0 ? { type: 'none' } : { type: 'toolArray', tools: tools.map(writeTool) },
  });
  return { fields };
}

/** Parameters without `properties` are none to LM Studio: the SDK refuses them. */
const writeTool = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  type: 'function',
  function: {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: { properties: {}, ...inputSchema },
  },
});

/** Reads a stack of configs. */
export function readConfig(stack: Json | undefined, path: string): Result<PredictionConfig, Refused> {
  if (stack === undefined) return ok({ tools: [] });
  const layers = isObject(stack) ? stack['layers'] : undefined;
  if (!Array.isArray(layers)) return refuse(refused(`${path}.layers`, 'an array of layers', layers));
  const values = new Map<string, unknown>();
  for (const [index, layer] of (layers as readonly unknown[]).entries()) {
    const fault = collect(layer, `${path}.layers[${index}].config.fields`, values);
    if (fault !== undefined) return refuse(fault);
  }
  const tools = readTools(values.get(`${PREFIX}tools`), path);
  if (!tools.ok) return tools;
  const unknown = [...values.keys()].filter((key) => !key.startsWith(PREFIX));
  return ok({
    tools: tools.value,
    ...limitOf(values.get(`${PREFIX}maxPredictedTokens`)),
    ...stopsOf(values.get(`${PREFIX}stopStrings`)),
    ...(unknown.length === 0 ? {} : { unknown }),
  });
}

/** Takes the fields of one layer; the reason when there are none to take. */
function collect(layer: unknown, path: string, values: Map<string, unknown>): Refused | undefined {
  const config = isObject(layer) ? layer['config'] : undefined;
  const fields = isObject(config) ? config['fields'] : undefined;
  if (!Array.isArray(fields)) return refused(path, 'an array of fields', fields);
  for (const [index, field] of (fields as readonly unknown[]).entries()) {
    if (!isObject(field) || typeof field['key'] !== 'string')
      return refused(`${path}[${index}].key`, 'a string', isObject(field) ? field['key'] : field);
    values.set(field['key'], field['value']);
  }
  return undefined;
}

/** `checked` says whether the limit counts; the SDK takes -1 for none. */
function limitOf(value: unknown): { maxTokens?: number } {
  if (!isObject(value) || value['checked'] !== true) return {};
  const limit = value['value'];
  return typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 ? { maxTokens: limit } : {};
}

function stopsOf(value: unknown): { stopSequences?: readonly string[] } {
  if (!Array.isArray(value)) return {};
  const stops = (value as readonly unknown[]).filter((stop) => typeof stop === 'string');
  return stops.length === 0 ? {} : { stopSequences: stops };
}

function readTools(value: unknown, path: string): Result<readonly ToolSpec[], Refused> {
  if (!isObject(value) || value['type'] !== 'toolArray' || value['tools'] === undefined) return ok([]);
  const at = `${path}: ${PREFIX}tools.tools`;
  if (!Array.isArray(value['tools'])) return refuse(refused(at, 'an array of tools', value['tools']));
  const tools: ToolSpec[] = [];
  for (const [index, tool] of (value['tools'] as readonly unknown[]).entries()) {
    const read = readTool(tool, `${at}[${index}]`);
    if (!read.ok) return read;
    tools.push(read.value);
  }
  return ok(tools);
}

function readTool(tool: unknown, at: string): Result<ToolSpec, Refused> {
  const spec = isObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
  if (!isObject(spec) || typeof spec['name'] !== 'string')
    return refuse(refused(at, '{"type": "function", "function": {"name": …}}', tool));
  const { name, description, parameters } = spec;
  const inputSchema = isObject(parameters) ? (parameters as JsonObject) : { type: 'object', properties: {} };
  if (nestedDeeper(inputSchema, mostArgumentDepth))
    return refuse(refused(at, `parameters of at most ${mostArgumentDepth} levels`, inputSchema));
  return ok({ name, ...(typeof description === 'string' ? { description } : {}), inputSchema });
}
