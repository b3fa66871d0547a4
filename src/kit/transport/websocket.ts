/** WebSocket: listens for connections, or makes one. A binary message is a message; a text one is taken as its bytes. */
import { createServer } from 'node:http';
import type { WebSocket } from 'ws';
import { WireproofError } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint, ByteWire } from './connections.ts';
import { wsPackage } from './packages.ts';
import { bound } from './tcp.ts';
import { bytesOf, closedBy, roomy } from './websocket-link.ts';

/** Who takes the connections, and what they may carry. */
interface WebSocketOptions {
  readonly accept: Accept;
  /** Largest message taken (bytes); a larger one ends the connection with 1009. */
  readonly maxReceive: number;
  /** Hears of each connection. */
  readonly onConnect?: () => void;
}

function wire(socket: WebSocket): ByteWire {
  let drained = (): void => {};
  return {
    write(bytes, more) {
      if (socket.readyState !== socket.OPEN) return true;
      const room = roomy(socket);
      socket.send(bytes, { binary: true, fin: !more }, () => {
        if (!room && roomy(socket)) drained();
      });
      return room;
    },
    end: () => socket.close(1000),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    destroy: () => socket.terminate(),
    hear(ears) {
      drained = ears.drained;
      socket.on('message', (data) => ears.message(bytesOf(data)));
      socket.on('error', () => {}); // the close that follows says it
      socket.on('close', (code, reason) => ears.ended(closedBy(code, reason)));
    },
  };
}

/** Listens. @throws WireproofError 'environment' when the address cannot be had */
export async function listenWebSocket(
  options: WebSocketOptions & { readonly host: string; readonly port: number },
): Promise<ByteEndpoint> {
  const { host, port, accept, maxReceive, onConnect } = options;
  const wires = new Connections('ws', accept);
  const http = createServer(
    (_, response) => void response.writeHead(426).end('a WebSocket is expected here\n'),
  );
  const { WebSocketServer } = wsPackage();
  const server = new WebSocketServer({
    server: http,
    maxPayload: maxReceive,
    perMessageDeflate: false,
    clientTracking: false,
  });
  server.on('error', () => {}); // it repeats the one that `bound` refuses with
  server.on('connection', (socket) => {
    onConnect?.();
    wires.add(wire(socket));
  });
  const at = await bound(http, host, port);
  const close = (): void => {
    wires.close();
    server.close();
    http.close();
    http.closeAllConnections();
  };
  return { port: at, fault: (fault) => wires.fault(fault), close };
}

/** Dials. @throws WireproofError 'environment' when there is no WebSocket at that URL */
export async function connectWebSocket(
  options: WebSocketOptions & { readonly url: string },
): Promise<ByteEndpoint> {
  const { url, accept, maxReceive, onConnect } = options;
  const wires = new Connections('ws', accept);
  const { WebSocket } = wsPackage();
  const socket = new WebSocket(url, { maxPayload: maxReceive, perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      // At once: what came with the handshake is given out before any promise is.
      onConnect?.();
      wires.add(wire(socket));
      resolve();
    });
    socket.once('error', (cause) =>
      reject(new WireproofError('environment', `cannot connect to ${url}: ${cause.message}`, { cause })),
    );
  });
  return { port: 0, fault: (fault) => wires.fault(fault), close: () => wires.close() };
}
