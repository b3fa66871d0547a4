/** The messages of an LM Studio server: the envelopes of a connection around the messages of its channels and calls. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GenerationEnd, ProviderError, Unit } from '../../messages.ts';
import { serializedError } from './words.ts';

/**
 * A unit of the renderer, for its channel. An error is not a message of a channel: it gets the envelope `channelError`.
 *
 * @example
 * const data = { type: 'toolCallGenerationStart' };
 * wrap(7, { data }); // { type: 'channelSend', channelId: 7, message: { type: 'toolCallGenerationStart' } }
 */
export function wrap(channelId: number, unit: Unit): JsonObject {
  const { data } = unit;
  if (!isObject(data) || data['type'] !== 'channelError')
    return { type: 'channelSend', channelId, message: data };
  return { ...data, channelId };
}

/** The end of a channel, after `success` (LLM-S02). */
export const closeChannel = (channelId: number): JsonObject => ({ type: 'channelClose', channelId });

/** The end of a channel with an error; nothing of the channel follows it, not even `channelClose`. */
export const channelError = (channelId: number, error: ProviderError): JsonObject => ({
  type: 'channelError',
  channelId,
  error: serializedError(error),
});

/**
 * The messages after the last unit of a generation: `channelClose`, or nothing after an error, which closed the
 * channel. With a missing signal the channel closes without `success`.
 */
export const channelEnd = (channelId: number, end: GenerationEnd): readonly JsonObject[] =>
  end.error === undefined ? [closeChannel(channelId)] : [];

/** The result of a call; absent where it is undefined, which is not JSON. */
export const rpcResult = (callId: number, result?: Json): JsonObject => ({
  type: 'rpcResult',
  callId,
  ...(result === undefined ? {} : { result }),
});

/** A call that failed. */
export const rpcError = (callId: number, error: ProviderError): JsonObject => ({
  type: 'rpcError',
  callId,
  error: serializedError(error),
});

/** The kinds of communication warnings that are sent here; the SDK has more. */
export type WarningKind =
  | 'unknown'
  | 'channelUnknown'
  | 'channelAlreadyOpen'
  | 'channelMessageTypeError'
  | 'rpcParameterTypeError'
  | 'signalEndpointUnknown';

/** Warns the peer about an odd message; the connection stays open. */
export const communicationWarning = (warning: string, kind: WarningKind): JsonObject => ({
  type: 'communicationWarning',
  warning,
  kind,
});
