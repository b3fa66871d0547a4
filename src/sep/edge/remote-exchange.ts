/** One request to a feed server, from the client's end. The server may be hostile. */
import { clip, inWords, isObject, unseen } from '../../kit/base/index.ts';
import type { Json, Metadata } from '../../kit/base/index.ts';
import { dialHttp } from '../../kit/transport/index.ts';
import type { Link, LinkEvents } from '../../kit/world/index.ts';
import { jsonIn } from './feed-request.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { RemoteCall } from './remote-servers.ts';

/** How a fetch of a remote feed ended. It is a `FeedOutcome` with the age of the value. */
export type RemoteOutcome =
  | {
      readonly value: Json;
      /** When the source gave the value, as its server says (ISO 8601). */
      readonly at: string;
      /** Whether the server could not fetch the value anew. */
      readonly stale: boolean;
    }
  | { readonly error: string };

/** The limits of an exchange. */
export interface RemoteLimits {
  /** Milliseconds. */
  readonly timeout: number;
  /** Of the answer. */
  readonly mostBytes: number;
  readonly ca?: string;
}

export class RemoteExchange implements LinkEvents {
  readonly #call: RemoteCall;
  readonly #limits: RemoteLimits;
  readonly #body: GrowingBytes;
  #link: Link | undefined;
  #status = 0;
  #cause = 'the connection was lost';
  #end: (outcome: RemoteOutcome) => void = () => {};

  constructor(call: RemoteCall, limits: RemoteLimits) {
    this.#call = call;
    this.#limits = limits;
    this.#body = new GrowingBytes(limits.mostBytes);
  }

  drained(): void {}
  halfClose(): void {}
  ping(): void {}

  /** Asks, once. */
  async outcome(signal?: AbortSignal): Promise<RemoteOutcome> {
    const { timeout } = this.#limits;
    const ended = new Promise<RemoteOutcome>((resolve) => (this.#end = resolve));
    const timer = setTimeout(() => this.#fail(`no whole answer came within ${timeout} ms`), timeout);
    const stop = (): void => this.#fail('the fetch was ended before its answer');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    else this.#ask();
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.#link?.close({ code: 1, message: '' });
    }
  }

  headers(head: Metadata): void {
    this.#status = Number(head[':status']);
    const {
      'content-type': type = '',
      'content-encoding': encoding = 'identity',
      'content-length': size,
    } = head;
    if (this.#status >= 300 && this.#status < 400)
      return this.#fail(`expected no redirect; came status ${this.#status}`);
    if (Number(size ?? 0) > this.#limits.mostBytes) return this.#tooLarge();
    if (encoding !== 'identity') return this.#fail(`expected no content-encoding; came ${shown(encoding)}`);
    if (this.#status === 200 && !/^application\/json *(;|$)/i.test(type))
      this.#fail(`expected content-type application/json; came ${type === '' ? 'none' : shown(type)}`);
  }

  message(bytes: Uint8Array): void {
    if (!this.#body.push(bytes)) this.#tooLarge();
  }

  ended(status: object | undefined): void {
    if (status === undefined) return this.#fail(this.#status === 0 ? this.#cause : 'the answer is cut off');
    const body = jsonIn(this.#body.bytes());
    if (this.#status !== 200) this.#refused(body.ok ? body.value : undefined);
    else if (body.ok) this.#read(body.value);
    else this.#fail(body.error);
  }

  #ask(): void {
    const { metadata, body } = this.#call;
    const { mostBytes: maxReceive, ca } = this.#limits;
    const failed = ({ message, code = 'the connection was lost' }: NodeJS.ErrnoException): void => {
      this.#cause = message === '' ? code : message;
    };
    try {
      const dial = dialHttp({ maxReceive, failed, ...(ca === undefined ? {} : { ca }) });
      this.#link = dial({ metadata }, this);
      if (body !== undefined) this.#link.send(Buffer.from(body));
      this.#link.halfClose();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : 'no request could be made');
    }
  }

  /** Reads an answer. Unknown members are ignored: a later version may have more. */
  #read(answer: Json): void {
    if (!isObject(answer)) return this.#fail(`expected an object; came ${inWords(answer)}`);
    const { id, at, stale = false } = answer;
    if (id !== this.#call.id)
      return this.#fail(`expected the id ${shown(this.#call.id)}; came ${inWords(id)}`);
    if (!Object.hasOwn(answer, 'value')) return this.#fail('expected the member value; came none');
    if (typeof at !== 'string' || !isTime(at))
      return this.#fail(`at: expected a time such as 2026-01-31T12:00:00.000Z; came ${inWords(at)}`);
    if (typeof stale !== 'boolean')
      return this.#fail(`stale: expected true or false; came ${inWords(stale)}`);
    this.#end({ value: answer['value'] as Json, at, stale });
  }

  /** Tells what the server says against the request. */
  #refused(body: Json | undefined): void {
    const error = isObject(body) ? body['error'] : undefined;
    this.#fail(
      `the server answered with status ${this.#status}${typeof error === 'string' ? `: ${error}` : ''}`,
    );
  }

  #tooLarge(): void {
    this.#fail(`expected an answer of at most ${this.#limits.mostBytes} bytes; came more`);
  }

  /** The reason may have texts of the server, which knows the token. */
  #fail(why: string): void {
    const { token, where } = this.#call;
    const text = token === undefined ? why : why.replaceAll(token, 'TOKEN');
    this.#end({ error: `${printable(where)}: ${printable(text)}` });
  }
}

/** A time in UTC (ISO 8601), as the contract has it. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** A text of the server in a sentence: one line, without characters that act on a terminal. */
const printable = (text: string): string => clip(text, 300).replaceAll(unseen, ' ');

const shown = (text: string): string => JSON.stringify(clip(text, 200));
