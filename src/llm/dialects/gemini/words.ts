/** Gemini's words: its finish reasons (`FinishReason` of @google/genai 3.3), reasons of blocked prompts, and error statuses. */
import type { StopReason } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';

/** The finish reason of a stop reason. Gemini has no word for tool use: it says STOP. */
const finishWords: { readonly [R in StopReason]: string } = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  stop_sequence: 'STOP',
  pause_turn: 'CONTINUATION',
  max_tokens: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'PROHIBITED_CONTENT',
  cancelled: 'OTHER',
  error: 'OTHER',
  unknown: 'FINISH_REASON_UNSPECIFIED',
};

/** The stop reason of each finish reason. STOP beside calls means tool use; see {@link stopReasonOf}. */
const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['STOP', 'end_turn'],
  ['MAX_TOKENS', 'max_tokens'],
  // "generation is not yet complete. The model response can be continued via a subsequent request".
  ['CONTINUATION', 'pause_turn'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['LANGUAGE', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['ESCALATION', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['PUP_LIMITED_DISABLED', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['NO_IMAGE', 'error'],
  ['IMAGE_OTHER', 'error'],
  ['OTHER', 'unknown'],
  ['FINISH_REASON_UNSPECIFIED', 'unknown'],
]);

/** The reason of a blocked prompt, which the kit plays. */
export const blockedWord = 'SAFETY';

/** The finish reason of a stop reason. */
export const finishWord = (reason: StopReason): string => finishWords[reason];

/**
 * The stop reason of a word; undefined for an unknown word.
 *
 * @param called - whether the answer calls functions
 * @example
 * stopReasonOf('STOP', true); // 'tool_use'
 */
export function stopReasonOf(word: string, called: boolean): StopReason | undefined {
  const reason = stopReasons.get(word);
  return reason === 'end_turn' && called ? 'tool_use' : reason;
}

const statuses: readonly { readonly type: string; readonly word: string; readonly status: number }[] = [
  { type: 'invalid_request', word: 'INVALID_ARGUMENT', status: 400 },
  { type: 'authentication', word: 'UNAUTHENTICATED', status: 401 },
  { type: 'permission', word: 'PERMISSION_DENIED', status: 403 },
  { type: 'not_found', word: 'NOT_FOUND', status: 404 },
  { type: 'conflict', word: 'ABORTED', status: 409 },
  { type: 'rate_limit', word: 'RESOURCE_EXHAUSTED', status: 429 },
  { type: 'server', word: 'INTERNAL', status: 500 },
  { type: 'overloaded', word: 'UNAVAILABLE', status: 503 },
  { type: 'timeout', word: 'DEADLINE_EXCEEDED', status: 504 },
  // It has no word of its own: its message says that there are too many input tokens.
  { type: 'context_overflow', word: 'INVALID_ARGUMENT', status: 400 },
];

/** The word of any other error. */
const otherError = { word: 'UNKNOWN', status: 500 } as const;

/** The status of an error, in words and as a number. */
export function errorStatus({ type, status }: ProviderError): {
  readonly word: string;
  readonly status: number;
} {
  const known = statuses.find((row) => row.type === type) ?? otherError;
  return { word: known.word, status: status ?? known.status };
}

/** The neutral word for the status of an error; an unknown status stays unchanged. */
export const errorType = (word: string): string => statuses.find((row) => row.word === word)?.type ?? word;
