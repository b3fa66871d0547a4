/**
 * The client's side of a WebSocket on `/v1/responses`: it stays open for the exchanges of a turn, and a request that
 * continues the latest response has its new items only. Pure; the host dials.
 */
import { isObject, jsonOf } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Metadata } from '../../../kit/base/index.ts';
import type { Decoded, LlmMessage, LlmRequest, LlmResponse } from '../../messages.ts';
import type { Conversation, KeptConnection } from '../shared/conversation.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { joinUrl } from '../shared/join-url.ts';
import { wellFormedJson } from '../shared/lone-surrogate.ts';
import { messageDecoder } from './decode.ts';
import { writeRequest } from './request.ts';
import { createMessage } from './socket-request.ts';

/** The response that the next request can continue: it is the latest, and the connection keeps its items. */
export interface LatestResponse {
  readonly id: string;
  /** The messages that led to it. */
  readonly asked: readonly LlmMessage[];
  readonly response: LlmResponse;
}

/** Options of a connection. */
export interface ResponsesConnectionOptions {
  /** Whether the first request of the connection prepares the next one, and wants no answer (`generate: false`). */
  readonly warmsUp?: boolean;
}

/** A WebSocket of Responses, for one turn. */
export class ResponsesConnection implements KeptConnection {
  isOpen = false;
  #latest: LatestResponse | undefined;
  readonly #warmsUp: boolean;

  constructor({ warmsUp = false }: ResponsesConnectionOptions = {}) {
    this.#warmsUp = warmsUp;
  }

  /** Undefined: the next request has the whole conversation. */
  get latest(): LatestResponse | undefined {
    return this.#latest;
  }

  /** An exchange is over: its response, or undefined after an error. */
  remember(latest: LatestResponse | undefined): void {
    this.#latest = latest;
  }

  opened(): void {
    this.isOpen = true;
  }

  /**
   * What was not stored is lost with its connection: the next request has the whole conversation (OpenAI, WebSocket mode,
   * Reconnect and recover).
   */
  lost(): void {
    this.isOpen = false;
    this.remember(undefined);
  }

  readonly converse: KeptConnection['converse'] = (request, baseUrl, headers) => {
    const warm = this.#warmsUp && !this.isOpen;
    return new SocketConversation(this, request, socketMetadata(baseUrl, headers), warm);
  };
}

/** The head of the WebSocket, with the header that codex sends (openai/codex, core/src/client.rs). */
const socketMetadata = (baseUrl: string, headers: HeaderFields): Metadata => ({
  ':carrier': 'ws',
  ':method': 'GET',
  ':path': '/v1/responses',
  ':url': joinUrl(baseUrl, '/v1/responses').replace(/^http/, 'ws'),
  'openai-beta': 'responses_websockets=2026-02-06',
  ...headers,
});

const bytesOf = (message: JsonObject): Uint8Array => Buffer.from(wellFormedJson(message));

/** One response on the connection. */
class SocketConversation implements Conversation {
  readonly metadata: Metadata;
  readonly first: readonly Uint8Array[];
  readonly closes = false;
  readonly endsItself = false;
  readonly joins: boolean;
  keeps = false;
  readonly #connection: ResponsesConnection;
  readonly #request: LlmRequest;
  readonly #decoder = messageDecoder();
  /** The id of the response, once it has begun. */
  #id: string | undefined;
  #warming: boolean;

  constructor(connection: ResponsesConnection, request: LlmRequest, metadata: Metadata, warms: boolean) {
    this.#connection = connection;
    this.#request = { ...request, messages: [...request.messages] };
    this.metadata = metadata;
    this.joins = connection.isOpen;
    this.#warming = warms;
    this.first = [warms ? this.#warmUp() : this.#create()];
  }

  get done(): boolean {
    return this.#decoder.done;
  }

  /** The headers of a WebSocket say nothing. */
  headers(): void {}

  take(chunk: Uint8Array): ReturnType<Conversation['take']> {
    const event = parsed(chunk);
    const response = event['response'];
    if (isObject(response) && typeof response['id'] === 'string') this.#id = response['id'];
    const { type } = event;
    if (!this.#warming || type === 'error' || type === 'response.failed')
      return { send: [], events: this.#decoder.push(chunk) };
    if (type !== 'response.completed') return { send: [], events: [] };
    this.#warming = false;
    return { send: [this.#create(this.#id)], events: [] };
  }

  /** Nothing cancels a response of a WebSocket but its end. */
  cancel(): readonly Uint8Array[] {
    return [];
  }

  /** After an error the provider has forgotten the response that was continued, so the connection is of no more use. */
  end(how: 'clean' | 'reset'): Decoded {
    const decoded = this.#decoder.end(how);
    const id = this.#id;
    this.keeps = this.#decoder.done && decoded.error === undefined && id !== undefined;
    const latest = { asked: this.#request.messages, response: decoded.response };
    this.#connection.remember(this.keeps && id !== undefined ? { id, ...latest } : undefined);
    return decoded;
  }

  #warmUp(): Uint8Array {
    return bytesOf(createMessage(bodyOf({ ...this.#request, messages: [] }), { generate: false }));
  }

  /** The request with its new items, or with all. `previous`: the response to the request that prepared this one. */
  #create(previous?: string): Uint8Array {
    const { latest } = this.#connection;
    const fresh = latest === undefined ? undefined : messagesAfter(latest, this.#request.messages);
    if (latest === undefined || fresh === undefined)
      return bytesOf(createMessage(bodyOf(this.#request), { previous }));
    return bytesOf(createMessage(bodyOf({ ...this.#request, messages: fresh }), { previous: latest.id }));
  }
}

/** The stream of a message on a WebSocket is implied. */
function bodyOf(request: LlmRequest): JsonObject {
  const { stream: _, ...body } = writeRequest(request).body;
  return body;
}

/** The messages after the latest response. Undefined where they do not continue it, or where there are none. */
function messagesAfter(
  { asked, response }: LatestResponse,
  messages: readonly LlmMessage[],
): readonly LlmMessage[] | undefined {
  const before = messages.slice(0, asked.length);
  const [answer, ...fresh] = messages.slice(asked.length);
  if (answer === undefined || fresh.length === 0 || !isSame(before, asked)) return undefined;
  const { content, toolCalls = [] } = answer;
  const continues =
    answer.role === 'assistant' && content === response.content && isSame(toolCalls, response.toolCalls);
  return continues ? fresh : undefined;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A message as an object; one of another form has no members. */
function parsed(chunk: Uint8Array): JsonObject {
  try {
    const value: Json = jsonOf(Buffer.from(chunk).toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
