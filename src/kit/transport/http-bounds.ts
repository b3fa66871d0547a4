/** Bounds on the clients of an HTTP server, in Node's words. */
import type { Server, ServerOptions, ServerResponse } from 'node:http';

/** The bounds on the clients of a server. A connection that exceeds one is closed without an answer. */
export interface HttpServerBounds {
  /** The longest time for a request to arrive (ms). */
  readonly request: number;
  /** The longest time in which nothing is sent and nothing is read (ms); longer than an answer takes to begin. */
  readonly idle: number;
  /** The most connections at a time. */
  readonly connections: number;
  /** The most open requests of a connection: a client of HTTP/1.1 can send any number at once. */
  readonly pipelined: number;
}

/** How often Node looks for requests that take too long (ms), at most. */
const interval = 5000;

/** The options of a server for the time of a request. */
export const requestTimes = (bounds: HttpServerBounds | undefined): ServerOptions =>
  bounds === undefined
    ? { requestTimeout: 0 }
    : {
        requestTimeout: bounds.request,
        headersTimeout: bounds.request,
        connectionsCheckingInterval: Math.min(bounds.request, interval),
      };

/** Bounds the connections of a server. */
export function boundConnections(server: Server, bounds: HttpServerBounds | undefined): void {
  if (bounds === undefined) return;
  server.maxConnections = bounds.connections;
  server.setTimeout(bounds.idle);
}

/** Counts the open requests of each connection. The function tells whether a new one is beyond the bound. */
export function tooMany(bounds: HttpServerBounds | undefined): (response: ServerResponse) => boolean {
  if (bounds === undefined) return () => false;
  const open = new WeakMap<object, number>();
  return (response) => {
    const { socket } = response.req;
    const count = (open.get(socket) ?? 0) + 1;
    open.set(socket, count);
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    return count > bounds.pipelined;
  };
}
