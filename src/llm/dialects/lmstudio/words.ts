/** The stop reasons, models and errors of LM Studio's protocol. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import type { ClientError, ProviderError } from '../../messages.ts';

/** `stats.stopReason` of each reason. LM Studio has no word for a refusal or a pause: the model just ended. */
export const stopWords: { readonly [R in StopReason]: string } = {
  end_turn: 'eosFound',
  tool_use: 'toolCalls',
  max_tokens: 'maxPredictedTokensReached',
  stop_sequence: 'stopStringFound',
  content_filter: 'eosFound',
  refusal: 'eosFound',
  pause_turn: 'eosFound',
  context_window: 'contextLengthReached',
  cancelled: 'userStopped',
  error: 'failed',
  // An unknown word, for scripts with an unknown reason.
  unknown: 'unknown',
};

/** The meaning of each `stats.stopReason` of the SDK's closed set. */
export const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['eosFound', 'end_turn'],
  ['toolCalls', 'tool_use'],
  ['maxPredictedTokensReached', 'max_tokens'],
  ['stopStringFound', 'stop_sequence'],
  ['contextLengthReached', 'context_window'],
  ['userStopped', 'cancelled'],
  ['modelUnloaded', 'error'],
  ['failed', 'error'],
]);

/** The context length of every model here (tokens). */
export const CONTEXT_LENGTH = 131072;

/** A downloaded model. */
export const modelInfo = (model: string): JsonObject => ({
  type: 'llm',
  modelKey: model,
  format: 'gguf',
  displayName: model,
  publisher: 'wireproof',
  path: model,
  sizeBytes: 0,
  indexedModelIdentifier: model,
  deviceIdentifier: null,
  vision: false,
  trainedForToolUse: true,
  maxContextLength: CONTEXT_LENGTH,
});

/** A loaded model. Its instance reference is its name, so that no table of instances is needed. */
export const instanceInfo = (model: string): JsonObject => ({
  ...modelInfo(model),
  identifier: model,
  instanceReference: model,
  ttlMs: null,
  lastUsedTime: null,
  contextLength: CONTEXT_LENGTH,
});

/** The model that a specifier names, by reference or query; empty for a query that fits any model. */
export function specifiedModel(specifier: Json | undefined): string | undefined {
  if (!isObject(specifier)) return undefined;
  if (specifier['type'] === 'instanceReference') return asText(specifier['instanceReference']);
  if (specifier['type'] !== 'query' || !isObject(specifier['query'])) return undefined;
  return asText(specifier['query']['identifier']) ?? asText(specifier['query']['path']) ?? '';
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * An error as LM Studio serializes it. The SDK shows `title`, or `rootTitle`, and complains about an error without
 * `stack`. `errorData` may hold anything; here it has the facts for a retry.
 */
export function serializedError(error: ProviderError): JsonObject {
  const { message, ...errorData } = error;
  return {
    title: message,
    rootTitle: message,
    cause: error.type,
    stack: `Error: ${message}`,
    errorData,
  };
}

/** The types of errors that may be gone at the next attempt. */
const passing: ReadonlySet<string> = new Set(['overloaded', 'rate_limit', 'server']);

/** The client's error from any serialized error; `untitled` is its message where it has no title. */
export function clientError(serialized: unknown, untitled = 'Unknown error'): ClientError {
  const error = isObject(serialized) ? serialized : {};
  const data = isObject(error['errorData']) ? error['errorData'] : {};
  const type = asText(data['type']);
  const retryAfterMs = milliseconds(data);
  return {
    kind: 'provider',
    message: asText(error['title']) ?? asText(error['rootTitle']) ?? untitled,
    ...(type === undefined ? {} : { type }),
    ...(typeof data['status'] === 'number' ? { status: data['status'] } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    retryable:
      typeof data['shouldRetry'] === 'boolean'
        ? data['shouldRetry']
        : type !== undefined && passing.has(type),
  };
}

function milliseconds(data: Record<string, unknown>): number | undefined {
  const { retryAfterMs, retryAfter } = data;
  if (typeof retryAfterMs === 'number' && retryAfterMs >= 0) return retryAfterMs;
  return typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter * 1000 : undefined;
}
