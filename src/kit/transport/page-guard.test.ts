import { describe, expect, it } from 'vitest';
import { foreignCaller, foreignHost, foreignPage, isLoopback } from './page-guard.ts';

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

describe('the Host of a request', () => {
  it.each([
    ['absent, as in HTTP/1.0', undefined],
    ['an address', '93.184.216.34:8080'],
    ['an address of IPv6', '[2001:db8::1]:8080'],
    ['a service of docker compose', 'model:11434'],
    ['the machine of a container', 'host.docker.internal:8080'],
    ['a name of this network', 'printer.local'],
    ['a name for tests', 'api.test'],
    ['this machine', 'LOCALHOST:1'],
    ['this machine, below a name', 'app.localhost'],
    ['this machine, as an absolute name', 'localhost.:80'],
    ['the host on which the server listens', 'box.example.org:8080'],
    ['the host of an allowed origin', 'app.example:1'],
    ['another name of this machine', 'feeds.example'],
  ])('%s is allowed', (_, host) => {
    const rules = { host: 'box.example.org', origins: ['https://app.example'], hosts: ['Feeds.Example'] };
    expect(foreignHost(host === undefined ? {} : { host }, rules)).toBeUndefined();
  });

  it.each([
    'evil.example',
    'evil.example.:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a@b',
    'a/b',
  ])('%s is refused, with it in the reason', (host) => {
    expect(foreignHost({ host }, own)).toContain(`came ${JSON.stringify(host)}`);
    expect(foreignCaller({ host }, own)).toBe(foreignHost({ host }, own));
    expect(foreignHost({ host }, { ...own, origins: ['*'] })).toBeUndefined();
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
