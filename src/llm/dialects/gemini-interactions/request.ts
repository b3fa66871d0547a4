/** Requests of `POST /v1beta/interactions`, read with the API's refusals, and written. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused, ToolSpec } from '../../messages.ts';
import { BodyReader, isArray, present } from '../shared/body-reader.ts';
import type { BodyWords, GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { functionsOf } from '../shared/functions.ts';
import { checkResults } from './request-checks.ts';
import { readSteps, stepsOf, writeSteps } from './steps.ts';

/** The path of new interactions. */
export const interactionsPath = '/v1beta/interactions';

/** The parameters of the API: first those that are read here, then those without effect on a scripted model. */
const known: ReadonlySet<string> = new Set(
  (
    'model input system_instruction tools generation_config stream previous_interaction_id continuation_token ' +
    'background store agent agent_config cached_content environment labels response_format response_mime_type ' +
    'response_modalities safety_settings service_tier webhook_config'
  ).split(' '),
);

/** Reads a request. With `previous_interaction_id` the earlier steps are at the provider. */
export function readRequest(
  value: Json,
  _headers: HeaderFields,
  _path?: string,
  given?: GivenWords,
): Result<LlmRequest, Refused> {
  const reader = new BodyReader(words, given);
  const body = reader.body(value);
  reader.ignoreOthers(body, known);
  const { model, agent, input, system_instruction: system, generation_config: config, tools, stream } = body;
  const continued = present(body['previous_interaction_id']);
  const steps = stepsOf(input);
  if (steps.length === 0 && !continued) reader.expect('input', 'a text, a content or a list of steps', input);
  const messages = readSteps(reader, steps);
  if (!continued) checkResults(reader, steps);
  return reader.request({
    dialect: 'gemini-interactions',
    model: present(agent) && !present(model) ? reader.string(agent, 'agent') : reader.string(model, 'model'),
    ...(present(system) && { system: reader.string(system, 'system_instruction') }),
    messages,
    tools: present(tools) ? readTools(reader, tools) : [],
    ...(present(config) ? readLimits(reader, config) : {}),
    stream: present(stream) ? reader.boolean(stream, 'stream') : false,
    includeUsage: true,
    ...(continued ? { continued } : {}),
  });
}

/** The form of the API's refusals: "The value 'x' is not supported for 'type' at 'tools[0]'." */
const words: BodyWords = {
  kinds: {
    string: 'a string',
    object: 'an object',
    array: 'a list',
    integer: 'an integer',
    boolean: 'a boolean',
  },
  problem: (expected, value) => (value === undefined ? `${expected} is missing` : `expected ${expected}`),
  message: (path, problem) =>
    path === '' ? `Invalid request: ${problem}.` : `Invalid request: ${problem} at '${path}'.`,
};

function readLimits(reader: BodyReader, value: Json): Pick<LlmRequest, 'maxTokens' | 'stopSequences'> {
  const { max_output_tokens: most, stop_sequences: stops } = reader.object(value, 'generation_config');
  const path = 'generation_config.max_output_tokens';
  const limit = present(most) ? reader.integer(most, path) : undefined;
  if (limit !== undefined && limit < 1) reader.refuse(path, 'expected 1 or more');
  return {
    ...(limit === undefined ? {} : { maxTokens: limit }),
    ...(isArray(stops) && stops.length > 0
      ? {
          stopSequences: stops.map((one, i) => reader.string(one, `generation_config.stop_sequences[${i}]`)),
        }
      : {}),
  };
}

/** The functions among tools. Those of the provider, such as `google_search`, have no schema. */
const readTools = (reader: BodyReader, value: Json): readonly ToolSpec[] =>
  reader.array(value, 'tools').flatMap((tool, i): ToolSpec[] => {
    const { type, name, description, parameters } = reader.object(tool, `tools[${i}]`);
    if (type !== 'function') return [];
    return [
      {
        name: reader.string(name, `tools[${i}].name`),
        ...(typeof description === 'string' && { description }),
        inputSchema: isObject(parameters) ? parameters : {},
      },
    ];
  });

/** Writes a request. The client keeps the conversation, so the provider need not. */
export function writeRequest(request: LlmRequest): WireRequest {
  const { model, system, messages, maxTokens, stopSequences, stream } = request;
  const tools = functionsOf(request.tools);
  const config = {
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
  };
  return {
    path: interactionsPath,
    headers: {},
    body: {
      model,
      ...(system === undefined ? {} : { system_instruction: system }),
      input: writeSteps(messages),
      ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
      ...(Object.keys(config).length > 0 && { generation_config: config }),
      store: false,
      stream,
    },
  };
}

const writeTool = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  type: 'function',
  name,
  ...(description === undefined ? {} : { description }),
  parameters: inputSchema,
});
