/** The dialler of a server under test, on real ports. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Metadata } from '../../kit/base/index.ts';
import { listenHttp } from '../../kit/transport/index.ts';
import type { HttpServer } from '../../kit/transport/index.ts';
import { modelVariable, serverDriver } from './server-driver.ts';
import type { ServerDriverRequest } from './server-driver.ts';

let server: HttpServer;
let seen: Metadata[] = [];

beforeEach(async () => {
  seen = [];
  server = await listenHttp({
    host: '127.0.0.1',
    port: 0,
    maxReceive: 1000,
    accept(link, metadata) {
      seen.push(metadata);
      const answer = (): void => {
        link.headers({ ':status': '200', 'content-type': 'application/json' });
        link.send(Buffer.from('{}'));
        link.close({ code: 0, message: '' });
      };
      const nothing = (): void => {};
      return {
        headers: nothing,
        message: nothing,
        halfClose: answer,
        ended: nothing,
        drained: nothing,
        ping: nothing,
      };
    },
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** Asks once. @returns the head of the answer */
async function ask(more: Partial<ServerDriverRequest> = {}, metadata: Metadata = {}): Promise<Metadata> {
  const place = { host: '127.0.0.1', port: server.port, url: '' };
  const dial = await serverDriver({ name: 'openai-chat', place, statement: undefined, ...more });
  return new Promise((resolve, reject) => {
    const link = dial(
      { metadata: { ':carrier': 'http', ':method': 'POST', ':path': '/v1/chat/completions', ...metadata } },
      {
        headers: resolve,
        message() {},
        halfClose() {},
        ended: () => reject(new Error('the answer ended without a head')),
        drained() {},
        ping() {},
      },
    );
    // A WebSocket that is closed before it is open has no head.
    if (metadata[':carrier'] === 'ws') return;
    link.send(Buffer.from('{}'));
    link.halfClose();
  });
}

describe('the dialler of a server under test', () => {
  it('dials its host and port, at the requested path', async () => {
    const head = await ask();
    expect(head[':status']).toBe('200');
    expect(seen[0]).toMatchObject({ ':method': 'POST', ':path': '/v1/chat/completions' });
    expect(seen[0]).not.toHaveProperty('authorization');
  });

  it('dials a base URL, with or without the first part of the path', async () => {
    const at = (path: string): ServerDriverRequest['place'] => ({
      host: 'nowhere',
      port: 1,
      url: `http://127.0.0.1:${server.port}${path}`,
    });
    await ask({ place: at('/proxy/openai') });
    await ask({ place: at('/proxy/v1/') });
    expect(seen.map((metadata) => metadata[':path'])).toEqual([
      '/proxy/openai/v1/chat/completions',
      '/proxy/v1/chat/completions',
    ]);
  });

  it('sends the token of the statement in the header fields of every provider', async () => {
    vi.stubEnv('SOME_TOKEN', 'abc');
    await ask({ statement: { operator: { token_env: 'SOME_TOKEN' } } });
    expect(seen[0]).toMatchObject({ authorization: 'Bearer abc', 'x-api-key': 'abc' });
  });

  it('sends the header fields of the statement, with values of the environment', async () => {
    vi.stubEnv('SOME_KEY', 'abcdefgh');
    const headers = { 'Api-Version': '2026-01-01', 'api-key': { env: 'SOME_KEY' } };
    await ask({ statement: { operator: { headers } } });
    expect(seen[0]).toMatchObject({ 'api-version': '2026-01-01', 'api-key': 'abcdefgh' });
    const missing = { 'api-key': { env: 'NO_SUCH' } };
    await expect(ask({ statement: { operator: { headers: missing } } })).rejects.toThrow(
      /operator\.headers\.api-key: the environment variable NO_SUCH is not set/,
    );
  });

  it('adds the named model to the head of each answer', async () => {
    vi.stubEnv(modelVariable, 'qwen3');
    expect((await ask())[':model']).toBe('qwen3');
    expect((await ask({ statement: { operator: { model: 'phi4' } } }))[':model']).toBe('phi4');
    vi.unstubAllEnvs();
    expect(await ask()).not.toHaveProperty(':model');
  });

  it('opens WebSockets for LM Studio', async () => {
    await ask({ name: 'lmstudio' }, { ':carrier': 'ws', ':path': '/llm' });
    expect(seen[0]).toMatchObject({ ':carrier': 'ws', ':path': '/llm' });
  });

  it('refuses an unknown dialect, and a missing token', async () => {
    await expect(ask({ name: 'http' })).rejects.toThrow(/no dialect http; the dialects are anthropic/);
    await expect(ask({ statement: { operator: { token_env: 'NO_SUCH' } } })).rejects.toThrow(
      /NO_SUCH is not set/,
    );
  });
});
