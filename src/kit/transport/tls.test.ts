/** What is dialled over TLS: with a certificate that is trusted, and with one that is not. */
import { createServer as createHttps } from 'node:https';
import { createServer } from 'node:tls';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Accept, Link } from '../world/index.ts';
import { selfSigned } from './certificate.test-helper.ts';
import { dialHttp } from './http-client.ts';
import { checkTls, connectTcp } from './tcp.ts';
import { connectWebSocket } from './websocket.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const ca = selfSigned.cert;
const host = '127.0.0.1';
const maxReceive = 1 << 16;

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Takes one connection. @returns what comes on it, as one text, once it has come */
function taken(): { readonly accept: Accept; readonly link: Promise<Link>; readonly heard: Promise<string> } {
  let onLink: (link: Link) => void = () => {};
  let onMessage: (text: string) => void = () => {};
  const link = new Promise<Link>((resolve) => (onLink = resolve));
  const heard = new Promise<string>((resolve) => (onMessage = resolve));
  const accept: Accept = (made) => {
    onLink(made);
    return {
      headers: () => {},
      message: (bytes) => onMessage(Buffer.from(bytes).toString()),
      halfClose: () => {},
      ended: () => {},
      drained: () => {},
      ping: () => {},
    };
  };
  return { accept, link, heard };
}

const untrusted = /certificate is self-signed; give .* with --ca FILE \(target\.ca in the statement\)/;

describe('TCP over TLS', () => {
  const echo = (): Server => createServer(selfSigned, (socket) => socket.pipe(socket).on('error', () => {}));

  it('carries bytes when the certificate is trusted', async () => {
    const port = await listening(echo());
    const { accept, link, heard } = taken();
    open.push(await connectTcp({ host, port, accept, tls: { ca } }));
    (await link).send(Buffer.from('over TLS'));
    expect(await heard).toBe('over TLS');
  });

  it('is cut on demand, where it cannot be reset', async () => {
    const server = echo();
    const came = new Promise<Socket>((resolve) => server.on('secureConnection', resolve));
    const port = await listening(server);
    const endpoint = await connectTcp({ host, port, accept: taken().accept, tls: { ca } });
    const closed = new Promise((resolve) => void came.then((socket) => socket.on('close', resolve)));
    await came;
    endpoint.fault({ kind: 'reset' });
    await closed;
  });

  it('is refused in one sentence when the certificate is self-signed and not trusted', async () => {
    const port = await listening(echo());
    await expect(checkTls({ host, port }, {})).rejects.toThrow(untrusted);
    await expect(checkTls({ host, port }, { ca })).resolves.toBeUndefined();
  });

  it('is refused when nothing listens', async () => {
    await expect(connectTcp({ host, port: 1, accept: taken().accept, tls: {} })).rejects.toThrow(
      /cannot connect to 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });
});

describe('WebSocket over TLS', () => {
  it('keeps path and query, and shows a token', async () => {
    const server = createHttps(selfSigned);
    const sockets = new WebSocketServer({ server });
    const asked = new Promise((resolve) =>
      sockets.on('connection', (_, { url, headers }) => resolve([url, headers.authorization])),
    );
    const url = `wss://localhost:${await listening(server)}/agents/1?mode=test`;
    const headers = { authorization: 'Bearer t0ken' };
    open.push(await connectWebSocket({ url, headers, accept: taken().accept, maxReceive, ca }));
    expect(await asked).toEqual(['/agents/1?mode=test', 'Bearer t0ken']);
    await expect(connectWebSocket({ url, accept: taken().accept, maxReceive })).rejects.toThrow(untrusted);
  });

  it.each([
    ['binary', true],
    ['text', false],
  ] as const)('sends %s messages to protocols of such messages', async (messages, isBinary) => {
    const server = createHttps(selfSigned);
    const sockets = new WebSocketServer({ server });
    const came = new Promise((resolve) =>
      sockets.on('connection', (socket) =>
        socket.on('message', (data: Buffer, binary) => resolve([data.toString(), binary])),
      ),
    );
    const url = `wss://localhost:${await listening(server)}`;
    const { accept, link } = taken();
    open.push(await connectWebSocket({ url, accept, maxReceive, ca, messages }));
    (await link).send(Buffer.from('{}'));
    expect(await came).toEqual(['{}', isBinary]);
  });
});

describe('HTTP over TLS', () => {
  it('is asked when the certificate is trusted', async () => {
    const server = createHttps(selfSigned, (_, response) => response.end('here'));
    const url = `https://localhost:${await listening(server)}/v1`;
    const { accept, heard } = taken();
    const dial = dialHttp({ maxReceive, ca });
    const link = dial({ metadata: { ':url': url } }, accept(undefined as unknown as Link, {}));
    link.halfClose();
    expect(await heard).toBe('here');
  });
});

describe('a server that never answers', () => {
  const deaf = async (): Promise<number> => {
    const { createServer: createPlain } = await import('node:net');
    const held = new Set<Socket>();
    open.push({ close: () => held.forEach((socket) => socket.destroy()) });
    return listening(createPlain((socket) => void held.add(socket.on('error', () => {}))));
  };

  it('is given up, over a WebSocket and over TLS', async () => {
    const port = await deaf();
    const { accept } = taken();
    const patience = 100;
    await expect(
      connectWebSocket({ url: `ws://${host}:${port}`, accept, maxReceive, patience }),
    ).rejects.toThrow(`cannot connect to ws://${host}:${port}: Opening handshake has timed out`);
    const late = `cannot connect to ${host}:${port}: no answer in 100 ms`;
    await expect(connectTcp({ host, port, accept, tls: { ca }, patience })).rejects.toThrow(late);
    await expect(checkTls({ host, port, patience }, { ca })).rejects.toThrow(late);
  });
});
