/** Passes requests on to a provider, and its answers back as they come and as their client reads. */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Metadata } from '../../../kit/base/index.ts';
import { plainHeaders } from '../../../kit/transport/http-metadata.ts';
import { pathOf } from '../../streamer/routes.ts';
import type { Answer, IncomingRequest } from './exchange.ts';
import { refusal } from './exchange.ts';
import { keptAnswer } from './kept-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { RecordedExchange } from './recording.ts';

/** Fields that belong to one connection, or to the provider's own domain. */
const notPassed = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'host',
  'content-length',
  'expect',
  'set-cookie',
]);

/** The header fields that one side passes on to the other. */
export const passedHeaders = (headers: Metadata): Metadata =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !notPassed.has(name.toLowerCase())));

/** The fields of answers that a recording keeps; a `*` at the end stands for the rest of a name. */
const keptHeaders = [
  'content-type',
  'content-encoding',
  'cache-control',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'request-id',
  'x-request-id',
  'anthropic-ratelimit-*',
  'x-ratelimit-*',
];

const isKept = (name: string): boolean =>
  keptHeaders.some((kept) => (kept.endsWith('*') ? name.startsWith(kept.slice(0, -1)) : name === kept));

/** The end of a request that was passed on: its answer for a recording, or why there is none. */
export type Forwarded = { readonly answer: RecordedExchange } | { readonly why: string };

/** The parts of a request that is passed on. */
export interface ForwardOptions {
  /** The base URL of the provider. */
  readonly to: string;
  /** Whether the answer is kept for a recording. */
  readonly keeps: boolean;
  /** Called once. */
  readonly done: (end: Forwarded) => void;
}

/** Passes a request on to a provider, and the answer back. */
export function forward(request: IncomingRequest, answer: Answer, options: ForwardOptions): void {
  const url = options.to.replace(/\/+$/, '') + request.target;
  if (!request.target.startsWith('/') || !URL.canParse(url)) {
    const message = `expected a path that a provider can have; came ${JSON.stringify(request.target.slice(0, 200))}`;
    answer.json(400, refusal(message));
    return options.done({ why: message });
  }
  new Forwarding(request, answer, options, new URL(url)).start();
}

class Forwarding {
  readonly #request: IncomingRequest;
  readonly #answer: Answer;
  readonly #options: ForwardOptions;
  readonly #url: URL;
  #isOver = false;
  #kept: KeptAnswer | undefined;

  constructor(request: IncomingRequest, answer: Answer, options: ForwardOptions, url: URL) {
    this.#request = request;
    this.#answer = answer;
    this.#options = options;
    this.#url = url;
  }

  start(): void {
    const { method, headers, bytes } = this.#request;
    const make = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    this.#kept = this.#options.keeps ? keptAnswer() : undefined;
    const call = make(this.#url, {
      method,
      headers: { ...passedHeaders(headers), 'accept-encoding': 'identity', 'content-length': bytes.length },
    });
    call.on('response', (came) => this.#took(call, came));
    call.on('upgrade', (came, socket) => {
      socket.destroy();
      this.#fail(`came status ${came.statusCode}, which no request asked for`);
    });
    call.on('error', (error) => this.#fail(`cannot be reached: ${error.message}`));
    call.on('close', () => this.#fail('closed the connection without an answer'));
    const before = this.#answer.gone;
    this.#answer.gone = () => {
      before();
      if (this.#answer.lost) this.#end({ why: 'its client left' });
      call.destroy();
    };
    call.end(bytes);
  }

  #took(call: ClientRequest, came: IncomingMessage): void {
    const status = came.statusCode ?? 0;
    came.on('error', () => {}); // its close follows
    if (status < 200) {
      this.#fail(`came status ${status}; expected one from 200 to 999`);
      return void call.destroy();
    }
    // The close of the call no longer means that there is no answer.
    call.removeAllListeners('close');
    const headers = passedHeaders(plainHeaders(came.headers));
    this.#answer.begin(status, headers);
    const kept = this.#kept;
    this.#answer.drained = () => void came.resume();
    came.on('data', (chunk: Buffer) => {
      kept?.push(chunk);
      if (!this.#answer.send(chunk)) came.pause();
    });
    came.on('close', () => {
      if (this.#isOver) return void kept?.end();
      const body = kept?.end();
      if (!came.complete) this.#end({ why: 'its answer did not end' });
      else if (body === undefined) this.#end({ why: 'its answer is too large' });
      else this.#end({ answer: { ...this.#named(), status, headers: keptOf(headers), ...body } });
      if (came.complete) this.#answer.end();
      else this.#answer.reset();
    });
  }

  #named(): Pick<RecordedExchange, 'method' | 'path'> {
    const { method, target } = this.#request;
    return { method, path: pathOf(target) };
  }

  /** The provider gave no answer. */
  #fail(why: string): void {
    if (this.#isOver) return;
    this.#end({ why: `${this.#url.origin} ${why}` });
    if (this.#answer.begun) return this.#answer.reset();
    const message = `${this.#url.origin} ${why}`;
    this.#answer.json(502, { type: 'error', error: { type: 'api_error', message } });
  }

  #end(end: Forwarded): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.done(end);
  }
}

const keptOf = (headers: Metadata): Metadata =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));

/** Fields and query parameters whose values are credentials. */
const credentialFields = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-amz-security-token',
  'cookie',
];
const credentialParameters = ['key', 'api_key', 'api-key', 'token', 'access_token'];

/** The names of header fields in a signature of AWS are no secrets, and answers may have such words. */
const signedHeaders = /\bSignedHeaders=[^,\s]*/;

/** Removes the credentials of a request from a text: a provider may repeat them, as in "Incorrect API key". */
export function withoutSecrets({ headers, target }: IncomingRequest, text: string): string {
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const secrets = [
    ...credentialFields.flatMap((name) => (headers[name] ?? '').replace(signedHeaders, '').split(/[\s;,]+/)),
    ...credentialParameters.map((name) => query.get(name) ?? ''),
  ];
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, 'redacted'), text);
}
