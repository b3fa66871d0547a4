/**
 * The kit as the operator of a stranger's gateway, over its HTTP face: each operator call becomes one HTTP request;
 * events and answers come back as operator replies, refusals as the status they stand for.
 */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { WireproofError, isObject } from '../../../kit/base/index.ts';
import type { Status } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import { driverDial, fine, unsupported } from '../driver-link.ts';
import type { DriverCall, Caller } from '../driver-link.ts';
import { defaultPaths, eventOfAny, httpCallOf, replyOf } from './calls.ts';
import type { HttpCall, HttpPaths } from './calls.ts';
import { codeOf } from './status.ts';
import { SseParser } from './sse.ts';
import type { SseEvent } from './sse.ts';

/** Where the gateway's HTTP face is. */
export interface HttpDriverOptions {
  /** `http://host:port` or https, with a path before all others if it has one. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token?: string;
  /** Certificates (PEM) to trust over TLS; absent: the authorities that Node knows. */
  readonly ca?: string;
  /** Numbers for the names of streams. */
  readonly next: () => number;
  /** Where they are not the published ones, or ours. */
  readonly paths?: Partial<HttpPaths>;
}

/** The most one event or JSON answer may hold; four times the largest message of the agents' stream. */
const mostHeld = 16 << 20;

/**
 * Makes the driver. Redirects are not followed; each call has a connection of its own.
 *
 * @throws WireproofError 'usage' when the url is not one of HTTP
 * @example
 * let calls = 0;
 * const dial = httpDriver({ url: 'http://127.0.0.1:8080', next: () => ++calls });
 */
export function httpDriver(options: HttpDriverOptions): Dial {
  const base = parseUrl(options.url);
  const paths = { ...defaultPaths, ...options.paths };
  return driverDial('http', options.next, (request, caller) => {
    const call = httpCallOf(request, paths);
    if (call === undefined) {
      return unsupported(`the HTTP face has no ${Object.keys(request)[0] ?? 'such call'}`);
    }
    return new DriverExchange(base, options, call, caller);
  });
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new WireproofError(
    'usage',
    `the gateway's url: expected http://HOST:PORT or https://HOST:PORT; came ${JSON.stringify(text)}`,
  );
}

/** One HTTP request and what comes of it. */
class DriverExchange implements DriverCall {
  readonly #call: HttpCall;
  readonly #caller: Caller;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #paused = false;

  constructor(
    base: URL,
    { token, ca }: Pick<HttpDriverOptions, 'token' | 'ca'>,
    call: HttpCall,
    caller: Caller,
  ) {
    this.#call = call;
    this.#caller = caller;
    const streams = call.verb === 'send' || call.verb === 'events';
    const start = base.protocol === 'https:' ? httpsRequest : httpRequest;
    this.#request = start({
      hostname: base.hostname.replaceAll(/^\[|\]$/g, ''),
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

  #failed(error: NodeJS.ErrnoException, host: string): void {
    if (this.#response === undefined) {
      const message = `no answer from the gateway's HTTP face at ${host}: ${error.message}`;
      this.#caller.ended({ code: 14, message });
    } else this.#caller.ended(undefined);
  }

  #end(status: Status): void {
    this.#caller.ended(status);
    this.abort();
  }

  #answered(response: IncomingMessage, streams: boolean): void {
    this.#response = response;
    response.on('error', () => {}); // `close` follows
    response.once('close', () => this.#caller.ended(undefined)); // unless it ended before
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) this.#whole((text) => this.#caller.ended(this.#refusal(status, text)));
    else if (streams) this.#stream(response);
    else this.#whole((text) => this.#answer(text));
    if (this.#paused) response.pause();
  }

  #stream(response: IncomingMessage): void {
    const type = response.headers['content-type'] ?? 'nothing';
    if (!/^text\/event-stream\b/i.test(type)) {
      const message = `${this.#where()}: expected text/event-stream; came ${type}`;
      return this.#end({ code: 2, message });
    }
    const parser = new SseParser(mostHeld);
    this.#caller.headers();
    response.on('data', (chunk: Buffer) => {
      for (const event of parser.push(chunk)) this.#event(event);
      if (parser.overflowed) this.#end(tooLarge(this.#where()));
    });
    response.once('end', () => this.#caller.ended(fine));
  }

  #event({ event, data }: SseEvent): void {
    const value = parseJson(data)?.value ?? data;
    if (this.#call.verb === 'events') this.#caller.reply('event', eventOfAny(event, value));
    else this.#caller.reply(event, value);
  }

  /** Reads an answer that is not a stream. */
  #whole(then: (text: string) => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    this.#response?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostHeld) chunks.push(chunk);
      else this.#end(tooLarge(this.#where()));
    });
    this.#response?.once('end', () => then(Buffer.concat(chunks).toString('utf8')));
  }

  #answer(text: string): void {
    const reply = replyOf(this.#call.verb, parseJson(text)?.value);
    if (reply === undefined) {
      const message = `${this.#where()}: expected the JSON of spec/fold/README.md, "The operator"; came ${text.slice(0, 200)}`;
      return this.#caller.ended({ code: 2, message });
    }
    this.#caller.reply(reply.name, reply.data);
    this.#caller.ended(fine);
  }

  /** What an HTTP error stands for. A route that is not there says so in its server's own words, not in ours. */
  #refusal(status: number, text: string): Status {
    const body = parseJson(text)?.value;
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
  message: `${where}: expected events and answers of at most ${mostHeld} bytes; came more`,
});

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
