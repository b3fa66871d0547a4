/** Errors of the HTTP dialects: hints for retrying, and the statuses that are worth a retry. */
import type { ClientError, ProviderError } from '../../messages.ts';
import type { HeaderFields } from './dialect.ts';

/**
 * The header fields with a provider's hints for a retry: `retry-after` (seconds), `retry-after-ms`, `x-should-retry`.
 *
 * @example
 * retryHeaders({ type: 'overloaded', message: 'busy', retryAfter: 2 }); // { 'retry-after': '2' }
 */
export function retryHeaders(error: ProviderError): HeaderFields {
  return {
    ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
    ...(error.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(error.retryAfterMs) }),
    ...(error.shouldRetry === undefined ? {} : { 'x-should-retry': String(error.shouldRetry) }),
  };
}

/**
 * Whether a status is worth a retry: 408, 409, 429 and from 500 on, as the providers' own clients have it.
 *
 * @example
 * [400, 409, 429, 529].map(retryableStatus); // [false, true, true, true]
 */
export const retryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

/** The text of an error: its neutral type where it has one, and its message. */
export interface ErrorText {
  readonly type?: string;
  readonly message: string;
}

/** The error of an HTTP response, by its status, its hints, and the text in its body. */
export function httpError(status: number, headers: HeaderFields, text: ErrorText): ClientError {
  const retryAfterMs = retryAfterOf(headers);
  const should = headers['x-should-retry'];
  return {
    kind: 'provider',
    ...text,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    retryable: should === 'true' || (should !== 'false' && retryableStatus(status)),
  };
}

/** The more precise hint is used. A date in `retry-after` is ignored: there is no clock here. */
function retryAfterOf(headers: HeaderFields): number | undefined {
  const ms = amount(headers['retry-after-ms']);
  const seconds = amount(headers['retry-after']);
  return ms ?? (seconds === undefined ? undefined : seconds * 1000);
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : undefined;
}
