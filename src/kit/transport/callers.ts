/** The connections of a server and their open exchanges: who keeps a place when there are too many. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { HttpServerBounds } from './http-bounds.ts';

/** What a connection has open. */
interface Caller {
  /** Requests whose answers are not whole. */
  readonly open: Set<IncomingMessage>;
  isWebSocket: boolean;
}

export class Callers {
  readonly #bounds: HttpServerBounds;
  /** In the order in which they came. */
  readonly #callers = new Map<Duplex, Caller>();

  constructor(bounds: HttpServerBounds) {
    this.#bounds = bounds;
  }

  /** Takes a connection, in the place of one without use where there are too many; or closes it. */
  add(socket: Socket): void {
    if (this.#callers.size >= this.#bounds.connections && !this.#makePlace()) return void socket.destroy();
    this.#callers.set(socket, { open: new Set(), isWebSocket: false });
    socket.once('close', () => this.#callers.delete(socket));
  }

  /** Notes a request until its answer is whole or lost. @returns whether its connection has too many */
  begins(request: IncomingMessage, response: ServerResponse): boolean {
    const open = this.#callers.get(request.socket)?.open;
    if (open === undefined || open.size >= this.#bounds.pipelined) return true;
    open.add(request);
    response.once('close', () => open.delete(request));
    return false;
  }

  /** Notes that a connection has become a WebSocket. */
  upgraded(socket: Duplex): void {
    const caller = this.#callers.get(socket);
    if (caller !== undefined) caller.isWebSocket = true;
  }

  /**
   * Closes the oldest connection that waits for no answer, such as an idle one or a request that does not come to its end;
   * else the oldest that does not read.
   */
  #makePlace(): boolean {
    const place = this.#oldest((_, caller) => !isServed(caller)) ?? this.#oldest(isStuck);
    if (place === undefined) return false;
    this.#callers.delete(place);
    place.destroy();
    return true;
  }

  #oldest(fits: (socket: Duplex, caller: Caller) => boolean): Duplex | undefined {
    for (const [socket, caller] of this.#callers) if (fits(socket, caller)) return socket;
    return undefined;
  }
}

/** Whether a connection waits for an answer, or is a WebSocket. */
function isServed({ open, isWebSocket }: Caller): boolean {
  if (isWebSocket) return true;
  for (const { complete } of open) if (complete) return true;
  return false;
}

const isStuck = (socket: Duplex): boolean => socket.writableNeedDrain;
