/** Anthropic's words: its stop reasons (llm.md, Anthropic), error types with their statuses, and names of events. */
import type { JsonObject, StopReason } from '../../../kit/base/index.ts';
import type { ClientError, ProviderError } from '../../messages.ts';

/**
 * "Stop reasons: end_turn, max_tokens, stop_sequence, tool_use, pause_turn, refusal, model_context_window_exceeded."
 */
const stopWords: { readonly [R in StopReason]: string } = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause_turn: 'pause_turn',
  context_window: 'model_context_window_exceeded',
  // The API has no words for these reasons: after an abort nothing is sent, and an error is a separate event.
  cancelled: 'end_turn',
  error: 'end_turn',
  unknown: 'unknown',
};

const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['end_turn', 'end_turn'],
  ['max_tokens', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['tool_use', 'tool_use'],
  ['pause_turn', 'pause_turn'],
  // With `pause_after_compaction` the client sends the answer back, and the model goes on.
  ['compaction', 'pause_turn'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context_window'],
  // TOK-40: "the published spellings … are accepted on input".
  ['max_output_tokens', 'max_tokens'],
  ['context_window_exceeded', 'context_window'],
]);

/** The word on the wire for a stop reason; reasons without a word become `refusal` or `end_turn`. */
export const stopWord = (reason: StopReason): string => stopWords[reason];

/** The stop reason of a word; undefined for an unknown word (LLM-C18). */
export const stopReasonOf = (word: string): StopReason | undefined => stopReasons.get(word);

const errorTypes: readonly { readonly type: string; readonly word: string; readonly status: number }[] = [
  { type: 'invalid_request', word: 'invalid_request_error', status: 400 },
  { type: 'authentication', word: 'authentication_error', status: 401 },
  { type: 'billing', word: 'billing_error', status: 402 },
  { type: 'permission', word: 'permission_error', status: 403 },
  { type: 'not_found', word: 'not_found_error', status: 404 },
  { type: 'conflict', word: 'conflict_error', status: 409 },
  { type: 'too_large', word: 'request_too_large', status: 413 },
  { type: 'rate_limit', word: 'rate_limit_error', status: 429 },
  { type: 'server', word: 'api_error', status: 500 },
  { type: 'timeout', word: 'timeout_error', status: 504 },
  { type: 'overloaded', word: 'overloaded_error', status: 529 },
  // It has no word of its own: its message says that the prompt is too long.
  { type: 'context_overflow', word: 'invalid_request_error', status: 400 },
];

/** The error object on the wire; an unknown type stays unchanged. */
export const errorObject = (error: ProviderError): JsonObject => ({
  type: errorTypes.find((row) => row.type === error.type)?.word ?? error.type,
  message: error.message,
  ...(error.details === undefined ? {} : { details: error.details }),
});

/** The HTTP status of an error that comes before the stream: its own, else that of its type. */
export const errorStatus = (error: ProviderError): number =>
  error.status ?? errorTypes.find((row) => row.type === error.type || row.word === error.type)?.status ?? 500;

/** The neutral word for an error type on the wire; an unknown word stays unchanged. */
export const errorType = (word: string): string => errorTypes.find((row) => row.word === word)?.type ?? word;

/** An error in mid-stream, after HTTP status 200: only its type says whether a retry may help. */
export function streamError(word: string, message: string): ClientError {
  const type = errorType(word);
  return { kind: 'provider', type, message, retryable: retryable.has(type) };
}

const retryable: ReadonlySet<string> = new Set(['overloaded', 'rate_limit', 'server', 'timeout', 'conflict']);

/** The events of a stream. A decoder passes over others. */
export const knownEvents: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);
