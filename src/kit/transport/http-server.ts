/**
 * Serves HTTP exchanges and WebSockets on one port: each request, and each WebSocket, becomes a {@link Link}. The body of
 * a request is one message. Each sent message is a piece of the answer's body, and leaves at once.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { Json, Metadata, Status } from '../base/index.ts';
import type { Accept, Link, LinkEvents } from '../world/index.ts';
import { bodies } from './bodies.ts';
import { limitMessages } from './message-limit.ts';
import { bound } from './tcp.ts';
import { orderly } from './connections.ts';
import { onceFlushed } from './flushed.ts';
import { chunkOf } from './http-chunk.ts';
import { boundConnections, requestTimes } from './http-bounds.ts';
import type { HttpServerBounds } from './http-bounds.ts';
import { plainHeaders, split } from './http-metadata.ts';
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
  let count = 0;
  const server = createServer(requestTimes(options.bounds), (request, response) => {
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
      webSocketLink(ws, named, (link) => accept(link, metadataOf(request, 'ws')));
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

function metadataOf(request: IncomingMessage, carrier: 'http' | 'ws'): Metadata {
  return {
    ':carrier': carrier,
    ':method': request.method ?? 'GET',
    ':path': request.url ?? '/',
    ...plainHeaders(request.headers),
  };
}

/** With this many bytes waiting to be sent, an exchange is full. */
const full = 1 << 16;

/** From this size on (bytes), copying a piece into its chunk costs more than the writes that it saves. */
const worthWrites = 4096;

/** A resolved promise: its callbacks run at the end of this turn. queueMicrotask would create an async resource per call. */
const turnOver = Promise.resolve();

/** One request and its answer. */
class ServerExchange implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #over = false;
  #events: LinkEvents | undefined;
  /** Pieces sent in this turn. They leave as one write, because a write is most of the cost of sending. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether its first piece has left. */
  #written = false;
  /** Whether the exchange was full, and has not drained since. */
  #full = false;
  #refusal: HttpServerOptions['refusal'];

  constructor(request: IncomingMessage, response: ServerResponse, conn: string, stream: string) {
    this.#request = request;
    this.#response = response;
    this.conn = conn;
    this.stream = stream;
  }

  begin(accept: Accept, { maxReceive, refusal }: HttpServerOptions): void {
    this.#refusal = refusal;
    this.#request.socket.setNoDelay(true);
    const events = accept(this, metadataOf(this.#request, 'http'));
    this.#events = events;
    const { socket } = this.#request;
    // A client of HTTP/1.1 may send many requests at once. Each exchange listens until it ends.
    socket.setMaxListeners(0);
    socket.on('drain', this.#drained);
    this.#response.on('close', () => {
      socket.off('drain', this.#drained);
      this.#gone();
    });
    this.#response.on('error', () => this.#gone());
    this.#request.on('error', () => this.#gone());
    this.#body(events, maxReceive);
  }

  #body(events: LinkEvents, maxReceive: number): void {
    const request = this.#request;
    let chunks: Buffer[] = [];
    const body = {
      size: 0,
      refuse: () => {
        chunks = [];
        this.#refuse(503, 'too many large bodies are in flight; send this one again later');
      },
    };
    request.on('data', (chunk: Buffer) => {
      if (this.#over) return;
      body.size += chunk.length;
      chunks.push(chunk);
      bodies.grew(body, chunk.length);
      if (body.size <= maxReceive) return;
      chunks = [];
      this.#refuse(413, `at most ${maxReceive} bytes are taken`);
    });
    request.on('close', () => bodies.done(body));
    request.on('end', () => {
      bodies.done(body);
      if (this.#over) return;
      if (body.size > 0) events.message(joined(chunks.splice(0)));
      events.halfClose();
    });
  }

  #refuse(status: number, why: string): void {
    if (this.#response.headersSent) return;
    const retry = status === 503 ? { 'retry-after': '1' } : {};
    const json = this.#refusal?.(why);
    const type = json === undefined ? 'text/plain' : 'application/json';
    this.#response.writeHead(status, { 'content-type': type, connection: 'close', ...retry });
    const body = json === undefined ? why : JSON.stringify(json);
    this.#response.end(`${body}\n`, () => this.#request.destroy());
    this.#gone();
  }

  #gone(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events?.ended(undefined);
  }

  headers(metadata: Metadata): void {
    if (this.#over || this.#response.headersSent) return;
    const { status, headers } = split(metadata);
    this.#response.writeHead(status, headers);
    // The headers leave with the pieces of the same turn, or alone.
    setImmediate(() => {
      if (!this.#over) this.#response.flushHeaders();
    });
  }

  send(bytes: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#pending.length === 0) void turnOver.then(this.#flush);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#full ||= this.#pendingBytes + this.#response.writableLength >= full;
    return !this.#full;
  }

  readonly #drained = (): void => {
    if (!this.#full) return;
    this.#full = false;
    this.#events?.drained();
  };

  readonly #flush = (): void => {
    const pending = this.#pending;
    if (pending.length === 0 || this.#response.destroyed) return;
    this.#pending = [];
    this.#pendingBytes = 0;
    const gone = this.#write(joined(pending));
    // No drain event follows a write that left at once: report it after the other work of this turn.
    if (gone && this.#full) setImmediate(this.#drained);
  };

  /**
   * The first piece leaves with the headers. Small later pieces are framed here, once the answer has the connection.
   *
   * @returns whether more may be written; otherwise a drain follows
   */
  #write(body: Uint8Array): boolean {
    const response = this.#response;
    const small = this.#written && body.length < worthWrites;
    const framed = small && response.chunkedEncoding && response.socket !== null;
    this.#written = true;
    return framed ? response.socket.write(chunkOf(body)) : response.write(body);
  }

  /** The answer ends when its body ends. */
  halfClose(): void {
    this.close(orderly);
  }

  /** Code 0 ends the answer in order; any other resets the connection, once everything sent has arrived. */
  close(status: Status): void {
    if (this.#over) return;
    this.#flush();
    this.#over = true;
    if (status.code === 0) this.#response.end();
    else this.#reset();
  }

  #reset(): void {
    const { socket } = this.#request;
    onceFlushed(socket, () => socket.resetAndDestroy());
  }

  pause(): void {
    this.#request.pause();
  }

  resume(): void {
    this.#request.resume();
  }
}

/** The bytes of all chunks. One chunk is not copied. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
