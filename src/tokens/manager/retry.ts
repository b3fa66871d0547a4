/** When a request that failed is tried again, and after how long (TOK-43, TOK-44). */

/** The kinds of failures of a request. */
export const failureKinds = ['network', 'http', 'overflow', 'aborted', 'stream'] as const;

/** Why a request failed. */
export interface ProviderFailure {
  /**
   * `network`: nothing came; `http`: an error came, with its status; `overflow`: the prompt is longer than the window;
   * `aborted`: the user ended it; `stream`: it broke after output had begun.
   */
  readonly kind: (typeof failureKinds)[number];
  /** The HTTP status, where there is one. */
  readonly status?: number;
  /** The provider's hint, in ms. */
  readonly retryAfter?: number;
}

/** Randomness for delays: a seeded `Random` of the kit is one. */
export interface Jitter {
  /** A float in [0, 1). */
  next(): number;
}

/** Attempts at one request (TOK-43). */
export const MAX_ATTEMPTS = 10;

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;
const JITTER = 0.1;

/**
 * Whether a failure is retried: of the network, 408, 409, 429 and 5xx; never an abort, another status, or a stream that
 * had begun (TOK-44). An overflow is not tried again as it was (TOK-45).
 *
 * @example
 * isRetryable({ kind: 'http', status: 529 }); // true
 * isRetryable({ kind: 'http', status: 404 }); // false
 */
export function isRetryable({ kind, status = 0 }: ProviderFailure): boolean {
  if (kind === 'network') return true;
  return (
    kind === 'http' && (status === 408 || status === 409 || status === 429 || (status >= 500 && status < 600))
  );
}

/**
 * The delay before the next attempt, in ms: min(1 s · 2^(attempts − 1), 30 s), ±10 % when there is randomness; a hint of
 * the provider is taken as it is (TOK-43).
 *
 * @param attempts made so far, from 1
 * @example
 * retryDelay(1, { kind: 'network' }); // 1000
 * retryDelay(6, { kind: 'network' }); // 30000
 * retryDelay(1, { kind: 'http', status: 429, retryAfter: 60000 }); // 60000
 */
export function retryDelay(attempts: number, { retryAfter }: ProviderFailure, random?: Jitter): number {
  if (retryAfter !== undefined && Number.isFinite(retryAfter) && retryAfter >= 0) return retryAfter;
  const delay = Math.min(FIRST_DELAY * 2 ** (Math.max(1, attempts) - 1), LONGEST_DELAY);
  return random === undefined ? delay : Math.round(delay * (1 - JITTER + 2 * JITTER * random.next()));
}
