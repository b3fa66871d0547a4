/** The real world: Node's monotonic time and timers, and a key of its own for each run. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** A clock that starts at 0 when made. */
export function realClock(): Clock {
  const began = performance.now();
  return {
    now: () => performance.now() - began,
    after(ms, then) {
      // A timeout of 0 would take a whole millisecond.
      if (ms <= 0) {
        const turn = setImmediate(then);
        return { cancel: () => clearImmediate(turn) };
      }
      const timer = setTimeout(then, ms);
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

/**
 * What a trace shows in a secret's place: an HMAC under a key that is fresh each run, so that it is equal if and
 * only if the secrets are, and says nothing else.
 */
export function secretRedactor(): (secret: string) => string {
  const key = randomBytes(32);
  return (secret) => `redacted:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 24)}`;
}

/** A seed for a run that was given none. */
export const freshSeed = (): string => randomBytes(6).toString('hex');
