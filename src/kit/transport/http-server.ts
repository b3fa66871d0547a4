/**
 * Serves HTTP exchanges and WebSockets on one port: each request, and each WebSocket, becomes a {@link Link}. The body of
 * a request is one message. Each sent message is a piece of the answer's body, and leaves at once.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { Json } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { limitMessages } from './message-limit.ts';
import { bound } from './tcp.ts';
import { boundConnections, requestTimes, tooMany } from './http-bounds.ts';
import type { HttpServerBounds } from './http-bounds.ts';
import { requestMetadata, ServerExchange } from './http-exchange.ts';
import { foreignPage } from './page-guard.ts';
import { wsPackage } from './packages.ts';
import { webSocketLink } from './websocket-link.ts';

/** How a server is set up. */
export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /**
   * Takes each exchange. Its metadata: `:carrier` (`http` or `ws`), `:method`, `:path` with its query, and the headers.
   * The acceptor gives `:status` and the headers of the answer before it sends anything.
   */
  readonly accept: Accept;
  /** The largest body of a request, and the largest WebSocket message (bytes); a larger one is refused with 413, or 1009. */
  readonly maxReceive: number;
  /** Whether the process may end while this server listens; default false. */
  readonly background?: boolean;
  /** A prefix for the names of connections and exchanges, to keep them apart from others in a trace. */
  readonly prefix?: string;
  /** Origins of web pages that may call, beside pages of this machine; `*`: any. */
  readonly origins?: readonly string[] | undefined;
  /** Makes the JSON of a refusal by the server itself: a foreign page, a body that is too large. Absent: its own forms. */
  readonly refusal?: (message: string) => Json;
  /** Absent: a client may take any time, and make any number of connections. */
  readonly bounds?: HttpServerBounds;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export async function listenHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, accept, maxReceive, prefix = '' } = options;
  const conns = new Names(prefix);
  const isTooMany = tooMany(options.bounds);
  let count = 0;
  const server = createServer(requestTimes(options.bounds), (request, response) => {
    if (isTooMany(response)) return void request.socket.destroy();
    const foreign = foreignPage(request.headers, options);
    if (foreign !== undefined) return refusePage(response, foreign, options);
    const link = new ServerExchange(request, response, conns.of(request.socket), `${prefix}s${++count}`);
    link.begin(accept, options);
  });
  boundConnections(server, options.bounds);
  let sockets: WebSocketServer | undefined;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (foreignPage(request.headers, options) !== undefined) return void socket.end(forbidden);
    sockets ??= upgrades(maxReceive);
    sockets.handleUpgrade(request, socket, head, (ws) => {
      limitMessages(ws, socket);
      const named = { conn: conns.of(socket), stream: `${prefix}s${++count}` };
      webSocketLink(ws, named, (link) => accept(link, requestMetadata(request, 'ws')));
    });
  });
  server.on('clientError', (_, socket) => socket.destroy());
  if (options.background === true) server.on('connection', (socket) => void socket.unref());
  const at = await bound(server, host, port);
  if (options.background === true) server.unref();
  return {
    port: at,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets?.clients ?? []) socket.terminate();
        sockets?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const forbidden = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

function refusePage(response: ServerResponse, message: string, { refusal }: HttpServerOptions): void {
  const body = refusal?.(message) ?? { error: { type: 'forbidden', message } };
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(`${JSON.stringify(body)}\n`);
}

/** The server that upgrades requests to WebSockets. */
function upgrades(maxPayload: number): WebSocketServer {
  const { WebSocketServer } = wsPackage();
  return new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, clientTracking: true });
}

/** Names of connections: c1, c2 and so on, in the order of their first request. */
class Names {
  readonly #names = new WeakMap<object, string>();
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(socket: object): string {
    let name = this.#names.get(socket);
    if (name === undefined) this.#names.set(socket, (name = `${this.#prefix}c${++this.#count}`));
    return name;
  }
}
