import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { defaultRetries, retryDelay } from './retry.ts';
import type { ClientError } from '../messages.ts';

const overloaded: ClientError = { kind: 'provider', message: 'Overloaded', status: 529, retryable: true };
const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('another attempt', () => {
  it('is not made after an error that is not retryable', () => {
    expect(retryDelay(defaultRetries, { ...overloaded, retryable: false }, 1, 0.5)).toBe(undefined);
  });

  // LLM-C09: "Retries MUST be bounded".
  it('is not made after the last attempt, even when the provider allows it', () => {
    const { attempts } = defaultRetries;
    expect(retryDelay(defaultRetries, overloaded, attempts - 1, 0.5)).toBeGreaterThan(0);
    expect(retryDelay(defaultRetries, overloaded, attempts, 0.5)).toBe(undefined);
    expect(retryDelay(defaultRetries, { ...overloaded, retryAfterMs: 1 }, attempts, 0.5)).toBe(undefined);
  });

  it('doubles its delay each time, spread by a tenth, up to the longest delay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), anyDraw, (made, draw) => {
        const policy = { attempts: 100, base: 1000, most: 30_000, patience: 120_000 };
        const plain = Math.min(1000 * 2 ** (made - 1), 30_000);
        const delay = retryDelay(policy, overloaded, made, draw) ?? -1;
        expect(delay).toBeGreaterThanOrEqual(Math.floor(plain * 0.9));
        expect(delay).toBeLessThanOrEqual(Math.ceil(plain * 1.1));
      }),
    );
  });

  // LLM-C22; RFC 9110, 10.2.3.
  it('comes exactly after the delay that the provider asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: defaultRetries.patience }), anyDraw, (retryAfterMs, draw) => {
        expect(retryDelay(defaultRetries, { ...overloaded, retryAfterMs }, 1, draw)).toBe(retryAfterMs);
      }),
    );
  });

  it('is not made when the provider asks for a longer delay than the policy allows', () => {
    const retryAfterMs = defaultRetries.patience + 1;
    expect(retryDelay(defaultRetries, { ...overloaded, retryAfterMs }, 1, 0)).toBe(undefined);
  });
});
