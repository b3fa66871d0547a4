/** What an LM Studio server sends: the envelopes of a connection, around what its channels and calls say. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GenerationEnd, ProviderError, Unit } from '../../messages.ts';
import { serializedError } from './words.ts';

/**
 * A unit of the renderer, for its channel. An error is no message of a channel: it gets the envelope `channelError`.
 *
 * @example
 * wrap(7, { data: { type: 'toolCallGenerationStart' } }); // { type: 'channelSend', channelId: 7, message: { type: 'toolCallGenerationStart' } }
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
 * What follows the last unit of a generation: `channelClose`, and nothing after an error, which closed the channel. A
 * signal that is missing leaves a channel that closes without `success`.
 */
export const channelEnd = (channelId: number, end: GenerationEnd): readonly JsonObject[] =>
  end.error === undefined ? [closeChannel(channelId)] : [];

/** The result of a call; absent for calls that give none, as `undefined` is not JSON. */
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

/** The kinds of communication warnings that are sent here; the SDK knows more. */
export type WarningKind =
  | 'unknown'
  | 'channelUnknown'
  | 'channelAlreadyOpen'
  | 'channelMessageTypeError'
  | 'rpcParameterTypeError'
  | 'signalEndpointUnknown';

/** Tells the peer that it sent something odd; the connection goes on. */
export const communicationWarning = (warning: string, kind: WarningKind): JsonObject => ({
  type: 'communicationWarning',
  warning,
  kind,
});
