/** The server room with nothing set, under attack; and that no other place opens a server. */
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Accept, LinkEvents } from '../world/index.ts';
import { ignoredEvents } from '../world/index.ts';
import { until } from '../world/until.test-helper.ts';
import { httpServerBounds, requestTimes } from './http-bounds.ts';
import { listenHttp } from './http-server.ts';
import type { HttpServerOptions } from './http-server.ts';
import { kitFaults } from './kit-fault.ts';
import { listenWebSocket } from './websocket.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Answers every request; `/throw` is a fault of the kit. */
const answering: Accept = (link, metadata) => ({
  ...ignoredEvents,
  message() {
    if (metadata[':carrier'] === 'ws') throw new Error('made to fail');
  },
  halfClose() {
    if (metadata[':path'] === '/throw') throw new Error('made to fail');
    link.headers({ ':status': '200', 'content-length': '2' });
    link.send(Buffer.from('ok'));
    link.close({ code: 0, message: '' });
  },
});

async function served(options: Partial<HttpServerOptions> = {}): Promise<number> {
  const given = { host: '127.0.0.1', port: 0, maxReceive: 1 << 20, accept: answering };
  const server = await listenHttp({ ...given, ...options });
  open.push(server);
  return server.port;
}

/** A raw connection that has sent a text. */
function client(port: number, sent: string): { readonly socket: Socket; text(): string; closed(): boolean } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => (closed = true));
  socket.write(sent);
  open.push({ close: () => socket.destroy() });
  return { socket, text: () => text, closed: () => closed };
}

/** The status line and the last line of an answer to a text. */
async function answerTo(port: number, sent: string): Promise<readonly string[]> {
  const { text, closed } = client(port, sent);
  await until(closed);
  const lines = text().trim().split('\r\n');
  return [lines[0] ?? '', lines.at(-1) ?? ''];
}

const get = (path: string, more = 'host: localhost\r\n'): string =>
  `GET ${path} HTTP/1.1\r\n${more}connection: close\r\n\r\n`;

const served200 = ['HTTP/1.1 200 OK', 'ok'];

describe('a server with nothing set', () => {
  it('has the bounds of time, and finds a request that does not come to its end', () => {
    expect(requestTimes(httpServerBounds)).toEqual({
      requestTimeout: 300_000,
      headersTimeout: 60_000,
      connectionsCheckingInterval: 5000,
    });
  });

  it('refuses a body that is too large, and drops the bytes of one that comes in single bytes', async () => {
    const port = await served();
    const head = 'POST / HTTP/1.1\r\nhost: localhost\r\n';
    const large = client(port, `${head}content-length: 99999999\r\n\r\n${'x'.repeat((1 << 20) + 1)}`);
    await until(() => large.text().startsWith('HTTP/1.1 413'));
    const single = `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(3000)}0\r\n\r\n`;
    expect(await answerTo(port, single)).toEqual(served200);
  });

  // RFC 9112, 9.6: a connection that is closed while bytes of the client come in may take the answer away.
  it('refuses a body that says that it is too large at once, and reads on to its end', async () => {
    const port = await served();
    const large = client(port, 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2000000\r\n\r\n');
    await until(() => large.text().startsWith('HTTP/1.1 413') && large.text().endsWith('are taken\n'));
    large.socket.write('x'.repeat(2_000_000));
    await until(large.closed);
    expect(large.text().split('HTTP/1.1')).toHaveLength(2);
  });

  it('answers a client that waits for 100 Continue with 413 before its body', async () => {
    const port = await served();
    const waiting = client(
      port,
      'POST / HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    );
    await until(() => waiting.text().startsWith('HTTP/1.1 100'));
    waiting.socket.write('{}');
    await until(() => waiting.text().endsWith('ok'));
  });

  it.each([
    ['a foreign Host', 'host: evil.example\r\n', 'a name that a web site could have'],
    ['a foreign Origin', 'host: localhost\r\norigin: http://evil.example\r\n', 'pages of other sites'],
  ])('refuses %s, also of a WebSocket', async (_, headers, reason) => {
    const port = await served();
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n';
    for (const more of [headers, `${headers}${upgrade}sec-websocket-key: ${'A'.repeat(22)}==\r\n`]) {
      const [status, body] = await answerTo(port, `GET / HTTP/1.1\r\n${more}\r\n`);
      expect([status, body]).toEqual(['HTTP/1.1 403 Forbidden', expect.stringContaining(reason)]);
    }
  });

  it('serves after hostile request lines and broken upgrades', async () => {
    const port = await served();
    const hostile = [
      get('/').replace('GET /', 'OPTIONS *'),
      get('http://localhost/x'),
      get('a://x/'),
      get('x'),
      'nonsense\r\n\r\n',
      get('/', 'host: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n'),
      get('/', `host: localhost\r\nx: ${'x'.repeat(100_000)}\r\n`),
    ];
    const statuses = [];
    for (const text of hostile) statuses.push((await answerTo(port, text))[0]?.slice(9, 12));
    // RFC 9112, 2.2: what a server cannot parse is answered with 400.
    expect(statuses).toEqual(['200', '200', '400', '400', '400', '400', '400']);
    expect(await answerTo(port, get('/'))).toEqual(served200);
  });

  it('refuses a WebSocket with 426 where its path takes none', async () => {
    const port = await served({ webSockets: (target) => target === '/socket?here' });
    const upgrade =
      'host: localhost\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nconnection: upgrade\r\n\r\n';
    // RFC 9110, 15.5.22: 426 has an Upgrade field.
    const { text, closed } = client(port, `GET /else HTTP/1.1\r\n${upgrade}`);
    await until(closed);
    expect(text()).toMatch(/^HTTP\/1\.1 426 [^]*\r\nupgrade: [^]*\/else takes no WebSocket/);
    const here = client(port, `GET /socket?here HTTP/1.1\r\n${upgrade}`);
    await until(() => here.text() !== '');
    expect(here.text()).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('answers 500 where the kit fails, says so, and serves on', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const before = kitFaults();
    const port = await served();
    expect((await answerTo(port, get('/throw')))[0]).toBe('HTTP/1.1 500 Internal Server Error');
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.on('open', () => socket.send('{}'));
    const code = await new Promise((resolve) => socket.on('close', resolve));
    expect(await answerTo(port, get('/'))).toEqual(served200);
    const lines = said.mock.calls.map(([text]) => String(text));
    said.mockRestore();
    expect([code, kitFaults() - before]).toEqual([1011, 2]);
    expect(lines).toEqual(
      Array(2).fill(expect.stringMatching(/the kit failed at one exchange.*\n.*made to fail/)),
    );
  });
});

describe('too many connections', () => {
  const bounds = { connections: 20 };

  it('that are idle or stalled do not keep others out', async () => {
    const port = await served({ bounds });
    const head = 'POST / HTTP/1.1\r\nhost: localhost\r\n';
    const texts = ['', head, `${head}content-length: 9\r\n\r\n{`];
    const stalled = Array.from({ length: 40 }, (_, i) => client(port, texts[i % 3] ?? ''));
    expect(await answerTo(port, get('/'))).toEqual(served200);
    await until(() => stalled.filter(({ closed }) => closed()).length >= 20);
  });

  it('do not end one that waits for its answer', async () => {
    let held: LinkEvents | undefined;
    const holding: Accept = (link, metadata) => {
      const events = answering(link, metadata);
      if (metadata[':path'] !== '/held') return events;
      held = events;
      return { ...events, halfClose: () => {} };
    };
    const port = await served({ bounds, accept: holding });
    const first = client(port, get('/held'));
    await until(() => held !== undefined);
    const idle = Array.from({ length: 40 }, () => client(port, ''));
    await until(() => idle.filter(({ closed }) => closed()).length >= 20);
    held?.halfClose();
    await until(first.closed);
    expect(first.text()).toMatch(/^HTTP\/1\.1 200/);
  });
});

it('a server of WebSockets alone has the same guard', async () => {
  const server = await listenWebSocket({ host: '127.0.0.1', port: 0, maxReceive: 1000, accept: answering });
  open.push(server);
  const headers = { host: 'evil.example' };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`, { headers });
  const why = await new Promise((resolve) => socket.once('error', ({ message }) => resolve(message)));
  expect(why).toMatch(/403/);
  expect((await answerTo(server.port, get('/')))[0]).toBe('HTTP/1.1 426 Upgrade Required');
});

it('only the room opens a server of HTTP or of WebSockets', () => {
  const root = join(import.meta.dirname, '../../..');
  const opening = /new WebSocketServer\(|import \{[^}]*\bcreateServer\b[^}]*\} from '(?:node:)?https?2?'/;
  const places = ['src', 'bin', 'conformance'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test|\.test-helper)\.[cm]?ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  const found = places.filter((file) => opening.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([join('src/kit/transport/http-room.ts')]);
});

it('says why it closes a WebSocket whose message is too large', async () => {
  const socket = new WebSocket(
    `ws://127.0.0.1:${await served({ maxReceive: 100, accept: () => ignoredEvents })}/`,
  );
  socket.on('open', () => socket.send('x'.repeat(101)));
  const closed = await new Promise((resolve) =>
    socket.on('close', (code, reason) => resolve([code, reason.toString('utf8')])),
  );
  expect(closed).toEqual([1009, 'a message has at most 100 bytes']);
});

// RFC 9112, 2.2: a server that cannot parse what comes SHOULD answer 400 and close the connection.
it('answers bytes that are no HTTP with a sentence', async () => {
  const [status, ...more] = await answerTo(await served(), '\u0016\u0003\u0001 hello\r\n\r\n');
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(more.at(-1)).toMatch(/^the bytes are not HTTP: /);
});

it('adds no answer to one that is on its way', async () => {
  const port = await served({
    accept: (link) => ({ ...ignoredEvents, halfClose: () => link.headers({ ':status': '200' }) }),
  });
  const { text, closed } = client(port, 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n\u0000\u0000\r\n\r\n');
  await until(closed);
  expect(text()).not.toContain('400');
});
