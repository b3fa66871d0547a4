/** Which failed requests are tried again, and after which delay (TOK-43, TOK-44). */

/** The kinds of failures of a request. */
export const failureKinds = ['network', 'http', 'overflow', 'aborted', 'stream'] as const;

/** Why a request failed. */
export interface ProviderFailure {
  /**
   * `network`: no answer; `http`: an answer with an error status; `overflow`: the prompt is longer than the window;
   * `aborted`: the user ended the request; `stream`: the answer broke off after output had begun.
   */
  readonly kind: (typeof failureKinds)[number];
  /** The HTTP status, if any. */
  readonly status?: number;
  /** The delay that the provider asks for, in ms. */
  readonly retryAfter?: number;
}

/** Randomness for delays: a seeded `Random` of the kit is one. */
export interface Jitter {
  /** A float in [0, 1). */
  next(): number;
}

/** The maximum of attempts at one request (TOK-43). */
export const MAX_ATTEMPTS = 10;

const firstDelay = 1000;
const maxDelay = 30_000;
const jitter = 0.1;

/**
 * Whether to retry a failure: a network failure, 408, 409, 429 or 5xx; never an abort, another status, or a stream that
 * broke off (TOK-44). An overflow is not retried unchanged (TOK-45).
 *
 * @example
 * isRetryable({ kind: 'http', status: 529 }); // true
 * isRetryable({ kind: 'http', status: 404 }); // false
 */
export function isRetryable({ kind, status = 0 }: ProviderFailure): boolean {
  const isRetried = [408, 409, 429].includes(status) || (status >= 500 && status < 600);
  return kind === 'network' || (kind === 'http' && isRetried);
}

/**
 * The delay before the next attempt, in ms: min(1 s · 2^(attempts − 1), 30 s), ±10 % with `random`. A delay that the
 * provider asks for is used unchanged (TOK-43).
 *
 * @param attempts the number of attempts so far, from 1
 * @example
 * retryDelay(1, { kind: 'network' }); // 1000
 * retryDelay(6, { kind: 'network' }); // 30000
 * retryDelay(1, { kind: 'http', status: 429, retryAfter: 60000 }); // 60000
 */
export function retryDelay(attempts: number, { retryAfter }: ProviderFailure, random?: Jitter): number {
  if (retryAfter !== undefined && Number.isFinite(retryAfter) && retryAfter >= 0) return retryAfter;
  const delay = Math.min(firstDelay * 2 ** (Math.max(1, attempts) - 1), maxDelay);
  return random === undefined ? delay : Math.round(delay * (1 - jitter + 2 * jitter * random.next()));
}
