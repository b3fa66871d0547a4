/** The bounds of an HTTP server, its own refusals, and the room of answers in a pipeline. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ignoredEvents } from '../world/index.ts';
import type { Link } from '../world/index.ts';
import { until } from '../world/until.test-helper.ts';
import { dialHttp } from './http-client.ts';
import { listenHttp } from './http-server.ts';
import type { HttpServer } from './http-room.ts';
import type { HttpServerOptions } from './http-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A server that keeps its exchanges, and what drained of them. */
async function served(
  options: Partial<HttpServerOptions> = {},
): Promise<{ readonly server: HttpServer; readonly links: Link[]; readonly drained: number[] }> {
  const links: Link[] = [];
  const drained: number[] = [];
  const server = await listenHttp({
    host: '127.0.0.1',
    port: 0,
    maxReceive: 1000,
    accept: (link) => {
      const index = links.push(link) - 1;
      return { ...ignoredEvents, drained: () => void drained.push(index) };
    },
    ...options,
  });
  open.push(server);
  return { server, links, drained };
}

interface Client {
  readonly socket: Socket;
  text(): string;
  readonly closed: Promise<void>;
}

/** A raw connection that has sent a text. */
function client({ port }: HttpServer, sent: string): Client {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(sent);
  open.push({ close: () => socket.destroy() });
  return { socket, text: () => text, closed };
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const bounds = { request: 60_000, idle: 60_000, connections: 10, pipelined: 2 };

describe('the bounds of an HTTP server', () => {
  it('close a connection with too many open requests, and count those that ended no more', async () => {
    const { server, links } = await served({ bounds });
    const lawful = client(server, get);
    for (let i = 1; i <= 5; i++) {
      await until(() => links.length === i);
      links[i - 1]?.headers({ ':status': '200', 'content-length': '1' });
      links[i - 1]?.send(Buffer.from(`${i}`));
      links[i - 1]?.close({ code: 0, message: '' });
      await until(() => lawful.text().endsWith(`\r\n${i}`));
      lawful.socket.write(get);
    }
    await client(server, get.repeat(3)).closed;
  });

  it('close connections that are too many, silent, or slow with a request', async () => {
    const few = await served({ bounds: { ...bounds, connections: 1 } });
    client(few.server, get);
    await until(() => few.links.length === 1);
    await client(few.server, get).closed;
    const silent = await served({ bounds: { ...bounds, idle: 50 } });
    await client(silent.server, '').closed;
    const slow = await served({ bounds: { ...bounds, request: 50 } });
    const { socket, closed } = client(
      slow.server,
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n',
    );
    const drip = setInterval(() => socket.write('x'), 10);
    await closed;
    clearInterval(drip);
  });

  it('drop the rest of a body behind its answer, but not without end', async () => {
    const { server } = await served({
      accept: (link) => {
        link.headers({ ':status': '403', 'content-length': '2' });
        link.send(Buffer.from('no'));
        link.close({ code: 0, message: '' });
        return ignoredEvents;
      },
    });
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n';
    const finite = client(server, head.replace('99999999', '1000000') + 'x'.repeat(1_000_000));
    await until(() => finite.text().endsWith('\r\nno'));
    finite.socket.write(head.replace('99999999', '0'));
    await until(() => finite.text().split('HTTP/1.1 403').length === 3);
    const endless = client(server, head);
    const more = (): void => {
      while (!endless.socket.destroyed && endless.socket.write(Buffer.alloc(1 << 16)));
    };
    endless.socket.on('drain', more);
    more();
    await endless.closed;
  });
});

describe('the refusals of an HTTP server', () => {
  it('have the form that its caller gives', async () => {
    const { server } = await served({ refusal: (reason) => ({ reason }) });
    const url = `http://127.0.0.1:${server.port}`;
    const foreign = await fetch(url, { headers: { origin: 'http://evil.example' } });
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { reason: /expected no Origin/ }]);
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(1001) });
    expect([large.status, large.headers.get('content-type'), await large.json()]).toEqual([
      413,
      'application/json',
      { reason: 'at most 1000 bytes are taken' },
    ]);
  });
});

describe('an answer in a pipeline', () => {
  it('has room when its own bytes have left, not those before it', async () => {
    const { server, links, drained } = await served();
    const { socket } = client(server, get.repeat(2));
    await until(() => links.length === 2);
    const piece = Buffer.alloc(1 << 20);
    for (const link of links) link.headers({ ':status': '200' });
    expect(links.map((link) => link.send(piece))).toEqual([false, false]);
    await until(() => drained.length > 0);
    // The first has no end yet, so nothing of the second can have left.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(drained).toEqual([0]);
    links[0]?.close({ code: 0, message: '' });
    await until(() => drained.includes(1));
    socket.destroy();
  });
});

describe('a client of HTTP', () => {
  it('tells why an exchange failed, and nothing when it let go itself', async () => {
    const causes: (string | undefined)[] = [];
    let ends = 0;
    const dial = dialHttp({ maxReceive: 1, failed: ({ code }) => causes.push(code) });
    const dialled = (): Link =>
      dial({ metadata: { ':url': 'http://127.0.0.1:1' } }, { ...ignoredEvents, ended: () => void ends++ });
    dialled().halfClose();
    await until(() => ends === 1);
    dialled().close({ code: 0, message: '' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([causes, ends]).toEqual([['ECONNREFUSED'], 1]);
  });
});
