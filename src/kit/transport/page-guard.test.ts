import { describe, expect, it } from 'vitest';
import { foreignPage, isLoopback } from './page-guard.ts';

const own = { host: '127.0.0.1' };

describe('a request', () => {
  it.each([
    ['of a program, without an origin', {}],
    ['of a page on this machine', { origin: 'http://localhost:3000', host: '127.0.0.1:9000' }],
    ['of a page on this machine, by IPv6', { origin: 'https://[::1]:3000' }],
    ['of a program with an origin of its own scheme', { origin: 'vscode-webview://1a2b' }],
  ])('%s is allowed', (_, headers) => {
    expect(foreignPage(headers, own)).toBeUndefined();
  });

  it.each([
    ['of a page of another site', { origin: 'http://evil.example', host: '127.0.0.1:9000' }],
    [
      'of a page whose name was rebound to this machine',
      { origin: 'http://evil.example:9000', host: 'evil.example:9000' },
    ],
    ['of a page that begins like this machine', { origin: 'http://localhost.evil.example' }],
    ['of a page without an origin of its own', { origin: 'null' }],
  ])('%s is refused, with its origin in the reason', (_, headers) => {
    expect(foreignPage(headers, own)).toContain(`came ${JSON.stringify(headers.origin)}`);
  });

  it('of an allowed origin is allowed, and of any with *', () => {
    const headers = { origin: 'https://app.example' };
    expect(foreignPage(headers, { ...own, origins: ['https://app.example'] })).toBeUndefined();
    expect(foreignPage(headers, { ...own, origins: ['*'] })).toBeUndefined();
    expect(foreignPage(headers, { ...own, origins: ['https://other.example'] })).toBeDefined();
  });

  it('of the page that a server on a public address gives itself is allowed', () => {
    const headers = { origin: 'http://10.0.0.7:9000', host: '10.0.0.7:9000' };
    expect(foreignPage(headers, { host: '10.0.0.7' })).toBeUndefined();
  });
});

it('this machine has several names', () => {
  expect(['localhost', '127.1.2.3', '[::1]', 'app.localhost'].map(isLoopback)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['localhost.example', '128.0.0.1', 'evil127.0.0.1'].map(isLoopback)).toEqual([false, false, false]);
});
