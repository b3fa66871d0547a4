/** The feed server: its guards, its bounds and its ends (the decisions of spec/sep/feeds.openapi.yaml). */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Json, Metadata } from '../../kit/base/index.ts';
import { until } from '../../kit/world/until.test-helper.ts';
import { mostAnswer, mostRequest } from './feed-contract.ts';
import { FeedExchange } from './feed-exchange.ts';
import { feedGuard } from './feed-guard.ts';
import { FeedPlaces, largeAnswer, mostUnreadBytes, UnreadAnswers } from './feed-places.ts';
import { serveFeeds } from './feed-server.ts';
import type { FeedServer } from './feed-server.ts';
import { ask, closeServers, served } from './feed-server.test-helper.ts';
import type { FeedAnswer, ServedFeeds } from './served-feeds.ts';

closeServers();

const errorOf = (json: Json | undefined): string => (json as { readonly error: string }).error;
const echo = { echo: (params: object) => ({ value: params as Json }) };
/** An array in an array and so on. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const never = (): Promise<never> => new Promise(() => {});

/** Asks until the answer has a status. */
async function untilStatus(server: FeedServer, status: number): Promise<void> {
  let came = 0;
  while (came !== status) came = (await ask(server, { path: '/feeds/echo' })).status;
}

/** Waits until a connection is closed, in order or by a reset. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on('close', () => resolve()));

/** Reads what a raw connection says until it closes. */
async function said(port: number, bytes: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.write(bytes);
  await closed(socket);
  return text;
}

describe('the answers of a feed server', () => {
  it('list the feeds with their times', async () => {
    const feeds: ServedFeeds = {
      list: () => [
        { id: 'a b/ü', trigger: 'periodic', interval: 30, cacheTtl: 300, stale: true },
        { id: 'clock', trigger: 'on_demand' },
      ],
      fetch: async () => ({ value: 1 }),
    };
    const server = await serveFeeds({ feeds });
    const list = await ask(server, { path: '/feeds' });
    const value = await ask(server, { path: `/feeds/${encodeURIComponent('a b/ü')}` });
    await server.close();
    expect(list.json).toEqual({
      feeds: [
        { id: 'a b/ü', trigger: 'periodic', interval: 30, cache_ttl: 300, stale: true },
        { id: 'clock', trigger: 'on_demand', stale: false },
      ],
    });
    expect(value.json).toMatchObject({ id: 'a b/ü', value: 1 });
  });

  it('have the time of the value, and say when it is stale', async () => {
    const server = await served({
      old: () => ({ value: null, at: 1_700_000_000_000, stale: true }),
      ...echo,
    });
    expect((await ask(server, { path: '/feeds/old' })).json).toEqual({
      id: 'old',
      value: null,
      at: '2023-11-14T22:13:20.000Z',
      stale: true,
    });
    const before = Date.now();
    const { json } = await ask(server, { path: '/feeds/echo' });
    const at = Date.parse((json as { readonly at: string }).at);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(json).not.toHaveProperty('stale');
  });

  it('are told to a log, without the query', async () => {
    const answers: FeedAnswer[] = [];
    const server = await served(echo, { onAnswer: (answer) => answers.push(answer) });
    await ask(server, { path: '/feeds/echo' });
    await ask(server, { path: '/feeds/echo?token=secret' });
    expect(answers).toMatchObject([
      { method: 'GET', path: '/feeds/echo', status: 200 },
      { method: 'GET', path: '/feeds/echo', status: 400 },
    ]);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  it('are errors of 502 where the value is too large, too deep, or no JSON', async () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const server = await served({
      large: () => ({ value: 'x'.repeat(mostAnswer) }),
      deep: () => ({ value: JSON.parse(nested(512)) as Json }),
      deeper: () => ({ value: JSON.parse(nested(5000)) as Json }),
      whole: () => ({ value: JSON.parse(nested(511)) as Json }),
      loop: () => ({ value: loop as never }),
      absent: () => ({ value: undefined as never }),
      early: () => ({ value: 1, at: NaN }),
    });
    for (const id of ['large', 'deep', 'deeper', 'loop', 'absent', 'early'])
      expect([id, (await ask(server, { path: `/feeds/${id}` })).status]).toEqual([id, 502]);
    expect((await ask(server, { path: '/feeds/whole' })).status).toBe(200);
  });

  it('come whole where they are as large as they may be', async () => {
    const value = 'x'.repeat(mostAnswer - 200);
    const server = await served({ large: () => ({ value }) }, { mostFetches: 1 });
    // The place of the first is free again for the second.
    for (let i = 0; i < 2; i++)
      expect((await ask(server, { path: '/feeds/large' })).json).toMatchObject({ value });
  });

  it('show nothing of an exception', async () => {
    const server = await served({ a: () => Promise.reject(new Error('/home/me/.secret')) });
    const { status, json } = await ask(server, { path: '/feeds/a' });
    expect([status, json]).toEqual([502, { error: 'the source of the feed "a" failed' }]);
  });
});

describe('the guards of a feed server', () => {
  it('need a token on an address that others can reach', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'feeds.example'])
      await expect(served(echo, { host })).rejects.toMatchObject({ code: 'usage' });
    for (const token of ['', 'two words', 'ü'])
      await expect(served(echo, { token })).rejects.toMatchObject({ code: 'usage' });
  });

  it('let in this machine by its names, and an allowed host', async () => {
    const server = await served(echo, { allowHosts: ['Feeds.Example'] });
    const status = async (host: string): Promise<number> =>
      (await ask(server, { path: '/feeds', headers: { host } })).status;
    for (const host of ['localhost', '127.0.0.1:9', '[::1]:80', 'feeds.example:8080'])
      expect([host, await status(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'localhost.evil.example', '192.0.2.1', 'me@localhost'])
      expect([host, await status(host)]).toEqual([host, 403]);
    // HTTP/1.0 needs no Host.
    expect(await said(server.port, 'GET /feeds HTTP/1.0\r\n\r\n')).toContain(' 403 ');
  });

  it('let in any address, but no other name, on all addresses', () => {
    const guard = feedGuard({ host: '0.0.0.0', token: 'k' });
    const status = (host: string): number | undefined => guard({ host, authorization: 'Bearer k' })?.status;
    expect(['192.0.2.1:80', '[2001:db8::1]', 'evil.example'].map(status)).toEqual([
      undefined,
      undefined,
      403,
    ]);
  });

  it('refuse pages of other sites, also for a WebSocket', async () => {
    const server = await served(echo, { origins: ['https://app.example'] });
    const asked = async (origin: string): Promise<number> =>
      (await ask(server, { path: '/feeds', headers: { origin } })).status;
    expect(await asked('https://app.example')).toBe(200);
    expect(await asked('http://localhost:3000')).toBe(200);
    expect(await asked('null')).toBe(403);
    expect(await asked('https://evil.example')).toBe(403);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/feeds`, { origin: 'https://evil.example' });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });

  it('end every WebSocket', async () => {
    const server = await served(echo);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/feeds/echo`);
    socket.on('error', () => {});
    await once(socket, 'close');
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });

  it('want the whole token, and come before the names of feeds', async () => {
    const server = await served(echo, { token: 'k3y' });
    const asked = (authorization: string | undefined, path = '/feeds'): ReturnType<typeof ask> =>
      ask(server, { path, headers: authorization === undefined ? {} : { authorization } });
    expect((await asked('Bearer k3y')).status).toBe(200);
    expect((await asked('bearer  k3y')).status).toBe(200); // RFC 9110, 11.1: the scheme's case does not matter
    for (const wrong of [
      undefined,
      '',
      'k3y',
      'Basic k3y',
      'Bearer',
      'Bearer k3',
      'Bearer k3yk3y',
      'Bearer K3Y',
    ])
      for (const path of ['/feeds', '/feeds/nothing', '/elsewhere']) {
        const { status, json } = await asked(wrong, path);
        expect([wrong, path, status]).toEqual([wrong, path, 401]);
        expect(errorOf(json)).not.toContain('k3y');
      }
  });
});

describe('the bounds of a feed server', () => {
  it('refuse wrong limits', async () => {
    for (const limit of [
      { timeout: 0 },
      { mostFetches: 1.5 },
      { transfer: Infinity },
      { mostConnections: NaN },
    ])
      await expect(served(echo, limit)).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuse wrong bodies with a sentence that names the fault', async () => {
    const server = await served(echo);
    const asked = async (body: Json | Buffer): Promise<readonly [number, string]> => {
      const { status, json } = await ask(server, { path: '/feeds/echo', method: 'POST', body });
      return [status, errorOf(json)];
    };
    expect(await asked([])).toEqual([400, 'the body: expected an object; came a list of 0']);
    expect(await asked({ param: 1 })).toEqual([400, 'the body: expected no member but params; came "param"']);
    expect(await asked({ params: null })).toEqual([400, 'params: expected an object; came null']);
    expect(await asked(Buffer.alloc(0))).toEqual([
      400,
      'the body: expected JSON in UTF-8; came an empty body',
    ]);
    for (const bytes of [
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from('{"params":'),
      Buffer.from(nested(30_000)),
    ])
      expect((await asked(bytes))[0]).toBe(400);
    const deep = JSON.parse(`{"params":{"a":${nested(510)}}}`) as Json;
    expect(await asked({ params: { a: deep } })).toMatchObject([400, /at most 512 levels/]);
    const { status, json } = await ask(server, { path: '/feeds/echo', method: 'POST', body: {} });
    expect([status, json]).toMatchObject([200, { value: {} }]);
  });

  it('refuse a body without a length as soon as it is too large', async () => {
    const server = await served(echo);
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      path: '/feeds/echo',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    sent.on('error', () => {});
    sent.write(`{"params":{"x":"${'x'.repeat(mostRequest)}`);
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    sent.destroy();
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(text)).toEqual({ error: `at most ${mostRequest} bytes are taken` });
  });

  it('end connections whose request does not arrive', async () => {
    const server = await served(echo, { transfer: 100, timeout: 100 });
    const half = `POST /feeds/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`;
    const ends = await Promise.all([
      said(server.port, half),
      said(server.port, half.slice(0, 30)),
      said(server.port, ''),
    ]);
    expect(ends).toEqual(['', '', '']);
  });

  const statusOf = (server: FeedServer): Promise<number> =>
    ask(server, { path: '/feeds' }).then(
      ({ status }) => status,
      () => 0,
    );

  it('close further connections while all wait for their answers', async () => {
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const server = await served({ held: () => (asked(), never()) }, { mostConnections: 1 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /feeds/held HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await isAsked;
    expect(await statusOf(server)).toBe(0);
    socket.destroy();
  });

  it('close a connection whose client reads no answer', async () => {
    const large = { large: () => ({ value: 'x'.repeat(mostAnswer - 200) }) };
    const server = await served(large, { transfer: 400, timeout: 400, mostConnections: 1 });
    const socket = connect(server.port, '127.0.0.1').pause();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {});
    socket.write('GET /feeds/large HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(4));
    await once(socket, 'connect');
    for (let status = 0; status !== 200;) status = await statusOf(server);
    socket.resume();
    await closed;
  });

  it('end a connection with more than four requests at a time', async () => {
    let began = 0;
    const server = await served({ held: () => (began++, never()) });
    const get = 'GET /feeds/held HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const open = said(server.port, get.repeat(4));
    await until(() => began === 4);
    expect(await said(server.port, get.repeat(5))).toBe('');
    await server.close();
    await open;
  });

  it('end a connection that sends without end behind a refusal', async () => {
    const server = await served(echo);
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => {});
    const more = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(1 << 16, 'x')));
    };
    socket.on('drain', more);
    socket.write('POST /feeds/echo HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 99999999999\r\n\r\n');
    more();
    await closed(socket);
    expect(text).toMatch(/^(HTTP\/1\.1 403 |$)/);
  });

  it('refuse large answers while clients do not read others, and give small ones', async () => {
    const memory = new UnreadAnswers();
    expect(memory.take(mostUnreadBytes)).toBe(true);
    expect(memory.take(1)).toBe(false);
    memory.giveBack(mostUnreadBytes);
    expect(memory.take(1)).toBe(true);
    // 64 clients of a megabyte each do not read; more do not fit.
    const feeds: ServedFeeds = {
      list: () => [
        { id: 'large', trigger: 'on_demand' },
        { id: 'small', trigger: 'on_demand' },
      ],
      fetch: async (id) => ({ value: id === 'small' ? 1 : 'x'.repeat(mostAnswer - 100) }),
    };
    const settings = {
      feeds,
      guard: () => undefined,
      places: new FeedPlaces(1000),
      unread: new UnreadAnswers(),
      timeout: 1000,
      onAnswer: () => {},
    };
    const clients: FeedExchange[] = [];
    const asked = async (id: string): Promise<string | undefined> => {
      let status: string | undefined;
      const link = {
        conn: 'c1',
        stream: 's1',
        headers: (head: Metadata) => (status = head[':status']),
        send: (bytes: Uint8Array) => bytes.length < largeAnswer,
        halfClose: () => {},
        close: () => {},
        pause: () => {},
        resume: () => {},
      };
      const exchange = new FeedExchange(settings, link, { ':method': 'GET', ':path': `/feeds/${id}` });
      clients.push(exchange);
      exchange.halfClose();
      await until(() => status !== undefined);
      return status;
    };
    for (let i = 0; i < 64; i++) expect(await asked('large')).toBe('200');
    expect([await asked('large'), await asked('small')]).toEqual(['503', '200']);
    // One reads its answer, another one leaves.
    clients[0]?.drained();
    clients[1]?.ended();
    expect([await asked('large'), await asked('large'), await asked('large')]).toEqual(['200', '200', '503']);
  });

  it('end what is no HTTP', async () => {
    const server = await served(echo);
    expect(await said(server.port, '\x16\x03\x01 garbage\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[^]*the bytes are not HTTP/,
    );
    expect((await ask(server, { path: '/feeds' })).status).toBe(200);
  });

  it('take 200 fetches side by side', async () => {
    let most = 0;
    let now = 0;
    const release: (() => void)[] = [];
    const server = await served({
      held: async (params) => {
        most = Math.max(most, ++now);
        await new Promise<void>((resolve) => release.push(resolve));
        now--;
        return { value: params };
      },
    });
    const asked = Array.from({ length: 200 }, (_, n) =>
      ask(server, { path: '/feeds/held', method: 'POST', body: { params: { n } } }),
    );
    await until(() => release.length === 200);
    for (const one of release) one();
    const values = (await Promise.all(asked)).map(({ json }) => (json as { readonly value: Json }).value);
    expect(values).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })));
    expect([most, now]).toEqual([200, 0]);
  });

  it('give every place back: after a value, a failure, an exception, and a client that left', async () => {
    let ended = 0;
    const server = await served(
      {
        ...echo,
        failing: () => ({ error: 'no' }),
        throwing: () => Promise.reject(new Error('no')),
        held: (_, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              ended++;
              reject(new Error('left'));
            }),
          ),
      },
      { mostFetches: 1 },
    );
    for (let i = 0; i < 3; i++) {
      for (const id of ['echo', 'failing', 'throwing'])
        expect((await ask(server, { path: `/feeds/${id}` })).status).not.toBe(503);
      const gone = request({ host: '127.0.0.1', port: server.port, path: '/feeds/held', agent: false });
      gone.on('error', () => {});
      gone.end();
      await untilStatus(server, 503);
      gone.destroy();
      await until(() => ended === i + 1);
    }
  });

  it('keep the place of a source that ignores its signal until it ends', async () => {
    let release = (): void => {};
    const server = await served(
      { ...echo, deaf: () => new Promise((resolve) => (release = () => resolve({ value: 1 }))) },
      { mostFetches: 1, timeout: 20 },
    );
    expect((await ask(server, { path: '/feeds/deaf' })).status).toBe(504);
    expect((await ask(server, { path: '/feeds/echo' })).status).toBe(503);
    release();
    await untilStatus(server, 200);
  });
});

describe('the end of a feed server', () => {
  it('ends the signal of a source that is too slow, with 504', async () => {
    let isAborted = false;
    const server = await served(
      { slow: (_, signal) => (signal.addEventListener('abort', () => (isAborted = true)), never()) },
      { timeout: 30 },
    );
    const { status, json } = await ask(server, { path: '/feeds/slow' });
    expect([status, json]).toEqual([
      504,
      { error: 'the source of the feed "slow" gave no value within 30 ms' },
    ]);
    expect(isAborted).toBe(true);
  });

  it('ends open requests and their fetches, and frees the port', async () => {
    let [began, ended] = [0, 0];
    const server = await served({
      held: (_, signal) => {
        began++;
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            ended++;
            reject(new Error('closed'));
          }),
        );
      },
    });
    const asked = Array.from({ length: 20 }, () => ask(server, { path: '/feeds/held' }));
    const ends = Promise.allSettled(asked);
    await until(() => began === 20);
    await server.close();
    expect((await ends).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
    await until(() => ended === 20);
    const again = await served(echo, { port: server.port });
    expect((await ask(again, { path: '/feeds/echo' })).status).toBe(200);
  });
});
