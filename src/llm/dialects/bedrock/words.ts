/**
 * Bedrock's words: the stop reasons and the exceptions of `@aws-sdk/client-bedrock-runtime` 3.1164, in streams and before
 * them, with the statuses of "Actions" in the API reference.
 */
import type { StopReason } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';

/** The word for a stop reason. Bedrock has no words for a pause and for a refusal of the model. */
const stopWords: { readonly [R in StopReason]: string } = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  content_filter: 'content_filtered',
  refusal: 'content_filtered',
  pause_turn: 'end_turn',
  context_window: 'model_context_window_exceeded',
  cancelled: 'end_turn',
  error: 'malformed_model_output',
  unknown: 'unknown',
};

const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['end_turn', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['model_context_window_exceeded', 'context_window'],
  ['malformed_tool_use', 'error'],
  ['malformed_model_output', 'error'],
]);

/** The word on the wire for a stop reason. */
export const stopWord = (reason: StopReason): string => stopWords[reason];

/** The stop reason of a word; undefined for an unknown word. */
export const stopReasonOf = (word: string): StopReason | undefined => stopReasons.get(word);

/** An error, in the kit's word, before a stream and in it. */
interface ErrorRow {
  readonly type: string;
  readonly word: string;
  readonly status: number;
  /** The exception in a stream. Five of them are modeled. */
  readonly inStream: string;
}

const errors: readonly ErrorRow[] = [
  {
    type: 'invalid_request',
    word: 'ValidationException',
    status: 400,
    inStream: 'validationException',
  },
  {
    type: 'permission',
    word: 'AccessDeniedException',
    status: 403,
    inStream: 'modelStreamErrorException',
  },
  {
    type: 'not_found',
    word: 'ResourceNotFoundException',
    status: 404,
    inStream: 'modelStreamErrorException',
  },
  {
    type: 'timeout',
    word: 'ModelTimeoutException',
    status: 408,
    inStream: 'modelStreamErrorException',
  },
  {
    type: 'rate_limit',
    word: 'ThrottlingException',
    status: 429,
    inStream: 'throttlingException',
  },
  {
    type: 'server',
    word: 'InternalServerException',
    status: 500,
    inStream: 'internalServerException',
  },
  {
    type: 'overloaded',
    word: 'ServiceUnavailableException',
    status: 503,
    inStream: 'serviceUnavailableException',
  },
  // These have no exceptions of their own.
  {
    type: 'authentication',
    word: 'AccessDeniedException',
    status: 403,
    inStream: 'modelStreamErrorException',
  },
  {
    type: 'context_overflow',
    word: 'ValidationException',
    status: 400,
    inStream: 'validationException',
  },
];

/** Further exceptions, which the kit reads. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['ModelNotReadyException', 'rate_limit'],
  ['ServiceQuotaExceededException', 'rate_limit'],
  ['ModelErrorException', 'server'],
  ['ModelStreamErrorException', 'server'],
]);

/** Any other error. */
const otherError = { word: 'ModelErrorException', status: 424 } as const;

/** The exception before a stream, and its HTTP status. */
export function exceptionOf({ type, status }: ProviderError): {
  readonly word: string;
  readonly status: number;
} {
  const known = errors.find((row) => row.type === type) ?? otherError;
  return { word: known.word, status: status ?? known.status };
}

/** The exception in a stream. */
export const streamException = ({ type }: ProviderError): string =>
  errors.find((row) => row.type === type)?.inStream ?? 'modelStreamErrorException';

/** The kit's word for an exception, before a stream or in it; an unknown one stays unchanged. */
export function errorType(word: string): string {
  const capital = word.slice(0, 1).toUpperCase() + word.slice(1);
  return errors.find((row) => row.word === capital)?.type ?? otherTypes.get(capital) ?? word;
}

/** The exceptions whose documents say to send the request again ("Retry your request", "Resubmit your request later"). */
export const retriedExceptions: ReadonlySet<string> = new Set([
  'internalServerException',
  'modelStreamErrorException',
  'serviceUnavailableException',
  'throttlingException',
]);

/** The events of a stream that say something. A decoder passes over others. */
export const knownEvents: ReadonlySet<string> = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
]);
