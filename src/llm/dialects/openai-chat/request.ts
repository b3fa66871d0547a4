/** The request of OpenAI Chat Completions, `POST /v1/chat/completions`, and the neutral one, both ways. */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import type { WireRequest } from '../shared/dialect.ts';
import { Findings, readFlag, readLimit, readList, readModel, readString } from '../openai/body.ts';
import { readMessages, writeMessage } from './messages.ts';
import { readTools, writeTool } from '../openai/tools.ts';

/** "Up to 4 sequences where the API will stop generating further tokens." */
const MAX_STOPS = 4;

/** Parameters of the API: those that are read here, and those without a meaning for a scripted model. */
const known: ReadonlySet<string> = new Set(
  (
    'model messages tools max_tokens max_completion_tokens stream stream_options stop ' +
    'frequency_penalty logit_bias logprobs metadata n parallel_tool_calls presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier ' +
    'store temperature tool_choice top_logprobs top_p user verbosity'
  ).split(' '),
);

/**
 * Reads a request. Refused, as the API does: no model, no messages, a role that is none, a tool call without its
 * result, a result without its call. Other fields than the API's are noted in `unknown`.
 */
export function readRequest(body: Json): Result<LlmRequest, Refused> {
  const findings = new Findings();
  if (!isJsonObject(body)) {
    findings.refuse('', `We could not parse the JSON body of your request: expected an object.`);
    return findings.result(emptyRequest);
  }
  findings.ignoreOthers(body, known, '');
  if (typeof body['n'] === 'number' && body['n'] !== 1) findings.ignore('n');
  const model = readModel(body, findings);
  const list = readList(body['messages'], 'messages', findings);
  if (list.length === 0)
    findings.refuse(
      'messages',
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
  const stream = readFlag(body['stream'], 'stream', findings);
  const maxTokens = readTokenLimit(body, findings);
  const stopSequences = readStops(body['stop'], findings);
  return findings.result({
    dialect: 'openai-chat',
    model,
    ...splitSystem(list, readMessages(list, findings)),
    tools: readTools(body['tools'], 'wrapped', findings),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    stream,
    includeUsage: readIncludeUsage(body, stream, findings),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  });
}

const emptyRequest: LlmRequest = {
  dialect: 'openai-chat',
  model: '',
  messages: [],
  tools: [],
  stream: false,
  includeUsage: false,
};

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

function readTokenLimit(body: JsonObject, findings: Findings): number | undefined {
  const { max_tokens: old = null, max_completion_tokens: now = null } = body;
  if (old !== null && now !== null)
    findings.refuse(
      'max_tokens',
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    );
  return (
    readLimit(now, 'max_completion_tokens', findings) ?? readLimit(old, 'max_tokens', findings) ?? undefined
  );
}

function readIncludeUsage(body: JsonObject, stream: boolean, findings: Findings): boolean {
  const { stream_options: options = null } = body;
  // What is not streamed says its usage always.
  if (options === null) return !stream;
  if (!stream)
    findings.refuse(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  if (!isJsonObject(options)) findings.wrongType('stream_options', 'an object', options);
  else return readFlag(options['include_usage'], 'stream_options.include_usage', findings);
  return false;
}

function readStops(value: Json | undefined, findings: Findings): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  const list = readList(value, 'stop', findings);
  if (list.length > MAX_STOPS)
    findings.refuse(
      'stop',
      `Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOPS}, but got an array with ` +
        `length ${list.length} instead.`,
    );
  return list.map((entry, i) => readString(entry, `stop[${i}]`, findings));
}

/**
 * Writes a request. What Chat has no word for is left out: whether a result was an error, signatures of thoughts, and
 * `eager`.
 */
export function writeRequest(request: LlmRequest): WireRequest {
  const { model, system, messages, tools, maxTokens, stream, includeUsage, stopSequences } = request;
  const [first] = messages;
  // Without a system text, a first message of role system would be taken for one.
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
