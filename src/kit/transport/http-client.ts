/**
 * Makes HTTP exchanges and WebSockets as links. The messages until the half-close are the request's body. The answer is
 * headers (with `:status`), then messages: its body, piece by piece.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Metadata } from '../base/index.ts';
import type { Dial, Link, LinkEvents } from '../world/index.ts';
import { orderly } from './connections.ts';
import { plainHeaders, split } from './http-metadata.ts';
import { wsPackage } from './packages.ts';
import type { TlsTrust } from './tls.ts';
import { webSocketLink } from './websocket-link.ts';

/** The limits, the names and the trusted certificates of an HTTP client. */
export interface HttpDialOptions extends TlsTrust {
  /** The largest WebSocket message that is accepted (bytes). */
  readonly maxReceive: number;
  /** A prefix for the names of connections and exchanges, to keep them apart from others in a trace. */
  readonly prefix?: string;
  /** Gets the reason of an HTTP exchange that fails, before its end. */
  readonly failed?: (cause: NodeJS.ErrnoException) => void;
  /**
   * Whether requests ask to keep their connection, as SDKs do. Absent: they ask to close it. The metadata
   * `:connection` of an exchange says which connection it takes: absent: its own; `keep`: the one that the dial shares,
   * which stays open; `last`: the shared one, which is then closed. The answer's `:connection` says whether the shared
   * one was `new` or `reused`.
   */
  readonly keepsAlive?: boolean;
}

/**
 * Dials over HTTP. The metadata has the destination: `:url` (http, https, ws or wss), `:method` (default POST), headers.
 *
 * @example
 * const dial = dialHttp({ maxReceive: 1 << 20 });
 */
export function dialHttp(options: HttpDialOptions): Dial {
  const { maxReceive, prefix = '', ca, failed = () => {}, keepsAlive = false } = options;
  const trust = ca === undefined ? {} : { ca };
  const pool = new AgentPool(keepsAlive);
  let count = 0;
  return ({ metadata }, events) => {
    const name = String(++count);
    const named = { conn: `${prefix}c${name}`, stream: `${prefix}s${name}` };
    const url = metadata[':url'] ?? '';
    if (/^wss?:/.test(url))
      return dialSocket(url, metadata, named, events, { ...trust, maxPayload: maxReceive });
    return new ClientExchange(url, metadata, named, events, { trust, failed, pool });
  };
}

type Agent = HttpAgent | HttpsAgent;

/** The agents of one dial: an agent of its own for each exchange, and one that exchanges may share. */
class AgentPool {
  readonly #keepsAlive: boolean;
  /** The sockets that a request has used. `request.reusedSocket` is false for one that waited for its socket. */
  readonly #used = new WeakSet<Socket>();
  #shared: Agent | undefined;

  constructor(keepsAlive: boolean) {
    this.#keepsAlive = keepsAlive;
  }

  /** A new agent with one connection; false: the request asks to close it. */
  own(url: string): Agent | false {
    if (!this.#keepsAlive) return false;
    const options = { keepAlive: true, maxSockets: 1 };
    return url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
  }

  shared(url: string): Agent | false {
    return (this.#shared ??= this.own(url) || undefined) ?? false;
  }

  /** Takes the socket of a request. @returns whether an earlier request used it */
  use(socket: Socket): boolean {
    const used = this.#used.has(socket);
    this.#used.add(socket);
    return used;
  }

  /** Closes the shared connection. */
  closeShared(): void {
    this.#shared?.destroy();
    this.#shared = undefined;
  }
}

/** The errors of a connection that the server closed while it was idle: such a request is sent again (RFC 9112, 9.3.1). */
const closedIdle: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

function dialSocket(
  url: string,
  metadata: Metadata,
  named: { readonly conn: string; readonly stream: string },
  events: LinkEvents,
  options: TlsTrust & { readonly maxPayload: number },
): Link {
  const { headers } = split(metadata);
  const { WebSocket } = wsPackage();
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, ...options });
  let made: Link | undefined;
  socket.once('open', () => events.headers({ ':status': '101' }));
  // An upgrade that is refused has a head, and the end follows.
  socket.once('unexpected-response', (_, response) => {
    events.headers({ ':status': String(response.statusCode ?? 0), ...plainHeaders(response.headers) });
    socket.terminate();
  });
  webSocketLink(socket, named, (link) => {
    made = link;
    return events;
  });
  return made as Link;
}

interface ExchangeOptions {
  readonly trust: TlsTrust;
  readonly failed: (cause: NodeJS.ErrnoException) => void;
  readonly pool: AgentPool;
}

/** One request and its answer, from the client's end. */
class ClientExchange implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly #events: LinkEvents;
  readonly #options: ExchangeOptions;
  readonly #start: (agent: Agent | false) => ClientRequest;
  /** How it shares a connection; see {@link HttpDialOptions.keepsAlive}. */
  readonly #shares: string | undefined;
  /** The body that was sent, to send it again; only on a shared connection. */
  readonly #body: Uint8Array[] = [];
  #agent: Agent | false;
  #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #asked = false;
  /** Whether an earlier exchange used its connection. */
  #reuses = false;
  #over = false;

  constructor(
    url: string,
    metadata: Metadata,
    { conn, stream }: { readonly conn: string; readonly stream: string },
    events: LinkEvents,
    options: ExchangeOptions,
  ) {
    this.conn = conn;
    this.stream = stream;
    this.#events = events;
    this.#options = options;
    const { pool, trust } = options;
    const { headers } = split(metadata);
    const method = metadata[':method'] ?? 'POST';
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    this.#start = (agent) => this.#heard(request(url, { method, headers, agent, ...trust }));
    this.#shares = metadata[':connection'];
    // A connection for each exchange, so that the other side sees at once when it is closed.
    this.#agent = this.#shares === undefined ? pool.own(url) : pool.shared(url);
    this.#request = this.#start(this.#agent);
  }

  #heard(request: ClientRequest): ClientRequest {
    request.setNoDelay(true);
    request.on('socket', (socket) => (this.#reuses = this.#options.pool.use(socket)));
    request.on('response', (response) => this.#answered(response));
    request.on('error', (cause) => this.#failed(request, cause));
    request.on('drain', () => this.#events.drained());
    return request;
  }

  #answered(response: IncomingMessage): void {
    this.#response = response;
    if (this.#over) return;
    const shared = this.#shares === undefined ? {} : { ':connection': this.#reuses ? 'reused' : 'new' };
    this.#events.headers({
      ':status': String(response.statusCode ?? 0),
      ...shared,
      ...plainHeaders(response.headers),
    });
    response.on('data', (chunk: Buffer) => {
      if (!this.#over) this.#events.message(chunk);
    });
    response.on('end', () => this.#ended(orderly));
    response.on('error', () => this.#ended(undefined));
    response.on('close', () => this.#ended(undefined));
  }

  #failed(request: ClientRequest, cause: NodeJS.ErrnoException): void {
    if (this.#over || request !== this.#request) return;
    if (this.#reuses && this.#response === undefined && closedIdle.has(cause.code)) return this.#again();
    this.#options.failed(cause);
    this.#ended(undefined);
  }

  /** Sends the request again, on a new connection. */
  #again(): void {
    this.#request = this.#start(this.#agent);
    for (const bytes of this.#body) this.#request.write(bytes);
    if (this.#asked) this.#request.end();
  }

  #ended(status: typeof orderly | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#leave();
    this.#events.ended(status);
  }

  /** Closes the connection, unless it is kept for another exchange. */
  #leave(): void {
    if (this.#shares === 'last') this.#options.pool.closeShared();
    else if (this.#shares === undefined && this.#agent !== false) this.#agent.destroy();
  }

  /** A request's headers are its metadata. */
  headers(): void {}

  send(bytes: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#shares !== undefined) this.#body.push(bytes);
    return this.#request.write(bytes);
  }

  halfClose(): void {
    this.#asked = true;
    if (!this.#over) this.#request.end();
  }

  /** Closes the connection. Before the end of the answer that is an abort. */
  close(): void {
    this.#over = true;
    this.#request.destroy();
    this.#leave();
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }
}
