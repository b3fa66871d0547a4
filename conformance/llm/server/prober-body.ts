/** The bodies of the prober's requests, and the ids of the responses that they continue. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { dialectOf } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { withModelPath } from './model-lists.ts';
import type { SocketAsk } from './prober-socket.ts';
import { demanding } from './prompts.ts';

/** What the prober knows of the server. */
interface Known {
  readonly model: string | undefined;
  /** The id of the latest response of OpenAI Responses over HTTP. */
  readonly latest: string | undefined;
}

/** A request of a scenario. */
export interface ProberRequest {
  readonly dialect: DialectName;
  /** A neutral request. The prober fills in the dialect, and the model unless one is named. */
  readonly request?: Partial<LlmRequest>;
  /** Whether to ask the counting endpoint. */
  readonly count?: true;
  /** Whether the request demands a call, where its dialect can say so. */
  readonly forced?: true;
  /** Members that the body gets besides those of its dialect. */
  readonly with?: JsonObject;
  /** OpenAI Responses over HTTP: whether it continues the latest response. */
  readonly continues?: true;
  /** A raw body instead of a request. The prober adds a model if the body has none. */
  readonly body?: JsonObject;
  /** Another path than that of the dialect. */
  readonly path?: string;
  /** `keep`: the connection stays open for the next request that says so; `last`: it is closed after this one. */
  readonly connection?: 'keep' | 'last';
  /** OpenAI Responses: asks on the WebSocket, which stays open. */
  readonly socket?: SocketAsk;
  /** LM Studio: raw messages, sent in order without waiting for answers. */
  readonly messages?: readonly JsonObject[];
}

/** The model of requests when the server lists none. */
const anyModel = 'wireproof-1';

/** The neutral request. */
export function requestOf(state: Known, { dialect, request }: ProberRequest): LlmRequest {
  const plain = { messages: [], tools: [], stream: true, includeUsage: true };
  return { ...plain, model: state.model ?? anyModel, ...request, dialect };
}

/** The path of the counting endpoint. */
export function countPathOf(request: LlmRequest, own: string): string {
  const { count } = dialectOf[request.dialect];
  return count?.pathOf?.(request) ?? count?.path ?? own;
}

/** A request for a count has no members about the answer. Gemini's count has the request inside. */
export function bodyOf(
  state: Known,
  { body, count, dialect, forced, with: more, continues }: ProberRequest,
  request: LlmRequest,
  written: JsonObject,
): JsonObject {
  if (body !== undefined)
    return withModelPath.has(dialect) ? body : { model: state.model ?? anyModel, ...body };
  const previous =
    continues === true && state.latest !== undefined ? { previous_response_id: state.latest } : {};
  if (count !== true)
    return { ...(forced === true ? demanding(written, dialect) : written), ...more, ...previous };
  if (dialect === 'gemini') return dialectOf[dialect].count?.body(request) ?? written;
  const { max_tokens: _, max_output_tokens: __, stream: ___, ...prompt } = written;
  return prompt;
}

/** The id of the response in an event or a body. */
export function responseId(data: Json): string | undefined {
  const response = isObject(data) ? (data['response'] ?? data) : undefined;
  return isObject(response) && response['object'] === 'response' && typeof response['id'] === 'string'
    ? response['id']
    : undefined;
}
