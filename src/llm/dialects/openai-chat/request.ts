/** The request of OpenAI Chat Completions, `POST /v1/chat/completions`, and the neutral one, both ways. */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader, GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { bodyReader, refuseEmpty, readFlag, readLimit, readModel, readObfuscation } from '../openai/body.ts';
import { readMessages, writeMessage } from './messages.ts';
import { readTools, writeTool } from '../openai/tools.ts';

/** "Up to 4 sequences where the API will stop generating further tokens." */
const MAX_STOPS = 4;

/** The parameters of the API: first those that are read here, then those without effect on a scripted model. */
const known: ReadonlySet<string> = new Set(
  (
    'model messages tools max_tokens max_completion_tokens stream stream_options stop ' +
    'frequency_penalty logit_bias logprobs metadata n parallel_tool_calls presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier ' +
    'store temperature tool_choice top_logprobs top_p user verbosity'
  ).split(' '),
);

/**
 * Reads a request. Refuses, as the API does: no model, no messages, an unknown role, a tool call without its result,
 * a result without its call. Notes other fields than the API's in `unknown`.
 */
export function readRequest(
  value: Json,
  _headers: HeaderFields = {},
  _path?: string,
  given?: GivenWords,
): Result<LlmRequest, Refused> {
  const reader = bodyReader(given);
  const body = reader.body(value);
  reader.ignoreOthers(body, known);
  if (typeof body['n'] === 'number' && body['n'] !== 1) reader.ignore('n');
  const model = readModel(reader, body);
  const list = reader.array(body['messages'], 'messages');
  if (list.length === 0) refuseEmpty(reader, 'messages');
  const stream = readFlag(reader, body['stream'], 'stream');
  const maxTokens = readTokenLimit(reader, body);
  const stopSequences = readStops(reader, body['stop']);
  if (present(body['tool_choice']) && !present(body['tools']))
    reader.refuse(
      'tool_choice',
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    );
  return reader.request({
    dialect: 'openai-chat',
    model,
    ...splitSystem(list, readMessages(reader, list)),
    tools: readTools(reader, body['tools'], 'wrapped'),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    stream,
    includeUsage: readIncludeUsage(reader, body, stream),
    ...readObfuscation(body),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  });
}

/** A first message of role `system` is the system text; one of role `developer` stays where it is. */
function splitSystem(
  list: readonly Json[],
  messages: readonly LlmMessage[],
): Pick<LlmRequest, 'system' | 'messages'> {
  const [first] = list;
  const [system, ...rest] = messages;
  return isJsonObject(first) && first['role'] === 'system' && system !== undefined
    ? { system: system.content, messages: rest }
    : { messages };
}

function readTokenLimit(reader: BodyReader, body: JsonObject): number | undefined {
  const { max_tokens: old = null, max_completion_tokens: now = null } = body;
  if (old !== null && now !== null)
    reader.refuse(
      'max_tokens',
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    );
  return readLimit(reader, now, 'max_completion_tokens') ?? readLimit(reader, old, 'max_tokens');
}

function readIncludeUsage(reader: BodyReader, body: JsonObject, stream: boolean): boolean {
  const { stream_options: options = null } = body;
  // A whole response always has its usage.
  if (options === null) return !stream;
  if (!stream)
    reader.refuse(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  return readFlag(
    reader,
    reader.object(options, 'stream_options')['include_usage'],
    'stream_options.include_usage',
  );
}

function readStops(reader: BodyReader, value: Json | undefined): readonly string[] | undefined {
  if (!present(value)) return undefined;
  if (typeof value === 'string') return [value];
  const list = reader.array(value, 'stop');
  if (list.length > MAX_STOPS)
    reader.refuse(
      'stop',
      `Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOPS}, but got an array with ` +
        `length ${list.length} instead.`,
    );
  return list.map((entry, i) => reader.string(entry, `stop[${i}]`));
}

/**
 * Writes a request, without the facts that Chat has no field for: whether a result was an error, signatures of
 * thoughts, and `eager`.
 */
export function writeRequest(request: LlmRequest): WireRequest {
  const { model, system, messages, tools, maxTokens, stream, includeUsage, stopSequences } = request;
  const [first] = messages;
  // Without a system text, a reader would take a first message of role system for it.
  const developer = system === undefined && first?.role === 'system';
  const written = messages.flatMap(writeMessage);
  return {
    path: '/v1/chat/completions',
    headers: {},
    body: {
      model,
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...(developer ? [{ ...written[0], role: 'developer' }, ...written.slice(1)] : written),
      ],
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, 'wrapped')) }),
      ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
      ...(stopSequences === undefined ? {} : { stop: stopSequences }),
      stream,
      ...(stream && includeUsage ? { stream_options: { include_usage: true } } : {}),
    },
  };
}
