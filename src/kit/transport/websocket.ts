/** WebSocket: listens for connections, or makes one. A binary message is a message; a text one is taken as its bytes. */
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import type { RawData } from 'ws';
import { WireproofError } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { Wires, orderly } from './carriage.ts';
import type { Carriage, Wire } from './carriage.ts';
import { bound } from './tcp.ts';

/** Who takes the connections, and what they may carry. */
interface WebSocketOptions {
  readonly accept: Accept;
  /** Largest message taken (bytes); a larger one ends the connection with 1009. */
  readonly maxReceive: number;
  /** Hears of each connection. */
  readonly onConnect?: () => void;
}

/** Bytes that wait to be sent before the carrier counts as full. */
const full = 1 << 20;
/** Close codes of an orderly end: normal, going away, none given (RFC 6455, 7.4.1). */
const fine: readonly number[] = [1000, 1001, 1005];
/** The connection vanished without a close (RFC 6455, 7.4.1). */
const vanished = 1006;

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;

function wire(socket: WebSocket): Wire {
  let drained = (): void => {};
  return {
    write(bytes, more) {
      if (socket.readyState !== WebSocket.OPEN) return true;
      const roomy = socket.bufferedAmount < full;
      socket.send(bytes, { binary: true, fin: !more }, () => {
        if (!roomy && socket.bufferedAmount < full) drained();
      });
      return roomy;
    },
    end: () => socket.close(1000),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    destroy: () => socket.terminate(),
    hear(ears) {
      drained = ears.drained;
      socket.on('message', (data) => ears.message(bytesOf(data)));
      socket.on('error', () => {}); // the close that follows says it
      socket.on('close', (code, reason) => {
        if (code === vanished) ears.ended(undefined);
        else ears.ended(fine.includes(code) ? orderly : { code, message: reason.toString('utf8') });
      });
    },
  };
}

/** Listens. @throws WireproofError 'environment' when the address cannot be had */
export async function listenWebSocket(
  options: WebSocketOptions & { readonly host: string; readonly port: number },
): Promise<Carriage> {
  const { host, port, accept, maxReceive, onConnect } = options;
  const wires = new Wires('ws', accept);
  const http = createServer(
    (_, response) => void response.writeHead(426).end('a WebSocket is expected here\n'),
  );
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
): Promise<Carriage> {
  const { url, accept, maxReceive, onConnect } = options;
  const wires = new Wires('ws', accept);
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
