/**
 * The words of Gemini's Interactions API: the statuses of an interaction (`InteractionStatus` of @google/genai 3.3), and its error
 * codes ("Gemini API: API errors"; a code that is not in the table is the name of the HTTP status).
 */
import type { StopReason } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';

/** The status of an interaction that ended so. The API has no words of its own for stop sequences, refusals and filters. */
const statusWords: { readonly [R in StopReason]: string } = {
  end_turn: 'completed',
  stop_sequence: 'completed',
  refusal: 'completed',
  tool_use: 'requires_action',
  max_tokens: 'incomplete',
  context_window: 'incomplete',
  pause_turn: 'requires_continuation',
  content_filter: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  unknown: 'unknown',
};

/** The stop reason of each status that ends an interaction. `failed` is an error. */
const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['completed', 'end_turn'],
  ['requires_action', 'tool_use'],
  ['incomplete', 'max_tokens'],
  // The budget of an agent's output is a limit, too.
  ['budget_exceeded', 'max_tokens'],
  // "stops at the per-request decode token limit"; a further request has its continuation_token.
  ['requires_continuation', 'pause_turn'],
  ['cancelled', 'cancelled'],
]);

/** The statuses of an interaction that goes on. */
export const goesOn: ReadonlySet<string> = new Set(['in_progress', 'queued']);

/** The status of an interaction that failed. */
export const failedWord = 'failed';

/** The status of a stop reason. */
export const statusWord = (reason: StopReason): string => statusWords[reason];

/** The stop reason of a status; undefined for an unknown one, and for one that ends nothing. */
export const stopReasonOf = (status: string): StopReason | undefined => stopReasons.get(status);

/** An error, in the kit's word: its code, and its HTTP status. */
interface ErrorRow {
  readonly type: string;
  readonly code: string;
  readonly status: number;
}

const errors: readonly ErrorRow[] = [
  { type: 'invalid_request', code: 'invalid_request', status: 400 },
  { type: 'authentication', code: 'authentication', status: 401 },
  { type: 'billing', code: 'payment_required', status: 402 },
  { type: 'permission', code: 'permission_denied', status: 403 },
  { type: 'not_found', code: 'not_found', status: 404 },
  { type: 'rate_limit', code: 'rate_limit_exceeded', status: 429 },
  { type: 'server', code: 'internal_server_error', status: 500 },
  { type: 'overloaded', code: 'service_unavailable', status: 503 },
  { type: 'timeout', code: 'gateway_timeout', status: 504 },
  // It has no code of its own.
  { type: 'context_overflow', code: 'invalid_request', status: 400 },
];

/** Further codes, which the kit reads. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['model_not_found', 'not_found'],
  ['quota_exceeded', 'rate_limit'],
]);

/** Any other error. */
const otherError = { code: 'internal_server_error', status: 500 } as const;

/** The code of an error, and its HTTP status. */
export function errorCode({ type, status }: ProviderError): {
  readonly code: string;
  readonly status: number;
} {
  const known = errors.find((row) => row.type === type) ?? otherError;
  return { code: known.code, status: status ?? known.status };
}

/** The kit's word for a code; an unknown one stays unchanged. */
export const errorType = (code: string): string =>
  errors.find((row) => row.code === code)?.type ?? otherTypes.get(code) ?? code;

/** The codes after which another attempt may help. */
export const retriedCodes: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'internal_server_error',
  'service_unavailable',
  'gateway_timeout',
]);

/** The events of a stream that say something. A decoder passes over others. */
export const knownEvents: ReadonlySet<string> = new Set([
  'interaction.created',
  'interaction.status_update',
  'interaction.completed',
  'step.start',
  'step.delta',
  'step.stop',
  'error',
]);
