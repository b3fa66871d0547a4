/** The client of feed servers: whatever a server does becomes a value or a sentence, in bounded time and space. */
import { getEventListeners, once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { selfSigned } from '../../kit/transport/certificate.test-helper.ts';
import type { FeedSource } from '../feeds/feed.ts';
import { remoteFeeds } from './feed-client.ts';
import { mostAnswer, mostRequest } from './feed-contract.ts';
import { closeServers, served } from './feed-server.test-helper.ts';
import type { RemoteOutcome } from './remote-exchange.ts';

closeServers();

const at = '2026-01-31T12:00:00.000Z';
const good = JSON.stringify({ id: 'a', value: 1, at });

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** Listens on loopback until the test ends. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** A server that does what a test says with each connection, once a request has begun. */
async function hostile(act: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => act(socket)));
  return `http://127.0.0.1:${await listening(server)}`;
}

/** The bytes of an answer. */
const answer = (
  body: string | Buffer,
  headers = 'content-type: application/json',
  status = '200 OK',
): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\nconnection: close\r\n${headers}\r\n\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);

const sourceOf = (url: string, name = 'a', params: JsonObject = {}): FeedSource => ({
  type: 'remote',
  name,
  url,
  params,
});

const errorOf = (outcome: RemoteOutcome): string => ('error' in outcome ? outcome.error : `a value came`);

/** Writes without end, until the client closes. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

/** The error of an answer's bytes, behind the URL. */
async function against(act: (socket: Socket) => void, timeout = 5000): Promise<string> {
  const url = await hostile(act);
  const error = errorOf(await remoteFeeds({ timeout })(sourceOf(url)));
  expect(error.startsWith(`${url}/feeds/a: `)).toBe(true);
  return error.slice(`${url}/feeds/a: `.length);
}

describe('a client of feed servers', () => {
  it('gets values with their age, by GET or with parameters by POST', async () => {
    const server = await served({
      'ä /?#%': (params) => ({ value: params }),
      old: () => ({ value: null, at: 0, stale: true }),
    });
    const fetchRemote = remoteFeeds();
    expect(await fetchRemote(sourceOf(server.url, 'ä /?#%'))).toMatchObject({ value: {}, stale: false });
    expect(await fetchRemote(sourceOf(`${server.url}/`, 'ä /?#%', { x: [1] }))).toMatchObject({
      value: { x: [1] },
    });
    expect(await fetchRemote(sourceOf(server.url, 'old'))).toEqual({
      value: null,
      at: '1970-01-01T00:00:00.000Z',
      stale: true,
    });
  });

  it('gives the sentence of a server that refuses', async () => {
    const server = await served(
      { failing: () => ({ error: 'the disk is full' }), held: () => new Promise(() => {}) },
      { token: 'k3y', timeout: 30 },
    );
    const fetchRemote = remoteFeeds({ token: 'k3y' });
    const said = async (name: string): Promise<string> =>
      errorOf(await fetchRemote(sourceOf(server.url, name)));
    const where = `${server.url}/feeds`;
    expect(await said('failing')).toBe(
      `${where}/failing: the server answered with status 502: the disk is full`,
    );
    expect(await said('nothing')).toContain('status 404: there is no feed "nothing"');
    expect(await said('held')).toContain('status 504: ');
    const without = errorOf(await remoteFeeds({ token: 'an0ther' })(sourceOf(server.url, 'failing')));
    expect(without).toContain('status 401: ');
    expect(without).not.toMatch(/k3y|an0ther/);
  });

  it('fetches 200 values side by side', async () => {
    const server = await served({ a: (params) => ({ value: params['n'] ?? null }) });
    const fetchRemote = remoteFeeds();
    const all = Array.from({ length: 200 }, (_, n) => fetchRemote(sourceOf(server.url, 'a', { n })));
    const values = (await Promise.all(all)).map((one) => ('value' in one ? one.value : one.error));
    expect(values).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('says that a server is dead, also when it dies during a fetch', async () => {
    const server = await served({ a: () => new Promise(() => {}) });
    const fetchRemote = remoteFeeds();
    const during = fetchRemote(sourceOf(server.url));
    setTimeout(() => void server.close(), 20);
    expect(errorOf(await during)).toMatch(/socket hang up|ECONNRESET|connection was lost/);
    expect(errorOf(await fetchRemote(sourceOf(server.url)))).toContain('ECONNREFUSED');
  });

  it('asks over TLS a server whose certificate it trusts', async () => {
    const server = createHttps(selfSigned, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(good);
    });
    const url = `https://localhost:${await listening(server)}`;
    expect(await remoteFeeds({ ca: selfSigned.cert })(sourceOf(url))).toMatchObject({ value: 1 });
    expect(errorOf(await remoteFeeds()(sourceOf(url)))).toContain('self-signed certificate');
  });

  it('ends a fetch with its signal, and listens to it no more', async () => {
    const url = await hostile(() => {});
    const abort = new AbortController();
    const fetched = remoteFeeds()(sourceOf(url), abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    setTimeout(() => abort.abort(), 10);
    expect(errorOf(await fetched)).toContain('the fetch was ended');
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    expect(errorOf(await remoteFeeds()(sourceOf(url), abort.signal))).toContain('the fetch was ended');
  });
});

describe('a client of feed servers asks nobody else', () => {
  const refused = async (source: FeedSource, options = {}): Promise<string> =>
    errorOf(await remoteFeeds(options)(source));

  it('than servers of this machine, or of the given origins', async () => {
    for (const url of ['http://192.0.2.1', 'http://169.254.169.254/latest', 'https://feeds.example:8443/x'])
      expect(await refused(sourceOf(url))).toContain(
        `expected a server of this machine; came ${new URL(url).origin}`,
      );
    const origins = ['https://feeds.example'];
    expect(await refused(sourceOf('http://127.0.0.1:9'), { origins })).toContain(
      'expected one of https://feeds.example',
    );
  });

  it('than the server of the token', async () => {
    const heard: (string | undefined)[] = [];
    const urls = await Promise.all(
      ['one', 'two'].map(async () => {
        const server = createHttp((request, response) => {
          heard.push(request.headers.authorization);
          response.writeHead(200, { 'content-type': 'application/json' }).end(good);
        });
        return `http://127.0.0.1:${await listening(server)}`;
      }),
    );
    const fetchRemote = remoteFeeds({ token: { [urls[0] ?? '']: 'k3y' } });
    for (const url of urls) expect(await fetchRemote(sourceOf(url))).toMatchObject({ value: 1 });
    expect(heard).toEqual(['Bearer k3y', undefined]);
  });

  it('than a URL says, and shows no secret of it', async () => {
    for (const url of [
      'http://me:s3cret@127.0.0.1:9',
      'http://127.0.0.1:9/?key=s3cret',
      'http://127.0.0.1:9/#s3cret',
      'ftp://s3cret.example',
      's3cret',
      '',
    ]) {
      const error = await refused(sourceOf(url));
      expect(error).toMatch(/^the url of a remote feed/);
      expect(error).not.toContain('s3cret');
    }
  });

  it('for what no path and no body can carry', async () => {
    for (const name of ['', '.', '..', '\ud800'])
      expect(await refused(sourceOf('http://127.0.0.1:9', name))).toMatch(/^the name of a remote feed/);
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    for (const params of [{ x: 'x'.repeat(mostRequest) }, loop as JsonObject, { x: loop as never }])
      expect(await refused(sourceOf('http://127.0.0.1:9', 'a', params))).toMatch(
        /^the parameters of a remote feed/,
      );
    expect(await refused({ type: 'tool', name: 'a', params: {} })).toContain('came "tool"');
  });

  it('when its own options are wrong', () => {
    for (const options of [{ token: '' }, { token: 'a b' }, { token: { nowhere: 'k' } }, { origins: ['x'] }])
      expect(() => remoteFeeds(options)).toThrow(/expected/);
    for (const options of [{ timeout: 0 }, { timeout: Infinity }, { mostBytes: -1 }])
      expect(() => remoteFeeds(options)).toThrow(/expected an integer from 1/);
  });

  it('than the first server, when that redirects', async () => {
    let hits = 0;
    const trap = await hostile(() => void hits++);
    for (const status of ['301 M', '302 F', '307 T', '308 P']) {
      const error = await against((socket) => socket.end(answer('', `location: ${trap}/feeds/a`, status)));
      expect(error).toBe(`expected no redirect; came status ${status.slice(0, 3)}`);
    }
    expect(hits).toBe(0);
  });
});

describe('a hostile server', () => {
  it('with an endless body is left at the limit', async () => {
    const tooLarge = `expected an answer of at most ${mostAnswer} bytes; came more`;
    expect(
      await against((socket) => {
        socket.write(answer('"'));
        pour(socket, Buffer.alloc(1 << 16, 'x'));
      }),
    ).toBe(tooLarge);
    const long = answer('', 'content-type: application/json\r\ncontent-length: 99999999999');
    expect(await against((socket) => socket.write(long))).toBe(tooLarge);
  });

  it('that is silent, or slow, is left when the time is over', async () => {
    const late = 'no whole answer came within 60 ms';
    expect(await against(() => {}, 60)).toBe(late);
    expect(await against((socket) => socket.write(answer(good.slice(0, 5))), 60)).toBe(late);
    expect(
      await against((socket) => {
        socket.write(answer('"'));
        const drip = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(drip));
      }, 60),
    ).toBe(late);
    expect(
      await against((socket) => {
        const drip = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
        socket.on('close', () => clearInterval(drip));
      }, 60),
    ).toBe(late);
  });

  it('with pieces of one byte has its whole answer read', async () => {
    const url = await hostile((socket) => {
      socket.setNoDelay(true);
      socket.write(answer('', 'content-type: application/json\r\ntransfer-encoding: chunked'));
      for (const character of good) socket.write(`1\r\n${character}\r\n`);
      socket.end('0\r\n\r\n');
    });
    expect(await remoteFeeds()(sourceOf(url))).toEqual({ value: 1, at, stale: false });
  });

  it('with deep JSON gets a sentence', async () => {
    const deep = '['.repeat(400_000) + ']'.repeat(400_000);
    const said = await against((socket) => socket.end(answer(`{"id":"a","at":"${at}","value":${deep}}`)));
    expect(said).toContain('at most 512 levels');
  });

  it.each<readonly [string, Buffer, RegExp]>([
    ['another type', answer(good, 'content-type: text/html'), /application\/json; came "text\/html"/],
    ['no type', answer(good, 'x: y'), /application\/json; came none/],
    [
      'another type that begins alike',
      answer(good, 'content-type: application/jsonp'),
      /came "application\/jsonp"/,
    ],
    [
      'compression',
      answer(good, 'content-type: application/json\r\ncontent-encoding: gzip'),
      /content-encoding; came "gzip"/,
    ],
    ['no JSON', answer('{"id":'), /expected JSON in UTF-8/],
    ['an empty body', answer(''), /came an empty body/],
    ['no UTF-8', answer(Buffer.from([0x22, 0xff, 0x22])), /expected JSON in UTF-8/],
    ['a list', answer('[]'), /expected an object; came a list of 0/],
    ['another id', answer(good.replace('"a"', '"b"')), /expected the id "a"; came "b"/],
    ['no value', answer(JSON.stringify({ id: 'a', at })), /expected the member value; came none/],
    ['no time', answer(JSON.stringify({ id: 'a', value: 1 })), /at: .*came nothing/],
    ['a time that is none', answer(good.replace('T12', 'T99')), /at: expected a time/],
    ['a wrong stale', answer(JSON.stringify({ id: 'a', value: 1, at, stale: 'no' })), /stale: .*came "no"/],
    ['no content', answer('', 'x: y', '204 No Content'), /status 204/],
    [
      'a cut answer',
      answer(good, 'content-type: application/json\r\ncontent-length: 900'),
      /the answer is cut off/,
    ],
    [
      'another protocol',
      answer('', 'upgrade: x\r\nconnection: upgrade', '101 S'),
      /hang up|lost|no whole answer/,
    ],
    ['garbage', Buffer.from('\x00\x01\x02\r\n\r\n'), /Parse Error/],
    ['nothing', Buffer.alloc(0), /hang up|lost/],
    [
      'endless headers',
      Buffer.from(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`),
      /Header overflow|Parse Error/,
    ],
  ])('with %s gets a sentence', async (_, bytes, sentence) => {
    expect(await against((socket) => socket.end(bytes), 2000)).toMatch(sentence);
  });

  it('cannot act on the terminal that shows its sentence, nor fill it', async () => {
    const error = `\u001b[2J\u202e::error::${'x'.repeat(100_000)}\n`;
    const said = await against((socket) => socket.end(answer(JSON.stringify({ error }), 'x: y', '500 E')));
    expect(said).toMatch(/^the server answered with status 500: {2}\[2J ::error::x+…$/);
    expect(said.length).toBeLessThan(400);
  });

  it('that says the token gets a sentence without it', async () => {
    const token = 'k3y-of-mine';
    const url = await hostile((socket) =>
      socket.end(answer(JSON.stringify({ error: `no: ${token}` }), 'x: y', '401 U')),
    );
    const error = errorOf(await remoteFeeds({ token })(sourceOf(url)));
    expect(error).toBe(`${url}/feeds/a: the server answered with status 401: no: TOKEN`);
  });

  it('with any bytes gets a sentence, and no exception', async () => {
    let bytes: Buffer = Buffer.alloc(0);
    const url = await hostile((socket) => socket.end(bytes));
    const fetchRemote = remoteFeeds({ timeout: 2000 });
    const body = fc.oneof(fc.json(), fc.string(), fc.constant(good));
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((one) => Buffer.from(one)),
      body.map((one) => answer(one)),
      fc.tuple(fc.nat(200), body).map(([cut, one]) => answer(one).subarray(0, cut)),
    );
    await fc.assert(
      fc.asyncProperty(any, async (one) => {
        bytes = one;
        const outcome = await fetchRemote(sourceOf(url));
        expect('error' in outcome || outcome.value === 1).toBe(true);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
