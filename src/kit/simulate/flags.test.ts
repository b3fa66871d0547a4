/** Flags of simulated peers, and the sentences that refuse them. */
import { describe, expect, it } from 'vitest';
import { Flags } from './flags.ts';
import { fakeRun } from './run.test-helper.ts';

const flags = (given: { readonly [name: string]: unknown }): Flags => new Flags(fakeRun(given).run);

describe('a flag', () => {
  it('is read by its long name', () => {
    const given = flags({ agentId: 'a-1', revoked: ['x', 'y'], compress: true, idle: '30s' });
    expect(given.text('agent-id')).toBe('a-1');
    expect(given.list('revoked')).toEqual(['x', 'y']);
    expect([given.on('compress'), given.on('quiet')]).toEqual([true, false]);
    expect([given.time('idle'), given.time('heartbeat')]).toEqual([30_000, undefined]);
  });

  it.each([
    ['127.0.0.1:5000', { host: '127.0.0.1', port: 5000 }],
    ['5000', { host: '127.0.0.1', port: 5000 }],
    ['ws://example.org:80/', { host: 'example.org', port: 80 }],
  ])('%s is a host and a port', (listen, place) => {
    expect(flags({ listen }).address('listen')).toEqual(place);
  });

  it('for an address has the default of the peer', () => {
    expect(flags({}).address('connect')).toEqual({ host: '127.0.0.1', port: 50_051 });
  });

  it('that names an environment variable has its value', () => {
    expect([flags({ tokenEnv: 'SET' }).variable('token-env'), flags({}).variable('token-env')]).toEqual([
      'value',
      undefined,
    ]);
  });

  it('that names a folder has its path', () => {
    expect([flags({ root: '.' }).folder('root'), flags({}).folder('root')]).toEqual(['.', undefined]);
  });

  it.each([
    ['--root package.json: expected a folder that exists', (f: Flags) => f.folder('root')],
    ['--listen nowhere: expected host:port', (f: Flags) => f.hostPort('listen')],
    ['--idle soon: expected a time', (f: Flags) => f.time('idle')],
    ['--token-env EMPTY: the environment variable EMPTY is not set', (f: Flags) => f.variable('token-env')],
    ['/none: no such file; expected the value of --authorized-keys', (f: Flags) => f.file('authorized-keys')],
  ])('is refused: %s', (sentence, read) => {
    const given = flags({
      root: 'package.json',
      listen: 'nowhere',
      idle: 'soon',
      tokenEnv: 'EMPTY',
      authorizedKeys: '/none',
    });
    expect(() => read(given)).toThrow(sentence);
  });
});
