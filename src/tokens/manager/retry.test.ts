/** What is retried, and after how long. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../kit/world/index.ts';
import { isRetryable, retryDelay } from './retry.ts';

const http = (status: number): boolean => isRetryable({ kind: 'http', status });

describe('a request that failed', () => {
  it.each([408, 409, 429, 500, 502, 503, 529, 599])('is retried after %i (TOK-44)', (status) => {
    expect(http(status)).toBe(true);
  });

  it.each([400, 401, 403, 404, 413, 422, 499, 200, 301, 600])(
    'is not retried after %i (TOK-44)',
    (status) => {
      expect(http(status)).toBe(false);
    },
  );

  it('is retried after failures of the network; not after an abort, nor when output had begun (TOK-44)', () => {
    expect(isRetryable({ kind: 'network' })).toBe(true);
    expect(isRetryable({ kind: 'aborted', status: 500 })).toBe(false);
    expect(isRetryable({ kind: 'stream', status: 500 })).toBe(false);
    expect(isRetryable({ kind: 'http' })).toBe(false);
  });

  it('is not sent again as it was when it did not fit (TOK-45)', () => {
    expect(isRetryable({ kind: 'overflow', status: 500 })).toBe(false);
  });
});

describe('the delay of a retry (TOK-43)', () => {
  it('is min(1 s * 2^(n-1), 30 s)', () => {
    const delays = [1, 2, 3, 4, 5, 6, 9, 2000].map((n) => retryDelay(n, { kind: 'network' }));
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is 10 % more or less where there is randomness, and the same from the same seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.string(), (n, seed) => {
        const exact = retryDelay(n, { kind: 'network' });
        const delay = retryDelay(n, { kind: 'network' }, seededRandom(seed));
        expect(Math.abs(delay - exact)).toBeLessThanOrEqual(exact / 10);
        expect(retryDelay(n, { kind: 'network' }, seededRandom(seed))).toBe(delay);
      }),
    );
    const delays = ['a', 'b', 'c'].map((seed) => retryDelay(1, { kind: 'network' }, seededRandom(seed)));
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  it('is what the provider says, to the millisecond', () => {
    const hinted = (retryAfter: number): number =>
      retryDelay(3, { kind: 'http', status: 429, retryAfter }, seededRandom('7'));
    expect([0, 5, 90_000].map(hinted)).toEqual([0, 5, 90_000]);
  });

  it.each([-1, Number.NaN, Infinity])('is not a hint of %d', (retryAfter) => {
    expect(retryDelay(1, { kind: 'network', retryAfter })).toBe(1000);
  });
});
