/**
 * One HTTP response to an operator call: replies become server-sent events or a JSON body, and the final status the
 * HTTP status. A response that the client does not read pauses the gateway; nothing is queued here.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Status } from '../../../kit/base/index.ts';
import type { Accept } from '../../../kit/world/index.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorRequest } from '../../operator.ts';
import { operatorCall } from '../operator-call.ts';
import type { CallReplies, OperatorCall } from '../operator-call.ts';
import { flatten } from './event-data.ts';
import { routes } from './routes.ts';
import type { HttpVerb } from './routes.ts';
import { httpOf } from './status.ts';
import { sseText } from './sse.ts';

/** The interval of comments that keep proxies from closing an idle stream (ms). */
const keepAlive = 15_000;
/** The most unread bytes of a response: a sender that ignores its pause loses the connection. */
const maxPending = 64 << 20;
/** The longest time for a client to read the rest after the end (ms). */
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

/** A response to a call. */
export class HttpAnswer implements CallReplies {
  readonly #response: ServerResponse;
  readonly #verb: HttpVerb;
  /** Kept here because a pipelined response has no socket while it waits for the responses before it. */
  readonly #socket: Socket;
  #call: OperatorCall | undefined;
  #body: { readonly value: unknown } | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #terminated = false;
  #over = false;

  constructor(response: ServerResponse, verb: HttpVerb) {
    this.#response = response;
    this.#verb = verb;
    this.#socket = response.req.socket;
    response.on('drain', () => this.#call?.drained());
  }

  /** Makes the call. */
  begin(accept: Accept, stream: string, request: OperatorRequest): void {
    this.#call = operatorCall(accept, { conn: 'http', stream }, request, this);
    if (this.#verb !== 'events' || this.#over) return;
    this.#stream();
    this.#response.write(': every event of every request from now on\n\n');
  }

  /** The client has left. */
  gone(): void {
    if (this.#over) return;
    this.#finish();
    this.#call?.leave();
  }

  reply(name: string, data: unknown): boolean {
    if (this.#over) return true;
    const { answer } = routes[this.#verb];
    if (name === answer) this.#body ??= { value: name === 'ok' ? { ok: true } : data };
    if (answer !== undefined) return true;
    const event = this.#verb === 'events' && name === 'event' ? flatten(data) : { name, data };
    this.#stream();
    this.#keepAlive?.refresh();
    this.#terminated ||= this.#verb === 'send' && operatorTerminals.has(name);
    const room = this.#response.write(sseText(event.name, event.data));
    if (this.#response.writableLength > maxPending) this.#socket.destroy();
    return room;
  }

  ended(status: Status): void {
    if (this.#over) return;
    this.#finish();
    const response = this.#response;
    if (!response.headersSent && status.code !== 0)
      return answerJson(response, httpOf(status.code), { error: status.message });
    if (routes[this.#verb].answer !== undefined) {
      if (this.#body !== undefined) return answerJson(response, 200, this.#body.value);
      return answerJson(response, 500, { error: 'the gateway ended the call without an answer' });
    }
    this.#stream();
    clearInterval(this.#keepAlive);
    if (status.code !== 0 && !this.#terminated) response.write(sseText('error', { error: status.message }));
    response.end();
    const timeout = setTimeout(() => response.socket?.destroy(), linger);
    timeout.unref();
    response.once('close', () => clearTimeout(timeout));
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#keepAlive);
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
    this.#keepAlive = setInterval(() => {
      if (!this.#response.writableNeedDrain) this.#response.write(': still here\n\n');
    }, keepAlive);
    this.#keepAlive.unref();
  }
}
