/** When a failed request is made again, and after how long (LLM-C09; the plan of tokens.md: TOK-43, TOK-44). */
import type { ClientError } from '../messages.ts';

/** How often, and how long at most. */
export interface RetryPolicy {
  /** Requests in all, the first one included; 1 or more. */
  readonly attempts: number;
  /** The first delay (ms); each further one is twice as long. */
  readonly base: number;
  /** No delay is longer, unless the provider asked for it (ms). */
  readonly most: number;
  /** A provider that asks for more than this is not asked again (ms). */
  readonly patience: number;
}

/** What a client does that nobody told otherwise. */
export const defaultRetries: RetryPolicy = { attempts: 3, base: 1000, most: 30_000, patience: 120_000 };

/** A delay is spread by this much in both directions, so that clients do not come back together. */
const spread = 0.1;

/**
 * The delay before attempt `made + 1`; undefined: it is not made. Nothing is made again once output was consumed: that
 * is the caller's to know.
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
