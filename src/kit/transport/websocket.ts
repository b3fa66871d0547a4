/** WebSocket: listens for connections, or makes one. */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Metadata } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint, ByteWire } from './connections.ts';
import { corkTurn } from './cork.ts';
import { foreignPage } from './page-guard.ts';
import { wsPackage } from './packages.ts';
import { limitMessages } from './message-limit.ts';
import { bound } from './tcp.ts';
import { dialError } from './tls.ts';
import type { TlsTrust } from './tls.ts';
import { bytesOf, closedBy, roomy } from './websocket-link.ts';

/** The acceptor and the limits of the connections. */
interface WebSocketOptions {
  readonly accept: Accept;
  /** The largest message that is accepted (bytes); a larger one ends the connection with 1009. */
  readonly maxReceive: number;
  /**
   * The kind of the messages that are sent; default binary. Where it is binary, a received text counts as its bytes;
   * where it is text, a received binary message is marked as such.
   */
  readonly messages?: 'binary' | 'text';
  /** Whether the process may end while a listener listens; default false. */
  readonly background?: boolean;
}

function wireOf(socket: WebSocket, messages: WebSocketOptions['messages']): ByteWire {
  const binary = messages !== 'text';
  let drained = (): void => {};
  return {
    write(bytes, more) {
      if (socket.readyState !== socket.OPEN) return true;
      const room = roomy(socket);
      corkTurn(socket);
      socket.send(bytes, { binary, fin: !more }, () => {
        if (!room && roomy(socket)) drained();
      });
      return room;
    },
    end: () => socket.close(1000),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    destroy: () => socket.terminate(),
    hear(listener) {
      drained = listener.drained;
      socket.on('message', (data, isBinary) =>
        listener.message(bytesOf(data), isBinary && !binary ? 'binary' : undefined),
      );
      socket.on('error', () => {}); // the close event follows
      socket.on('close', (code, reason) => listener.ended(closedBy(code, reason)));
    },
  };
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export async function listenWebSocket(
  options: WebSocketOptions & { readonly host: string; readonly port: number },
): Promise<ByteEndpoint> {
  const { host, port, accept, maxReceive, messages, background = false } = options;
  const connections = new Connections('ws', accept);
  const http = createServer(
    (_, response) => void response.writeHead(426).end('a WebSocket is expected here\n'),
  );
  const { WebSocketServer } = wsPackage();
  const server = new WebSocketServer({
    server: http,
    maxPayload: maxReceive,
    perMessageDeflate: false,
    clientTracking: false,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) =>
      foreignPage(req.headers, { host }) === undefined,
  });
  server.on('error', () => {}); // `bound` reports the same error
  server.on('connection', (socket, request) => {
    limitMessages(socket, request.socket);
    connections.add(wireOf(socket, messages));
  });
  if (background) http.on('connection', (socket) => void socket.unref());
  const at = await bound(http, host, port);
  if (background) http.unref();
  const close = (): void => {
    connections.close();
    server.close();
    http.close();
    http.closeAllConnections();
  };
  return { port: at, fault: (fault) => connections.fault(fault), close };
}

/** Dials. @throws WireproofError 'environment' when there is no WebSocket, or its certificate is not trusted */
export async function connectWebSocket(
  options: WebSocketOptions & TlsTrust & { readonly url: string; readonly headers?: Metadata },
): Promise<ByteEndpoint> {
  const { url, accept, maxReceive, messages, headers = {}, ca } = options;
  const connections = new Connections('ws', accept);
  const { WebSocket } = wsPackage();
  const trust = ca === undefined ? {} : { ca };
  const socket = new WebSocket(url, { headers, maxPayload: maxReceive, perMessageDeflate: false, ...trust });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      // At once: messages that came with the handshake are emitted before any promise callback runs.
      connections.add(wireOf(socket, messages));
      resolve();
    });
    socket.once('error', (cause) => reject(dialError(url, cause)));
  });
  return { port: 0, fault: (fault) => connections.fault(fault), close: () => connections.close() };
}
