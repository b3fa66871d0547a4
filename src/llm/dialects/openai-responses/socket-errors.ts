/** The errors on a WebSocket of Responses, and the lanes in which its messages come. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';
import { errorBody } from '../openai/errors.ts';
import type { ErrorObject } from '../openai/errors.ts';

/** A refusal of the connection itself, with the members of OpenAI's errors. */
export interface SocketRefusal extends Pick<ErrorObject, 'message' | 'code'> {
  readonly param: string | null;
}

/** The most lanes with a name on one connection (OpenAI, WebSocket mode, Errors to handle). */
export const mostLanes = 32;

/** The refusal of a name (OpenAI, WebSocket mode, Errors to handle). */
export const badLane: SocketRefusal = {
  code: 'invalid_stream_id',
  message:
    "The 'stream_id' field must be a non-empty string with at most 256 characters and may only contain letters, numbers, underscores, hyphens, and periods.",
  param: 'stream_id',
};

/** The refusal of one lane more than a connection has. */
export const tooManyLanes: SocketRefusal = {
  code: 'websocket_stream_limit_reached',
  message: `This WebSocket connection has reached its maximum number of distinct stream IDs (${mostLanes}). Reuse an existing stream_id or open a new WebSocket connection.`,
  param: 'stream_id',
};

/** The refusal of a response that the connection does not know. */
export const unknownResponse = (id: string): SocketRefusal => ({
  code: 'previous_response_not_found',
  message: `Previous response with id '${id}' not found.`,
  param: 'previous_response_id',
});

const inLane = (lane: string | undefined): JsonObject => (lane === undefined ? {} : { stream_id: lane });

/** The message of a refusal. */
export const refusalMessage = (refusal: SocketRefusal, lane: string | undefined): JsonObject => ({
  type: 'error',
  status: 400,
  ...inLane(lane),
  error: { type: 'invalid_request_error', ...refusal },
});

/** The message of an error that comes instead of a response. codex reads the hints for a retry in `headers`. */
export function errorMessage(error: ProviderError, lane: string | undefined): JsonObject {
  const { status, headers, body } = errorBody(error, '');
  const { 'x-request-id': _, ...hints } = headers;
  const more = Object.keys(hints).length === 0 ? {} : { headers: hints };
  return { type: 'error', status, ...inLane(lane), ...body, ...more };
}

/** An event of a response in its lane. */
export const eventInLane = (event: JsonObject, lane: string | undefined): JsonObject => ({
  ...event,
  ...inLane(lane),
});
