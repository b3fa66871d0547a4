/**
 * Makes HTTP exchanges and WebSockets as links. The messages until the half-close are the request's body. The answer is
 * headers (with `:status`), then messages: its body, piece by piece.
 */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
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
}

/**
 * Dials over HTTP. The metadata has the destination: `:url` (http, https, ws or wss), `:method` (default POST), headers.
 *
 * @example
 * const dial = dialHttp({ maxReceive: 1 << 20 });
 */
export function dialHttp({ maxReceive, prefix = '', ca, failed = () => {} }: HttpDialOptions): Dial {
  const trust = ca === undefined ? {} : { ca };
  let count = 0;
  return ({ metadata }, events) => {
    const name = String(++count);
    const named = { conn: `${prefix}c${name}`, stream: `${prefix}s${name}` };
    const url = metadata[':url'] ?? '';
    if (/^wss?:/.test(url))
      return dialSocket(url, metadata, named, events, { ...trust, maxPayload: maxReceive });
    return new ClientExchange(url, metadata, named, events, { trust, failed });
  };
}

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
  webSocketLink(socket, named, (link) => {
    made = link;
    return events;
  });
  return made as Link;
}

/** One request and its answer, from the client's end. */
class ClientExchange implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly #events: LinkEvents;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #over = false;

  constructor(
    url: string,
    metadata: Metadata,
    { conn, stream }: { readonly conn: string; readonly stream: string },
    events: LinkEvents,
    { trust, failed }: { readonly trust: TlsTrust; readonly failed: (cause: Error) => void },
  ) {
    this.conn = conn;
    this.stream = stream;
    this.#events = events;
    const { headers } = split(metadata);
    const start = url.startsWith('https:') ? httpsRequest : httpRequest;
    // A connection for each exchange, so that the other side sees at once when it is closed.
    this.#request = start(url, { method: metadata[':method'] ?? 'POST', headers, agent: false, ...trust });
    this.#request.setNoDelay(true);
    this.#request.on('response', (response) => this.#answered(response));
    this.#request.on('error', (cause) => {
      if (!this.#over) failed(cause);
      this.#ended(undefined);
    });
    this.#request.on('drain', () => events.drained());
  }

  #answered(response: IncomingMessage): void {
    this.#response = response;
    if (this.#over) return;
    this.#events.headers({ ':status': String(response.statusCode ?? 0), ...plainHeaders(response.headers) });
    response.on('data', (chunk: Buffer) => {
      if (!this.#over) this.#events.message(chunk);
    });
    response.on('end', () => this.#ended(orderly));
    response.on('error', () => this.#ended(undefined));
    response.on('close', () => this.#ended(undefined));
  }

  #ended(status: typeof orderly | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.ended(status);
  }

  /** A request's headers are its metadata. */
  headers(): void {}

  send(bytes: Uint8Array): boolean {
    return this.#over || this.#request.write(bytes);
  }

  halfClose(): void {
    if (!this.#over) this.#request.end();
  }

  /** Closes the connection. Before the end of the answer that is an abort. */
  close(): void {
    this.#over = true;
    this.#request.destroy();
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }
}
