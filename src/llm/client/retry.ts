/** When a failed request is repeated, and after which delay (LLM-C09; the plan of tokens.md: TOK-43, TOK-44). */
import type { ClientError } from '../messages.ts';

/** Limits of retrying. */
export interface RetryPolicy {
  /** Requests in all, the first one included; 1 or more. */
  readonly attempts: number;
  /** The first delay (ms); each further one is twice as long. */
  readonly base: number;
  /** The longest delay, except one that the provider asks for (ms). */
  readonly most: number;
  /** The longest delay that a provider may ask for; after a longer one there is no retry (ms). */
  readonly patience: number;
}

/** The default policy. */
export const defaultRetries: RetryPolicy = { attempts: 3, base: 1000, most: 30_000, patience: 120_000 };

/** The spread of a delay in both directions, so that clients do not come back together. */
const spread = 0.1;

/**
 * The delay before attempt `made + 1` (ms); undefined: no further attempt. The caller must not retry after it
 * consumed output.
 *
 * @param made - requests made so far, 1 or more
 * @param draw - a number in [0, 1)
 *
 * @example
 * const overloaded = { kind: 'provider', message: 'overloaded', status: 529, retryable: true } as const;
 * retryDelay(defaultRetries, overloaded, 2, 0.5); // 2000
 */
export function retryDelay(
  policy: RetryPolicy,
  error: ClientError,
  made: number,
  draw: number,
): number | undefined {
  if (!error.retryable || made >= policy.attempts) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs > policy.patience ? undefined : retryAfterMs;
  const plain = Math.min(policy.base * 2 ** (made - 1), policy.most);
  return Math.round(plain * (1 - spread + 2 * spread * draw));
}
