/** Requests to `POST /v1/messages` and `/v1/messages/count_tokens`, read as the API reads them, and written. */
import { refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { BodyReader, present } from '../shared/body-reader.ts';
import type { BodyWords, GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { functionsOf } from '../shared/functions.ts';
import { loneWords } from './body-bytes.ts';
import { checkCacheMarks } from './cache-marks.ts';
import { checkConversation } from './conversation.ts';
import { checkFinalMessage } from './final-message.ts';
import { readMessage, readText } from './request-message.ts';
import { checkServerTools } from './server-tools.ts';
import { checkThinking } from './thinking.ts';
import { readTools, writeTool } from './tools.ts';

/** Where a request's tokens are counted. */
export const countPath = '/v1/messages/count_tokens';

/** "SDK 1.12 sends `anthropic-version: 2026-10-21`"; older versions are accepted as well. */
const apiVersion = '2026-10-21';

/** `max_tokens` where the request has no limit: the API wants one. */
const defaultMaxTokens = 4096;

/** Reads a body. Accepts consecutive messages of one role, as the API merges them, and any version. */
export function readRequest(
  body: Json,
  headers: HeaderFields,
  path = '/v1/messages',
  given?: GivenWords,
): Result<LlmRequest, Refused> {
  const reader = new BodyReader(words, given);
  const fields = reader.body(body);
  if (present(fields['thread'])) return refuse(noThreads);
  reader.ignoreOthers(fields, knownFields);
  const { system, stop_sequences: sequences, stream } = fields;
  const messages = readMessages(reader, fields['messages']);
  const isCount = path.split('?')[0] === countPath;
  const maxTokens = isCount ? {} : { maxTokens: readMaxTokens(reader, fields['max_tokens']) };
  const tools = present(fields['tools']) ? readTools(reader, fields['tools']) : [];
  checkThinking(reader, fields, headers);
  checkFinalMessage(reader, fields);
  checkCacheMarks(reader, fields);
  return reader.request({
    dialect: 'anthropic',
    model: readModel(reader, fields['model']),
    ...(present(system) ? { system: readText(reader, system, 'system') } : {}),
    messages,
    tools,
    ...maxTokens,
    stream: present(stream) && reader.boolean(stream, 'stream'),
    includeUsage: true,
    ...(present(sequences) ? { stopSequences: readSequences(reader, sequences) } : {}),
  });
}

/**
 * Conversations are not kept here. The API's clients continue without a thread when they get this error (@anthropic-
 * ai/sdk 1.12, ThreadState).
 */
const noThreads: Refused = {
  path: 'thread',
  error: {
    type: 'invalid_request',
    status: 400,
    message: 'thread: message threads are not supported here',
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  },
};

/** The API's form: `messages.0.content: Field required`. */
const words: BodyWords = {
  kinds: {
    string: 'Input should be a valid string',
    object: 'Input should be a valid dictionary',
    array: 'Input should be a valid list',
    integer: 'Input should be a valid integer',
    boolean: 'Input should be a valid boolean',
  },
  problem: (expected, value) => (value === undefined ? 'Field required' : expected),
  message(path, problem) {
    const place = path.replaceAll(/\[(\d+)\]/g, '.$1');
    return place === '' ? problem : `${place}: ${problem}`;
  },
  lone: loneWords,
};

/** The fields of the API. They are not noted as unknown, even where they have no effect here. */
const knownFields: ReadonlySet<string> = new Set([
  'max_tokens',
  'messages',
  'model',
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'inference_geo',
  'mcp_servers',
  'metadata',
  'output_config',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

function readModel(reader: BodyReader, value: Json | undefined): string {
  const model = reader.string(value, 'model');
  if (model === '') reader.refuse('model', 'String should have at least 1 character');
  return model;
}

function readMaxTokens(reader: BodyReader, value: Json | undefined): number {
  const limit = reader.integer(value, 'max_tokens');
  if (limit < 1) reader.refuse('max_tokens', 'Input should be greater than or equal to 1');
  return limit;
}

function readMessages(reader: BodyReader, value: Json | undefined): readonly LlmMessage[] {
  const list = reader.array(value, 'messages');
  if (list.length === 0) reader.refuse('messages', 'at least one message is required');
  const messages = list.map((message, i) => readMessage(reader, message, i, i === list.length - 1));
  if (reader.refused === undefined) checkConversation(reader, messages, list);
  if (reader.refused === undefined) checkServerTools(reader, list);
  return messages;
}

function readSequences(reader: BodyReader, value: Json): readonly string[] {
  const list = reader.array(value, 'stop_sequences');
  return list.map((sequence, i) => reader.string(sequence, `stop_sequences[${i}]`));
}

/** Writes a request, without unsigned thoughts: the API refuses them. */
export function writeRequest(request: LlmRequest): WireRequest {
  const { system, stopSequences } = request;
  const tools = functionsOf(request.tools);
  const body = {
    model: request.model,
    max_tokens: request.maxTokens ?? defaultMaxTokens,
    ...(system === undefined ? {} : { system }),
    messages: request.messages.map(writeMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    stream: request.stream,
  };
  return { path: '/v1/messages', headers: { 'anthropic-version': apiVersion }, body };
}

/** Writes the body of a count. Its parameters have no limit, no stop sequences and no stream (`MessageCountTokensParams`). */
export function writeCount(request: LlmRequest): JsonObject {
  const {
    max_tokens: _limit,
    stop_sequences: _sequences,
    stream: _stream,
    ...body
  } = writeRequest(request).body;
  return body;
}

/** Results come before text, thoughts before everything; a message that is only text is a string. */
function writeMessage(message: LlmMessage): JsonObject {
  const { role, content, blocks } = message;
  if (blocks !== undefined) return { role, content: blocks };
  const before = [
    ...(message.thinking ?? []).flatMap(({ text, signature, redacted }): JsonObject[] => {
      if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
      return signature === undefined ? [] : [{ type: 'thinking', thinking: text, signature }];
    }),
    ...(message.toolResults ?? []).map(writeResult),
  ];
  const calls = (message.toolCalls ?? []).map(writeCall);
  if (before.length === 0 && calls.length === 0) return { role, content };
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  return { role, content: [...before, ...text, ...calls] };
}

const writeResult = (result: ToolOutcome): JsonObject => ({
  type: 'tool_result',
  tool_use_id: result.id,
  content: result.content,
  ...(result.isError ? { is_error: true } : {}),
});

const writeCall = (call: ToolCall): JsonObject => ({
  type: 'tool_use',
  id: call.id,
  name: call.name,
  input: isJsonObject(call.input) ? call.input : {},
});
