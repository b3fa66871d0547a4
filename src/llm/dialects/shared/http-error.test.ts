/**
 * Hints for retrying, as llm.md has them: "`x-should-retry`, `retry-after-ms`, `retry-after`; retried: 408, 409, 429,
 * ≥500".
 */
import { describe, expect, test } from 'vitest';
import { httpError, retryHeaders, retryableStatus } from './http-error.ts';

const said = { message: 'busy' };

test.each([408, 409, 429, 500, 502, 529, 599])('%i is retryable', (status) => {
  expect(retryableStatus(status)).toBe(true);
});

test.each([400, 401, 403, 404, 413, 422])('%i is not retryable', (status) => {
  expect(retryableStatus(status)).toBe(false);
});

describe('hints', () => {
  test('are written as header fields, and read back', () => {
    const error = { type: 'overloaded', message: 'busy', retryAfterMs: 1500, shouldRetry: false };
    const headers = retryHeaders(error);
    expect(headers).toEqual({ 'retry-after-ms': '1500', 'x-should-retry': 'false' });
    expect(httpError(529, headers, said)).toMatchObject({ retryAfterMs: 1500, retryable: false });
  });

  test('the more precise value is used', () => {
    const headers = retryHeaders({ type: 'rate_limit', message: 'slow', retryAfter: 2, retryAfterMs: 2400 });
    expect(httpError(429, headers, said).retryAfterMs).toBe(2400);
    expect(httpError(429, { 'retry-after': '2' }, said).retryAfterMs).toBe(2000);
  });

  test('x-should-retry decides for any status', () => {
    expect(httpError(400, { 'x-should-retry': 'true' }, said).retryable).toBe(true);
    expect(httpError(500, { 'x-should-retry': 'false' }, said).retryable).toBe(false);
    expect(httpError(500, { 'x-should-retry': 'maybe' }, said).retryable).toBe(true);
  });

  test.each(['soon', '-1', 'Infinity', '', 'Fri, 31 Dec 2027 23:59:59 GMT', '9'.repeat(400)])(
    'retry-after %j is ignored',
    (value) => {
      expect(httpError(429, { 'retry-after': value }, said)).not.toHaveProperty('retryAfterMs');
    },
  );
});

test('the text of the body is kept', () => {
  expect(httpError(401, {}, { type: 'authentication', message: 'no key' })).toEqual({
    kind: 'provider',
    status: 401,
    type: 'authentication',
    message: 'no key',
    retryable: false,
  });
});
