/** WebSocket: listens for connections, or makes one. */
import type { WebSocket } from 'ws';
import type { Metadata } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint, ByteWire } from './connections.ts';
import { openHttpRoom } from './http-room.ts';
import type { HttpServerBounds } from './http-bounds.ts';
import { reportKitFault } from './kit-fault.ts';
import type { OnKitFault } from './kit-fault.ts';
import { wsPackage } from './packages.ts';
import { dialError, dialPatience } from './tls.ts';
import type { TlsTrust } from './tls.ts';
import { bytesOf, closedBy, contained, sendOn } from './websocket-link.ts';

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
}

/** The address of a listener, and its bounds. */
interface WebSocketListenOptions extends WebSocketOptions {
  readonly host: string;
  readonly port: number;
  /** Whether the process may end while it listens; default false. */
  readonly background?: boolean;
  /** Other bounds than the defaults. */
  readonly bounds?: Partial<HttpServerBounds>;
  /** Takes a fault of the kit, which closes its connection; default: it is printed, and counted. */
  readonly fault?: OnKitFault;
}

/** @param fault - takes faults of the kit; absent: they are thrown */
function wireOf(socket: WebSocket, messages: WebSocketOptions['messages'], fault?: OnKitFault): ByteWire {
  const binary = messages !== 'text';
  let drained = (): void => {};
  return {
    write(bytes, more) {
      if (socket.readyState !== socket.OPEN) return true;
      return sendOn(socket, bytes, { binary, fin: !more }, () => drained());
    },
    end: () => socket.close(1000),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    destroy: () => socket.terminate(),
    hear(given) {
      const listener = fault === undefined ? given : contained(socket, given, fault);
      drained = () => listener.drained();
      socket.on('message', (data, isBinary) =>
        listener.message(bytesOf(data), isBinary && !binary ? 'binary' : undefined),
      );
      socket.on('error', () => {}); // the close event follows
      socket.on('close', (code, reason) => listener.ended(closedBy(code, reason)));
    },
  };
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export async function listenWebSocket(options: WebSocketListenOptions): Promise<ByteEndpoint> {
  const { accept, messages, fault = reportKitFault } = options;
  const connections = new Connections('ws', accept);
  const room = await openHttpRoom(options, {
    request: (_, response) => void response.writeHead(426).end('a WebSocket is expected here\n'),
    webSocket: (socket) => connections.add(wireOf(socket, messages, fault)),
  });
  const close = (): void => {
    connections.close();
    void room.close();
  };
  return { port: room.port, fault: (disturbance) => connections.fault(disturbance), close };
}

/** Dials. @throws WireproofError 'environment' when there is no WebSocket, it does not answer in time, or its certificate is not trusted */
export async function connectWebSocket(
  options: WebSocketOptions &
    TlsTrust & {
      readonly url: string;
      readonly headers?: Metadata;
      /** The longest time until the handshake is over (ms). */
      readonly patience?: number;
    },
): Promise<ByteEndpoint> {
  const { url, accept, maxReceive, messages, headers = {}, ca, patience = dialPatience } = options;
  const connections = new Connections('ws', accept);
  const { WebSocket } = wsPackage();
  const trust = ca === undefined ? {} : { ca };
  const socket = new WebSocket(url, {
    headers,
    maxPayload: maxReceive,
    perMessageDeflate: false,
    handshakeTimeout: patience,
    ...trust,
  });
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
