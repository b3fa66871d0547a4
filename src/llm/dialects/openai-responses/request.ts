/** The request of OpenAI Responses, `POST /v1/responses`, and the neutral one, both ways. */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { Findings, readFlag, readLimit, readList, readModel, readString } from '../openai/body.ts';
import { readTools, writeTool } from '../openai/tools.ts';
import { readItems, writeItems } from './items.ts';

/** Parameters of the API: those that are read here, and those without a meaning for a scripted model. */
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

/** What stands for turns that the server has kept; here are none. */
const remembered = ['previous_response_id', 'conversation'] as const;

/**
 * Reads a request. Refused, as the API does: no model, no input, a call without its output, an output without its call
 * (unless the call may be in a turn that the server is said to know). The counting endpoint wants neither model nor input.
 * Other fields than the API's, and those that ask
 * for what is not kept here, are noted in `unknown`.
 */
export function readRequest(
  body: Json,
  _headers: HeaderFields = {},
  path?: string,
): Result<LlmRequest, Refused> {
  const findings = new Findings();
  if (!isJsonObject(body)) {
    findings.refuse('', 'We could not parse the JSON body of your request: expected an object.');
    return findings.result(emptyRequest);
  }
  findings.ignoreOthers(body, known, '');
  const counting = path === countPath;
  const model = counting && (body['model'] ?? null) === null ? '' : readModel(body, findings);
  const { instructions: system = null } = body;
  const maxTokens = readLimit(body['max_output_tokens'], 'max_output_tokens', findings);
  const continued = counting || remembered.some((field) => (body[field] ?? null) !== null);
  return findings.result({
    dialect: 'openai-responses',
    model,
    ...(system === null ? {} : { system: readString(system, 'instructions', findings) }),
    messages: readInput(body, continued, findings),
    tools: readTools(body['tools'], 'flat', findings),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    stream: readFlag(body['stream'], 'stream', findings),
    includeUsage: true,
  });
}

const emptyRequest: LlmRequest = {
  dialect: 'openai-responses',
  model: '',
  messages: [],
  tools: [],
  stream: false,
  includeUsage: true,
};

/** `input` is a text of the user, or a list of items. */
function readInput(body: JsonObject, continued: boolean, findings: Findings): LlmRequest['messages'] {
  const { input = null } = body;
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const list = input === null ? [] : readList(input, 'input', findings);
  if (list.length === 0 && !continued)
    findings.refuse(
      'input',
      "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
    );
  return readItems(list, continued, findings);
}

/**
 * Writes a request. What Responses has no word for is left out: stop sequences, whether a result was an error, and
 * `eager`. Nothing is left to the server to keep: thoughts go back
 * encrypted, as they came.
 */
export function writeRequest(request: LlmRequest): WireRequest {
  const { model, system, messages, tools, maxTokens, stream } = request;
  // Models that do not think refuse to be asked for it; one that has signed a thought does think.
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
