/** Requests of `Converse` and `ConverseStream`, read with the API's refusals, and written. */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused, ToolSpec } from '../../messages.ts';
import { BodyReader, present } from '../shared/body-reader.ts';
import type { BodyWords, GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { functionsOf } from '../shared/functions.ts';
import { checkConversation } from './conversation.ts';
import { readMessage, writeMessages } from './message.ts';

/** A path that names the model and the operation, such as `/model/amazon.nova-pro-v1%3A0/converse-stream`. */
const pathForm = /\/model\/([^/?]+)\/(converse(?:-stream)?)(?:\?|$)/;

const streaming = 'converse-stream';

/** Reads a request. The path has the model, and says whether the answer streams; without a path it does. */
export function readRequest(
  body: Json,
  _headers: HeaderFields,
  path?: string,
  given?: GivenWords,
): Result<LlmRequest, Refused> {
  const [, model = '', operation = path === undefined ? streaming : ''] = pathForm.exec(path ?? '') ?? [];
  const reader = new BodyReader(words, given);
  const fields = reader.body(body);
  reader.ignoreOthers(fields, knownFields);
  const { system, inferenceConfig, toolConfig, messages: list } = fields;
  const messages = reader
    .array(list, 'messages')
    .map((message, i) => readMessage(reader, message, `messages[${i}]`));
  const tools = present(toolConfig) ? readTools(reader, toolConfig) : [];
  if (reader.refused === undefined) checkConversation(reader, messages, tools.length > 0);
  const text = present(system) ? readSystem(reader, system) : '';
  return reader.request({
    dialect: 'bedrock',
    model: decoded(model),
    ...(text === '' ? {} : { system: text }),
    messages,
    tools,
    ...(present(inferenceConfig) ? readLimits(reader, inferenceConfig) : {}),
    stream: operation === streaming,
    includeUsage: true,
  });
}

/** The API names places with dots: `messages.2.content.0`. */
const words: BodyWords = {
  kinds: {
    string: 'a string',
    object: 'a json object',
    array: 'a list',
    integer: 'an integer',
    boolean: 'a boolean',
  },
  problem: (expected) => expected,
  message: (path, problem) =>
    path === ''
      ? `Provide ${problem} as the body and try again.`
      : `The format of the value at ${path.replaceAll(/\[(\d+)\]/g, '.$1')} is invalid. Provide ${problem} for the field and try again.`,
};

/** The fields of the API. They are not noted as unknown, even where they have no effect here. */
const knownFields: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'promptVariables',
  'additionalModelResponseFieldPaths',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
]);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The texts of the system prompt, one a line. Cache points and guarded contents have none. */
const readSystem = (reader: BodyReader, value: Json): string =>
  reader
    .array(value, 'system')
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');

function readLimits(reader: BodyReader, value: Json): Pick<LlmRequest, 'maxTokens' | 'stopSequences'> {
  const { maxTokens, stopSequences } = reader.object(value, 'inferenceConfig');
  const limit = present(maxTokens) ? reader.integer(maxTokens, 'inferenceConfig.maxTokens') : undefined;
  if (limit !== undefined && limit < 1) reader.refuse('inferenceConfig.maxTokens', 'a value of 1 or more');
  return {
    ...(limit === undefined ? {} : { maxTokens: limit }),
    ...(isArray(stopSequences) && stopSequences.length > 0
      ? {
          stopSequences: stopSequences.map((one, i) =>
            reader.string(one, `inferenceConfig.stopSequences[${i}]`),
          ),
        }
      : {}),
  };
}

/** Tools by their specification. Those of the provider, such as `systemTool`, and cache points have none. */
function readTools(reader: BodyReader, value: Json): readonly ToolSpec[] {
  const { tools } = reader.object(value, 'toolConfig');
  return reader.array(tools, 'toolConfig.tools').flatMap((tool, i): ToolSpec[] => {
    const spec = isObject(tool) ? tool['toolSpec'] : undefined;
    if (!isObject(spec)) return [];
    const path = `toolConfig.tools[${i}].toolSpec`;
    const { description, inputSchema } = spec;
    const schema = reader.object(inputSchema, `${path}.inputSchema`);
    return [
      {
        name: reader.string(spec['name'], `${path}.name`),
        ...(typeof description === 'string' && { description }),
        inputSchema: reader.object(schema['json'], `${path}.inputSchema.json`),
        ...(spec['strict'] === true && { strict: true as const }),
      },
    ];
  });
}

/** Writes a request. */
export function writeRequest(request: LlmRequest): WireRequest {
  const { system, maxTokens, stopSequences, model, stream } = request;
  const tools = functionsOf(request.tools);
  const config = {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  };
  const body: JsonObject = {
    messages: writeMessages(request.messages),
    ...(system === undefined ? {} : { system: [{ text: system }] }),
    ...(Object.keys(config).length > 0 && { inferenceConfig: config }),
    ...(tools.length > 0 && { toolConfig: { tools: tools.map(writeTool) } }),
  };
  const operation = stream ? streaming : 'converse';
  return { path: `/model/${encodeURIComponent(model)}/${operation}`, headers: {}, body };
}

const writeTool = ({ name, description, inputSchema, strict }: ToolSpec): JsonObject => ({
  toolSpec: {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: { json: inputSchema },
    ...(strict === true && { strict }),
  },
});
