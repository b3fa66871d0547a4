/**
 * The kit as the operator of a gateway with the HTTP interface: each operator call becomes one HTTP request. Events and
 * answers become operator replies, HTTP errors the status of the call.
 */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { SseParser, WireproofError, isObject } from '../../../kit/base/index.ts';
import type { SseEvent, Status } from '../../../kit/base/index.ts';
import { bareHost } from '../../../kit/transport/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import { parseJson, textOf } from '../../json.ts';
import { driverDial, okStatus, unsupported } from '../driver-link.ts';
import type { CallEvents, DriverCall, StartCall } from '../driver-link.ts';
import { readBody } from './body.ts';
import { unflatten } from './event-data.ts';
import { httpCallOf, routes } from './routes.ts';
import type { HttpCall, HttpPaths, Route } from './routes.ts';
import { codeOf } from './status.ts';

export interface HttpDriverOptions {
  /** `http://host:port` or `https://host:port`, with an optional prefix of all paths. */
  readonly url: string;
  /** The bearer token of every request. */
  readonly token?: string | undefined;
  /** Certificates (PEM) to trust over TLS; absent: the authorities that Node knows. */
  readonly ca?: string;
  /** Numbers the names of streams. */
  readonly next: () => number;
  /** Paths that differ from those of the routes. */
  readonly paths?: Partial<HttpPaths>;
}

/** The largest event or JSON answer (bytes): four times the largest message of an agent's stream. */
const maxAnswer = 16 << 20;

/**
 * Makes the driver. Redirects are not followed. Each call has a connection of its own.
 *
 * @throws WireproofError 'usage' when the url is not an http: url
 * @example
 * let calls = 0;
 * const dial = httpDriver({ url: 'http://127.0.0.1:8080', next: () => ++calls });
 */
export const httpDriver = (options: HttpDriverOptions): Dial =>
  driverDial('http', options.next, httpCalls(options));

/** The calls of the driver. @throws WireproofError 'usage' when the url is not an http: url */
export function httpCalls(options: Omit<HttpDriverOptions, 'next'>): StartCall {
  const base = parseUrl(options.url);
  return (request, caller) => {
    const call = httpCallOf(request, options.paths ?? {});
    if (call === undefined) {
      return unsupported(`the HTTP face has no ${Object.keys(request)[0] ?? 'such call'}`);
    }
    return new DriverExchange(base, options, call, caller);
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new WireproofError(
    'usage',
    `the gateway's url: expected http://HOST:PORT or https://HOST:PORT; came ${JSON.stringify(text)}`,
  );
}

/** One HTTP request and its response. */
class DriverExchange implements DriverCall {
  readonly #call: HttpCall;
  readonly #caller: CallEvents;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #paused = false;

  constructor(
    base: URL,
    { token, ca }: Pick<HttpDriverOptions, 'token' | 'ca'>,
    call: HttpCall,
    caller: CallEvents,
  ) {
    this.#call = call;
    this.#caller = caller;
    const streams = routes[call.verb].answer === undefined;
    const start = base.protocol === 'https:' ? httpsRequest : httpRequest;
    this.#request = start({
      hostname: bareHost(base.hostname),
      ...(base.port === '' ? {} : { port: base.port }),
      ...(ca === undefined ? {} : { ca }),
      path: base.pathname.replace(/\/$/, '') + call.path,
      method: call.method,
      agent: false,
      headers: {
        accept: streams ? 'text/event-stream' : 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(call.body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(call.body) }),
      },
    });
    this.#request.once('response', (response) => this.#answered(response, streams));
    this.#request.on('error', (error) => this.#failed(error, base.host));
    this.#request.end(call.body);
  }

  abort(): void {
    this.#request.destroy();
    this.#response?.destroy();
  }

  pause(): void {
    this.#paused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#response?.resume();
  }

  #failed(error: Error, host: string): void {
    const message = `no answer from the gateway's HTTP face at ${host}: ${error.message}`;
    this.#caller.ended(this.#response === undefined ? { code: 14, message } : undefined);
  }

  #end(status: Status): void {
    this.#caller.ended(status);
    this.abort();
  }

  #answered(response: IncomingMessage, streams: boolean): void {
    this.#response = response;
    response.on('error', () => {}); // 'close' follows
    response.once('close', () => this.#caller.ended(undefined)); // ignored after another end
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299)
      this.#readText(response, (text) => this.#caller.ended(this.#refusal(status, text)));
    else if (streams) this.#stream(response);
    else this.#readText(response, (text) => this.#answer(text));
    if (this.#paused) response.pause();
  }

  #stream(response: IncomingMessage): void {
    const type = response.headers['content-type'] ?? 'nothing';
    if (!/^text\/event-stream\b/i.test(type)) {
      const message = `${this.#where()}: expected text/event-stream; came ${type}`;
      return this.#end({ code: 2, message });
    }
    const parser = new SseParser(maxAnswer);
    this.#caller.headers();
    response.on('data', (chunk: Buffer) => {
      for (const event of parser.push(chunk)) this.#event(event);
      if (parser.overflowed) this.#end(tooLarge(this.#where()));
    });
    response.once('end', () => this.#caller.ended(okStatus));
  }

  #event({ event, data }: SseEvent): void {
    const value = jsonOf(data) ?? data;
    if (this.#call.verb === 'events') this.#caller.reply('event', unflatten(event, value));
    else this.#caller.reply(event, value);
  }

  /** Reads a body that is not a stream. */
  #readText(response: IncomingMessage, then: (text: string) => void): void {
    readBody(response, maxAnswer, (body) => {
      if (body === 'too large') this.#end(tooLarge(this.#where()));
      else if (body !== undefined) then(body.toString('utf8'));
    });
  }

  #answer(text: string): void {
    const { answer } = routes[this.#call.verb];
    const data = answerData(answer, jsonOf(text));
    if (answer === undefined || data === undefined) {
      const message = `${this.#where()}: expected the JSON of spec/fold/README.md, "The operator"; came ${text.slice(0, 200)}`;
      return this.#caller.ended({ code: 2, message });
    }
    this.#caller.reply(answer, data);
    this.#caller.ended(okStatus);
  }

  /** The status of an HTTP error. An error without our JSON means that the server does not have the route. */
  #refusal(status: number, text: string): Status {
    const body = jsonOf(text);
    const error = isObject(body) ? body['error'] : undefined;
    const routes = isObject(body) && Array.isArray(body['routes']); // our own face's "no route"
    const noRoute = status === 405 || status === 501 || status === 404;
    if (noRoute && (typeof error !== 'string' || routes)) {
      return unsupported(`the gateway has no ${this.#call.path.split('?', 1)[0]}`);
    }
    const message = typeof error === 'string' ? error : `HTTP ${status} ${text.slice(0, 200).trim()}`.trim();
    return { code: codeOf(status), message };
  }

  #where(): string {
    return `${this.#call.method} ${this.#call.path}`;
  }
}

const tooLarge = (where: string): Status => ({
  code: 8,
  message: `${where}: expected events and answers of at most ${maxAnswer} bytes; came more`,
});

/** The JSON value of a text; undefined when it is not JSON. */
function jsonOf(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

/** The data of an answer by its JSON body; undefined for another body. */
function answerData(answer: Route['answer'], body: unknown): unknown {
  if (answer === 'ok') return {}; // the HTTP status is the answer; bodies differ
  if (answer === 'injected') return { injection_id: textOf(body, 'injection_id') };
  if (answer !== 'agents') return isObject(body) ? body : undefined;
  const list = isObject(body) ? body['agents'] : body;
  return Array.isArray(list) ? list : undefined;
}
