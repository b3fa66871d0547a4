/**
 * One exchange of an HTTP server, as a link: the body of the request is one message, and each sent message is a piece of
 * the answer's body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, Metadata, Status } from '../base/index.ts';
import type { Accept, Link, LinkEvents } from '../world/index.ts';
import { bodies } from './bodies.ts';
import { orderly } from './connections.ts';
import { onceFlushed } from './flushed.ts';
import { chunkOf } from './http-chunk.ts';
import { plainHeaders, split, targetOf } from './http-metadata.ts';
import { failed } from './http-room.ts';
import type { OnKitFault } from './kit-fault.ts';
import { joinedBytes, Pieces } from './pieces.ts';
import { unreadAnswers } from './unread.ts';
import type { Unread } from './unread.ts';

/** With this many bytes waiting to be sent, an exchange is full. */
const full = 1 << 16;

/** From this size on (bytes), copying a piece into its chunk costs more than the writes that it saves. */
const worthWrites = 4096;

/** A resolved promise: its callbacks run at the end of this turn. queueMicrotask would create an async resource per call. */
const turnOver = Promise.resolve();

/**
 * The most bytes of a body that are dropped after its answer: a client may finish a body before it reads the answer, and a
 * connection that is closed before takes the answer away (RFC 9112, 9.6).
 */
const mostDropped = 64 << 20;

/** The options of an exchange, from those of its server. */
export interface ExchangeOptions {
  /** The largest body of a request (bytes). */
  readonly maxReceive: number;
  /** Makes the JSON of a refusal; absent: its text. */
  readonly refusal?: (message: string) => Json;
  /** Takes a fault of the kit, which ends the exchange. */
  readonly fault: OnKitFault;
}

export const requestMetadata = (request: IncomingMessage, carrier: 'http' | 'ws'): Metadata => ({
  ':carrier': carrier,
  ':method': request.method ?? 'GET',
  ':path': targetOf(request) ?? '/',
  ...plainHeaders(request.headers),
});

/** One request and its answer. */
export class ServerExchange implements Link, Unread {
  readonly conn: string;
  readonly stream: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #over = false;
  /** Whether its body was refused while it came. */
  #refused = false;
  #events: LinkEvents | undefined;
  /** Pieces sent in this turn. They leave as one write, because a write is most of the cost of sending. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether its first piece has left. */
  #written = false;
  /** Whether the exchange was full, and has not drained since. */
  #full = false;
  #refusal: ExchangeOptions['refusal'];
  #fault: OnKitFault = () => {};

  constructor(request: IncomingMessage, response: ServerResponse, conn: string, stream: string) {
    this.#request = request;
    this.#response = response;
    this.conn = conn;
    this.stream = stream;
  }

  /** A fault of the acceptor is the server's. */
  begin(accept: Accept, { maxReceive, refusal, fault }: ExchangeOptions): void {
    this.#refusal = refusal;
    this.#fault = fault;
    this.#request.socket.setNoDelay(true);
    const events = accept(this, requestMetadata(this.#request, 'http'));
    this.#events = events;
    const { socket } = this.#request;
    // A client of HTTP/1.1 may send many requests at once. Each exchange listens until it ends.
    socket.setMaxListeners(0);
    socket.on('drain', this.#drained);
    this.#response.on('close', () => {
      socket.off('drain', this.#drained);
      unreadAnswers.read(this);
      this.#gone();
    });
    this.#response.on('error', () => this.#gone());
    this.#request.on('error', () => this.#gone());
    this.#body(events, maxReceive);
  }

  #body(events: LinkEvents, maxReceive: number): void {
    const request = this.#request;
    const pieces = new Pieces();
    const body = {
      size: 0,
      refuse: () => {
        pieces.drop();
        this.#refuse(503, 'too many large bodies are in flight; send this one again later');
      },
    };
    const tooLarge = (): void => this.#refuse(413, `at most ${maxReceive} bytes are taken`);
    let dropped = 0;
    request.on('data', (chunk: Buffer) => {
      if (this.#over) {
        if ((dropped += chunk.length) > mostDropped) request.destroy();
        return;
      }
      body.size += chunk.length;
      pieces.push(chunk);
      bodies.grew(body, chunk.length);
      if (body.size <= maxReceive) return;
      pieces.drop();
      tooLarge();
    });
    request.on('close', () => bodies.done(body));
    request.on('end', () => {
      bodies.done(body);
      if (this.#refused) this.#response.end();
      if (this.#over) return;
      try {
        if (body.size > 0) events.message(pieces.take());
        events.halfClose();
      } catch (error) {
        this.#failed(error);
      }
    });
    // The acceptor may have refused it already.
    if (!this.#over && Number(request.headers['content-length']) > maxReceive) tooLarge();
  }

  /** The acceptor failed: only this exchange ends. */
  #failed(error: unknown): void {
    this.#fault(error);
    this.#pending = [];
    failed(this.#response);
    this.#gone();
  }

  /** The answer is whole at once, and ends with the body of the request, which is dropped. */
  #refuse(status: number, why: string): void {
    if (this.#response.headersSent) return;
    const retry = status === 503 ? { 'retry-after': '1' } : {};
    const json = this.#refusal?.(why);
    const type = json === undefined ? 'text/plain' : 'application/json';
    const body = Buffer.from(`${json === undefined ? why : JSON.stringify(json)}\n`);
    const headers = { 'content-type': type, 'content-length': body.length, connection: 'close', ...retry };
    this.#response.writeHead(status, headers).write(body);
    this.#refused = true;
    this.#gone();
  }

  #gone(): void {
    if (this.#over) return;
    this.#over = true;
    try {
      this.#events?.ended(undefined);
    } catch (error) {
      this.#fault(error);
    }
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
    const waiting = this.#pendingBytes + this.#response.writableLength;
    this.#full ||= waiting >= full;
    if (!this.#full) return true;
    unreadAnswers.waits(this, waiting);
    return false;
  }

  readonly #drained = (): void => {
    // In a pipeline, an answer without a socket waits for those before it, whose bytes had to drain.
    if (!this.#full || this.#response.socket === null) return;
    this.#full = false;
    unreadAnswers.read(this);
    try {
      this.#events?.drained();
    } catch (error) {
      this.#failed(error);
    }
  };

  readonly #flush = (): void => {
    const pending = this.#pending;
    if (pending.length === 0 || this.#response.destroyed) return;
    this.#pending = [];
    this.#pendingBytes = 0;
    const gone = this.#write(joinedBytes(pending));
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

  /** Its client does not read, and others need the memory. */
  drop(): void {
    this.#pending = [];
    this.#request.socket.destroy();
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
