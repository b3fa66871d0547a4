/** The request of OpenAI Responses, `POST /v1/responses`, and the neutral one, both ways. */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused } from '../../messages.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader, GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { bodyReader, readFlag, readLimit, readModel, readObfuscation } from '../openai/body.ts';
import { readTools, writeTool } from '../openai/tools.ts';
import { readItems, writeItems } from './items.ts';

/** The parameters of the API: first those that are read here, then those without effect on a scripted model. */
const known: ReadonlySet<string> = new Set(
  (
    'model input instructions tools max_output_tokens stream ' +
    'background include max_tool_calls metadata parallel_tool_calls prompt_cache_key prompt_cache_options ' +
    'prompt_cache_retention reasoning safety_identifier service_tier store stream_options temperature text ' +
    'tool_choice top_logprobs top_p truncation user'
  ).split(' '),
);

/** Where prompts are counted. */
export const countPath = '/v1/responses/input_tokens';

/** Fields that refer to turns at the server; none are kept here. */
const remembered = ['previous_response_id', 'conversation'] as const;

/**
 * Reads a request. Refuses, as the API does: no model, no input, a call without its output, an output without its
 * call (unless the call may be in a turn at the server). The counting endpoint needs neither model nor input. Notes
 * other fields than the API's, and fields that refer to turns at the server, in `unknown`.
 */
export function readRequest(
  value: Json,
  _headers: HeaderFields = {},
  path?: string,
  given?: GivenWords,
): Result<LlmRequest, Refused> {
  const reader = bodyReader(given);
  const body = reader.body(value);
  reader.ignoreOthers(body, known);
  const counting = path === countPath;
  const model = counting && !present(body['model']) ? '' : readModel(reader, body);
  const { instructions: system } = body;
  const maxTokens = readLimit(reader, body['max_output_tokens'], 'max_output_tokens');
  const continued = remembered.some((field) => present(body[field]));
  if (body['tool_choice'] === 'required' && !present(body['tools']))
    reader.refuse('tool_choice', "Tool choice 'required' must be specified with 'tools' parameter.");
  return reader.request({
    dialect: 'openai-responses',
    model,
    ...(present(system) && { system: reader.string(system, 'instructions') }),
    messages: readInput(reader, body, counting || continued),
    tools: readTools(reader, body['tools'], 'flat'),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    stream: readFlag(reader, body['stream'], 'stream'),
    includeUsage: true,
    ...readObfuscation(body),
    ...(continued ? { continued } : {}),
  });
}

/** `input` is a text of the user, or a list of items. */
function readInput(reader: BodyReader, { input }: JsonObject, continued: boolean): LlmRequest['messages'] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const list = present(input) ? reader.array(input, 'input') : [];
  if (list.length === 0 && !continued)
    reader.refuse(
      'input',
      "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
    );
  return readItems(reader, list, continued);
}

/**
 * Writes a request, without the facts that Responses has no field for: stop sequences, whether a result was an error,
 * and `eager`. The server keeps nothing: thoughts go back encrypted, as they came.
 */
export function writeRequest(request: LlmRequest): WireRequest {
  const { model, system, messages, tools, maxTokens, stream } = request;
  // Models without thoughts refuse this field; a signed thought shows that the model has them.
  const signed = messages.some(({ thinking = [] }) => thinking.some((each) => each.signature !== undefined));
  return {
    path: '/v1/responses',
    headers: {},
    body: {
      model,
      ...(system === undefined ? {} : { instructions: system }),
      input: messages.flatMap(writeItems),
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, 'flat')) }),
      ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
      store: false,
      ...(signed ? { include: ['reasoning.encrypted_content'] } : {}),
      stream,
    },
  };
}

/** Writes the body of a count, with the parameters of `InputTokenCountParams` alone. */
export function writeCount(request: LlmRequest): JsonObject {
  const { model, instructions, input, tools } = writeRequest(request).body;
  return {
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(input === undefined ? {} : { input }),
    ...(tools === undefined ? {} : { tools }),
  };
}
