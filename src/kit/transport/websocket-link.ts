/** A WebSocket of text messages as a link, on a port that serves HTTP as well. */
import type { RawData, WebSocket } from 'ws';
import type { Socket } from 'node:net';
import type { Status } from '../base/index.ts';
import type { Link, LinkEvents } from '../world/index.ts';
import { orderly } from './connections.ts';
import { corkTurn } from './cork.ts';
import { onceFlushed } from './flushed.ts';
import { internalError } from './http-room.ts';
import type { OnKitFault } from './kit-fault.ts';
import { unreadAnswers } from './unread.ts';
import type { Unread } from './unread.ts';

/** With this many bytes waiting to be sent, the carrier is full. */
const full = 1 << 20;
/** Close codes of an orderly end: normal, going away, none given (RFC 6455, 7.4.1). */
const fine: readonly number[] = [1000, 1001, 1005];
/** The connection vanished without a close (RFC 6455, 7.4.1). */
const vanished = 1006;

/** Whether a socket has room for more messages. */
const roomy = (socket: WebSocket): boolean => socket.bufferedAmount < full;

/** The bytes of a message, from every form that the package emits. */
export const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;

/** How a socket closed, as a status; undefined when it vanished. */
export const closedBy = (code: number, reason: Buffer): Status | undefined =>
  code === vanished ? undefined : fine.includes(code) ? orderly : { code, message: reason.toString('utf8') };

/**
 * Makes a link of a socket. Messages are sent as text.
 *
 * @param fault - takes faults of the acceptor, which close the connection; absent: they are thrown
 */
export function webSocketLink(
  socket: WebSocket,
  named: { readonly conn: string; readonly stream: string },
  accept: (link: Link) => LinkEvents,
  fault?: OnKitFault,
): void {
  const link = new SocketLink(socket, named);
  const events = accept(link);
  link.hear(fault === undefined ? events : contained(socket, events, fault));
}

/** The sockets that are not read fast enough, with their place in the memory of unread answers. */
const unread = new WeakMap<WebSocket, Unread>();

function unreadOf(socket: WebSocket): Unread {
  const known = unread.get(socket);
  if (known !== undefined) return known;
  const made = { drop: () => socket.terminate() };
  unread.set(socket, made);
  socket.on('close', () => unreadAnswers.read(made));
  return made;
}

/** Sends a message on an open socket; `drained` is called when there is room again. @returns whether there was room */
export function sendOn(
  socket: WebSocket,
  bytes: Uint8Array,
  options: { readonly binary: boolean; readonly fin?: boolean },
  drained: () => void,
): boolean {
  const room = roomy(socket);
  corkTurn(socket);
  if (room) socket.send(bytes, options);
  else {
    socket.send(bytes, options, () => {
      if (!roomy(socket)) return;
      unreadAnswers.read(unreadOf(socket));
      drained();
    });
    unreadAnswers.waits(unreadOf(socket), socket.bufferedAmount);
  }
  return room;
}

/** The events of a WebSocket. */
interface SocketEvents {
  message(bytes: Uint8Array, form?: 'binary'): void;
  drained(): void;
  ended(status: Status | undefined): void;
}

/** The same events. A fault of the kit in one closes this connection, and no other. */
export function contained(socket: WebSocket, events: SocketEvents, fault: OnKitFault): SocketEvents {
  const guarded = (event: () => void): void => {
    try {
      event();
    } catch (error) {
      fault(error);
      socket.close(internalError);
    }
  };
  return {
    message: (bytes, form) => guarded(() => events.message(bytes, form)),
    drained: () => guarded(() => events.drained()),
    ended: (status) => guarded(() => events.ended(status)),
  };
}

/** Text messages on a socket. Messages that are sent before it is open wait. */
class SocketLink implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly #socket: WebSocket;
  #over = false;
  #drained = (): void => {};

  constructor(socket: WebSocket, { conn, stream }: { readonly conn: string; readonly stream: string }) {
    this.#socket = socket;
    this.conn = conn;
    this.stream = stream;
  }

  hear(events: SocketEvents): void {
    this.#drained = () => events.drained();
    this.#socket.on('message', (data) => events.message(bytesOf(data)));
    this.#socket.on('error', () => {}); // the close event follows
    this.#socket.on('close', (code, reason) => {
      if (this.#over) return;
      this.#over = true;
      events.ended(closedBy(code, reason));
    });
  }

  /** A WebSocket has no headers after its handshake. */
  headers(): void {}

  send(bytes: Uint8Array): boolean {
    const socket = this.#socket;
    if (this.#over || socket.readyState > socket.OPEN) return true;
    if (socket.readyState === socket.CONNECTING) {
      socket.once('open', () => this.send(bytes));
      return true;
    }
    return sendOn(socket, bytes, { binary: false }, () => this.#drained());
  }

  halfClose(): void {
    this.close(orderly);
  }

  /** Code 0 closes in order; any other resets the connection once everything sent has arrived. */
  close({ code }: Status): void {
    if (this.#over) return;
    this.#over = true;
    const socket = this.#socket;
    if (code === 0) return socket.close(1000);
    const { _socket: below } = socket as { _socket?: Socket };
    if (below === undefined) socket.terminate();
    else onceFlushed(below, () => below.resetAndDestroy());
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}
