/**
 * One HTTP response as the gateway's end of an operator's call: replies become server-sent events or a JSON body,
 * the end becomes the HTTP status. What cannot be written holds the gateway back; nothing piles up here.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isObject } from '../../../kit/base/index.ts';
import type { Status } from '../../../kit/base/index.ts';
import type { Link, LinkEvents } from '../../../kit/world/index.ts';
import { operatorTerminals } from '../../operator.ts';
import type { Shape } from './routes.ts';
import { httpOf } from './status.ts';
import { sseText } from './sse.ts';

/** Comments this often keep proxies from closing a quiet stream (ms). */
const quiet = 15_000;
/** A sender that goes on although it was told to hold back loses the connection at this size (bytes). */
const mostPending = 64 << 20;
/** How long a client may take to fetch the rest after the end (ms). */
const linger = 10_000;

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(`${JSON.stringify(body)}\n`);
}

/** A response that a gateway answers. */
export class HttpAnswer {
  readonly link: Link;
  readonly #response: ServerResponse;
  readonly #shape: Shape;
  /** Known before the response has it: a pipelined one waits for those before it. */
  readonly #socket: Socket;
  #events: LinkEvents | undefined;
  #body: { readonly value: unknown } | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #terminated = false;
  #over = false;

  constructor(response: ServerResponse, shape: Shape, stream: string) {
    this.#response = response;
    this.#shape = shape;
    this.#socket = response.req.socket;
    response.on('drain', () => {
      if (!this.#over) this.#events?.drained();
    });
    this.link = {
      conn: 'http',
      stream,
      headers: () => {},
      send: (bytes) => this.#reply(bytes),
      halfClose: () => {},
      close: (status) => this.#close(status),
      pause: () => {}, // A caller has said all it will when its link is opened.
      resume: () => {},
    };
  }

  /** The gateway has the link: these hear of the caller. */
  hears(events: LinkEvents): void {
    this.#events = events;
  }

  /** The gateway has the call and did not refuse it at once: whoever listens to events is told that it does. */
  begin(): void {
    if (this.#shape === 'events' && !this.#over) {
      this.#stream();
      this.#response.write(': every event of every request from now on\n\n');
    }
  }

  /** The caller has gone. */
  gone(): void {
    if (this.#over) return;
    this.#finish();
    this.#events?.ended(undefined);
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#quiet);
  }

  #reply(bytes: Uint8Array): boolean {
    if (this.#over) return true;
    const reply: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const [name, data] = isObject(reply) ? (Object.entries(reply)[0] ?? []) : [];
    if (name === undefined) return true;
    if (this.#shape === 'send') return this.#event(name, data);
    if (this.#shape === 'events') return this.#eventOfAny(name, data);
    if (name === this.#shape) this.#body ??= { value: name === 'ok' ? { ok: true } : data };
    return true;
  }

  /** An event of some request: its own name, and whose it is beside its data. */
  #eventOfAny(name: string, data: unknown): boolean {
    if (name !== 'event' || !isObject(data)) return this.#event(name, data);
    const { name: own, data: inner, ...whose } = data;
    return this.#event(String(own), { ...whose, ...(isObject(inner) ? inner : { data: inner }) });
  }

  #event(name: string, data: unknown): boolean {
    this.#stream();
    this.#quiet?.refresh();
    this.#terminated ||= this.#shape === 'send' && operatorTerminals.has(name);
    const free = this.#response.write(sseText(name, data));
    if (this.#response.writableLength > mostPending) this.#socket.destroy();
    return free;
  }

  /** Begins the stream of events, once. */
  #stream(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    this.#response.flushHeaders();
    this.#quiet = setInterval(() => {
      if (!this.#response.writableNeedDrain) this.#response.write(': still here\n\n');
    }, quiet);
    this.#quiet.unref();
  }

  #close(status: Status): void {
    if (this.#over) return;
    this.#finish();
    const response = this.#response;
    const streams = this.#shape === 'send' || this.#shape === 'events';
    if (!response.headersSent && status.code !== 0) {
      return answerJson(response, httpOf(status.code), { error: status.message });
    }
    if (!streams) return this.#answer();
    this.#stream();
    clearInterval(this.#quiet);
    if (status.code !== 0 && !this.#terminated) response.write(sseText('error', { error: status.message }));
    response.end();
    const slow = setTimeout(() => response.socket?.destroy(), linger);
    slow.unref();
    response.once('close', () => clearTimeout(slow));
  }

  #answer(): void {
    if (this.#body === undefined) {
      return answerJson(this.#response, 500, { error: 'the gateway ended the call without an answer' });
    }
    answerJson(this.#response, 200, this.#body.value);
  }
}
