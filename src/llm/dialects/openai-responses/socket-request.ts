/** The messages of a client on a WebSocket of Responses, both ways: `response.create`, with the members of a body on HTTP. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { badLane } from './socket-errors.ts';
import type { SocketRefusal } from './socket-errors.ts';

/** A request, as far as the connection needs it. */
export interface SocketCreate {
  /** The lane, where the client names one. */
  readonly lane: string | undefined;
  /** Whether an answer is wanted; false prepares the next request only. */
  readonly generates: boolean;
  /** The response that it continues. */
  readonly previous: string | undefined;
  /** Whether the response may be found again on another connection. */
  readonly stored: boolean;
  /** The body as on HTTP, without the members of this transport. */
  readonly body: JsonObject;
}

/** How a request goes out on a WebSocket. */
export interface CreateOptions {
  /** The response that it continues. */
  readonly previous?: string | undefined;
  /** False: it wants no answer yet. */
  readonly generate?: false;
}

/** The message of a request with this body, which has no `stream`. */
export const createMessage = (body: JsonObject, { previous, generate }: CreateOptions): JsonObject => ({
  type: 'response.create',
  ...body,
  ...(generate === undefined ? {} : { generate }),
  ...(previous === undefined ? {} : { previous_response_id: previous }),
});

/** A message that was read; `other` needs no answer. */
export type SocketMessage =
  | { readonly create: SocketCreate }
  | { readonly refusal: SocketRefusal; readonly lane?: string | undefined }
  | 'other';

/** A lane's name (OpenAI, WebSocket mode, invalid_stream_id). */
const laneName = /^[A-Za-z0-9_.-]{1,256}$/;

/** Reads a message. Its stream is implicit (openai 7.59, ResponsesClientEvent). */
export function readMessage(message: Json): SocketMessage {
  if (!isObject(message)) return refused('Expected a JSON object with a type.');
  const { type, stream_id: lane, generate, previous_response_id: previous = null, ...body } = message;
  // codex reports a response that it has processed (openai/codex, ResponseProcessedWsRequest). Nothing answers it.
  if (type === 'response.processed') return 'other';
  if (type !== 'response.create') return refused('Expected a message of the type response.create.', 'type');
  if (lane !== undefined && (typeof lane !== 'string' || !laneName.test(lane))) return { refusal: badLane };
  if (previous !== null && typeof previous !== 'string')
    return refused("'previous_response_id' must be a string.", 'previous_response_id', lane);
  return {
    create: {
      lane,
      generates: generate !== false,
      previous: previous ?? undefined,
      stored: body['store'] !== false,
      body: { ...body, stream: true },
    },
  };
}

const refused = (message: string, param: string | null = null, lane?: string): SocketMessage => ({
  refusal: { code: null, message, param },
  lane,
});
