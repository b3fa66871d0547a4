/** Bounds on the clients of a server. Each has a default: a caller may change the numbers, and not leave a bound out. */
import type { ServerOptions } from 'node:http';

/** The bounds on the clients of a server. A connection that exceeds one is closed without an answer. */
export interface HttpServerBounds {
  /** The longest time for a request to arrive (ms). Its head has at most a minute of it. */
  readonly request: number;
  /** The longest time in which nothing is sent and nothing is read (ms); longer than an answer takes to begin. */
  readonly idle: number;
  /** The most connections at a time. A further one takes the place of one that waits for no answer. */
  readonly connections: number;
  /** The most open requests of a connection: a client of HTTP/1.1 can send any number at once. */
  readonly pipelined: number;
}

/**
 * The defaults. They leave time to slow clients, to debuggers, and to answers that a scenario holds for hours: a connection
 * that waits for an answer costs little.
 */
export const httpServerBounds: HttpServerBounds = {
  request: 5 * 60_000,
  idle: 24 * 3_600_000,
  connections: 4096,
  pipelined: 64,
};

/** The longest time for the head of a request (ms), as Node has it. */
const head = 60_000;

/** How often Node looks for requests that take too long (ms), at most. */
const interval = 5000;

export const requestTimes = ({ request }: HttpServerBounds): ServerOptions => ({
  requestTimeout: request,
  headersTimeout: Math.min(request, head),
  connectionsCheckingInterval: Math.min(request, interval),
});
