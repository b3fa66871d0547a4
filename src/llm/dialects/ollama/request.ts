/** Requests to `POST /api/chat`, read as Ollama reads them, and written. */
import type { Json, JsonObject, Result, ToolCall } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused, ToolSpec } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { BodyReader, present } from '../shared/body-reader.ts';
import type { BodyWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { functionsOf } from '../shared/functions.ts';
import { readMessages } from './request-messages.ts';

/**
 * Reads a body. Ollama requires little more than a model; a first system message is the request's system text.
 * "`stream` defaults true on the wire"; `num_predict` of 0 and below means no limit.
 */
export function readRequest(body: Json, _headers: HeaderFields): Result<LlmRequest, Refused> {
  const reader = new BodyReader(words);
  const fields = reader.body(body);
  reader.ignoreOthers(fields, knownFields);
  const { model, messages: list, stream, tools, options } = fields;
  if (model === undefined || model === '') reader.refuse('', 'model is required');
  const messages = present(list) ? readMessages(reader, list) : [];
  const [first] = messages;
  const system = first?.role === 'system' ? first.content : undefined;
  return reader.request({
    dialect: 'ollama',
    model: reader.string(model, 'model'),
    ...(system === undefined ? {} : { system }),
    messages: system === undefined ? messages : messages.slice(1),
    tools: present(tools) ? readTools(reader, tools) : [],
    ...(present(options) ? readOptions(reader, reader.object(options, 'options')) : {}),
    stream: present(stream) ? reader.boolean(stream, 'stream') : true,
    includeUsage: true,
  });
}

/** Go's words, as Ollama decodes a body into its own types. It accepts half a surrogate pair, and bytes that are no UTF-8. */
const words: BodyWords = {
  kinds: { string: 'string', object: 'object', array: 'array', integer: 'int', boolean: 'bool' },
  problem(expected, value, path) {
    if (value === undefined) return `${path}: is required`;
    const field = path.replaceAll(/\[\d+\]/g, '');
    const type = field.endsWith('.arguments') ? 'api.ToolCallFunctionArguments' : expected;
    return `json: cannot unmarshal ${kindOf(value)} into Go struct field ChatRequest.${field} of type ${type}`;
  },
  message: (_path, problem) => problem,
};

/** A value's kind, in Go's words. */
function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value;
}

/** The fields of the API. They are not noted as unknown, even where they have no effect here. */
const knownFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'format',
  'keep_alive',
  'tools',
  'think',
  'truncate',
  'shift',
  'options',
  'logprobs',
  'top_logprobs',
]);

function readTools(reader: BodyReader, value: Json): readonly ToolSpec[] {
  return reader.array(value, 'tools').map((entry, i) => {
    const path = `tools[${i}].function`;
    const made = reader.object(reader.object(entry, `tools[${i}]`)['function'], path);
    const { description, parameters } = made;
    return {
      name: reader.string(made['name'], `${path}.name`),
      ...(present(description) ? { description: reader.string(description, `${path}.description`) } : {}),
      inputSchema: present(parameters) ? reader.object(parameters, `${path}.parameters`) : {},
    };
  });
}

function readOptions(
  reader: BodyReader,
  options: JsonObject,
): { readonly maxTokens?: number; readonly stopSequences?: readonly string[] } {
  const { num_predict: limit, stop } = options;
  const maxTokens = present(limit) ? reader.integer(limit, 'options.num_predict') : 0;
  return {
    ...(maxTokens > 0 ? { maxTokens } : {}),
    ...(present(stop)
      ? {
          stopSequences: reader
            .array(stop, 'options.stop')
            .map((sequence, i) => reader.string(sequence, `options.stop[${i}]`)),
        }
      : {}),
  };
}

/** Writes a request. Results are separate messages, without a mark for errors. */
export function writeRequest(request: LlmRequest): WireRequest {
  const { system, maxTokens, stopSequences } = request;
  const tools = functionsOf(request.tools);
  const names = new Map(
    request.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)),
  );
  const options = {
    ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
  };
  const body = {
    model: request.model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...request.messages.flatMap((message) => writeMessage(message, names)),
    ],
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    stream: request.stream,
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
  return { path: '/api/chat', headers: {}, body };
}

const writeTool = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  type: 'function',
  function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
});

function writeMessage(message: LlmMessage, names: ReadonlyMap<string, string>): readonly JsonObject[] {
  const { role, content, toolResults = [], toolCalls = [], thinking = [] } = message;
  const results = toolResults.map((result) => {
    const name = names.get(result.id);
    return {
      role: 'tool',
      content: result.content,
      ...(name === undefined ? {} : { tool_name: name }),
      tool_call_id: result.id,
    };
  });
  if (results.length > 0 && content === '') return results;
  const own = {
    role,
    content,
    ...(thinking.length === 0 ? {} : { thinking: thinking.map(({ text }) => text).join('\n') }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(writeCall) }),
  };
  return [...results, own];
}

const writeCall = ({ id, name, input }: ToolCall, index: number): JsonObject => ({
  id,
  function: { index, name, arguments: isJsonObject(input) ? input : {} },
});
