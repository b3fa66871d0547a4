/** LM Studio's prediction config: a stack of layers of keys and values. A later layer overrides an earlier one. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { LlmRequest, ToolSpec } from '../../messages.ts';
import { isJsonObject, mostArgumentDepth, nestedDeeper } from '../shared/arguments.ts';
import { isArray } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { functionsOf } from '../shared/functions.ts';

/** The prefix of every key of a prediction's config. */
const PREFIX = 'llm.prediction.';

/** The part of a request that is in its config. */
export type PredictionConfig = Pick<LlmRequest, 'tools' | 'maxTokens' | 'stopSequences'>;

/** The fields of a request's config, as the SDK writes them. */
export function writeConfig(request: PredictionConfig): JsonObject {
  const { maxTokens, stopSequences } = request;
  const tools = functionsOf(request.tools);
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

/** The SDK refuses parameters without `properties`. */
export const writeTool = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  type: 'function',
  function: {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: { properties: {}, ...inputSchema },
  },
});

export function readConfig(reader: BodyReader, stack: Json | undefined, path: string): PredictionConfig {
  if (stack === undefined) return { tools: [] };
  const values = new Map<string, Json | undefined>();
  const layers = reader.array(isObject(stack) ? stack['layers'] : undefined, `${path}.layers`);
  for (const [i, layer] of layers.entries()) {
    const config = isObject(layer) ? layer['config'] : undefined;
    const at = `${path}.layers[${i}].config.fields`;
    for (const [n, entry] of reader.array(isObject(config) ? config['fields'] : undefined, at).entries()) {
      const field = isJsonObject(entry) ? entry : {};
      values.set(reader.string(field['key'], `${at}[${n}].key`), field['value']);
    }
  }
  for (const key of values.keys()) if (!key.startsWith(PREFIX)) reader.ignore(key);
  return {
    tools: readTools(reader, values.get(`${PREFIX}tools`), `${path}: ${PREFIX}tools.tools`),
    ...limitOf(values.get(`${PREFIX}maxPredictedTokens`)),
    ...stopsOf(values.get(`${PREFIX}stopStrings`)),
  };
}

/** `checked` says whether the limit counts; the SDK takes -1 for no limit. */
function limitOf(value: Json | undefined): { maxTokens?: number } {
  if (!isObject(value) || value['checked'] !== true) return {};
  const limit = value['value'];
  return typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 ? { maxTokens: limit } : {};
}

function stopsOf(value: Json | undefined): { stopSequences?: readonly string[] } {
  const stops = isArray(value) ? value.filter((stop) => typeof stop === 'string') : [];
  return stops.length === 0 ? {} : { stopSequences: stops };
}

function readTools(reader: BodyReader, value: Json | undefined, path: string): readonly ToolSpec[] {
  if (!isJsonObject(value) || value['type'] !== 'toolArray' || value['tools'] === undefined) return [];
  return reader.array(value['tools'], path).map((tool, i) => readTool(reader, tool, `${path}[${i}]`));
}

function readTool(reader: BodyReader, tool: Json, path: string): ToolSpec {
  const { type, function: made }: JsonObject = isJsonObject(tool) ? tool : {};
  const { name, description, parameters }: JsonObject = type === 'function' && isJsonObject(made) ? made : {};
  if (typeof name !== 'string') reader.expect(path, '{"type": "function", "function": {"name": …}}', tool);
  const inputSchema = isJsonObject(parameters) ? parameters : { type: 'object', properties: {} };
  if (nestedDeeper(inputSchema, mostArgumentDepth))
    reader.expect(path, `parameters of at most ${mostArgumentDepth} levels`, inputSchema);
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof description === 'string' && { description }),
    inputSchema,
  };
}
