/** Addresses that people write. The form of an IPv6 address in a URL is that of RFC 3986, section 3.2.2. */
import { describe, expect, it } from 'vitest';
import { addressText, hostPortOf } from './index.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1:50051', '127.0.0.1', 50_051],
    ['localhost:1', 'localhost', 1],
    ['agents.example:65535', 'agents.example', 65_535],
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['[::1]:50051', '::1', 50_051],
    ['[2001:DB8::7]:80', '2001:DB8::7', 80],
    ['[::ffff:127.0.0.1]:80', '::ffff:127.0.0.1', 80],
    ['[fe80::1%eth0]:80', 'fe80::1%eth0', 80],
    ['::1:80', '::1', 80],
    [':::80', '::', 80],
    ['ws://example.org:80/', 'example.org', 80],
    ['ws://[::1]:80/a?b#c', '::1', 80],
  ])('%s is read', (text, host, port) => {
    expect(hostPortOf(text)).toEqual({ host, port });
    expect(hostPortOf(text, 443)).toEqual({ host, port });
  });

  it('that is a number is a port, or a host where the port may be absent', () => {
    expect(hostPortOf('5000')).toEqual({ host: '127.0.0.1', port: 5000 });
    expect(hostPortOf('5000', 80)).toEqual({ host: '5000', port: 80 });
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['https://agents.example/toon', 'agents.example'],
  ])('%s has the usual port', (text, host) => {
    expect([hostPortOf(text), hostPortOf(text, 443)]).toEqual([undefined, { host, port: 443 }]);
  });

  it.each([
    '',
    'localhost:',
    ':80',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '127.0.0.1:http',
    ' 127.0.0.1:80',
    '127.0.0.1: 80',
    'two words:80',
    '[::1:80',
    '::1]:80',
    '[localhost]:80',
    '::1',
    'fe80::1',
    'ws:///path',
  ])('%j is refused', (text) => {
    expect(hostPortOf(text)).toBeUndefined();
  });

  it.each([
    ['::1', '[::1]:80'],
    ['[::1]', '[::1]:80'],
    ['127.0.0.1', '127.0.0.1:80'],
    ['localhost', 'localhost:80'],
  ])('of %s is written', (host, text) => {
    expect(addressText({ host, port: 80 })).toBe(text);
  });
});
