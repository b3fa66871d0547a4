/**
 * One call of a model: a request, its response, and further attempts after failures. A state machine without clock or
 * socket; its host executes the outputs.
 */
import type { Metadata } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { conversationOf } from './wire.ts';
import type { Conversation, Converse, KeptConnection } from '../dialects/shared/conversation.ts';
import { retryDelay } from './retry.ts';
import type { RetryPolicy } from './retry.ts';
import type { ClientError, Decoded, LlmRequest, ResponseEvent } from '../messages.ts';

/** Options of a call. */
export interface CallOptions {
  /** Such as `http://127.0.0.1:1234`. A path in it, such as `/v1`, is kept unless the dialect's paths begin with it. */
  readonly baseUrl: string;
  readonly request: LlmRequest;
  /** Header fields of the caller's, such as credentials. */
  readonly headers?: { readonly [name: string]: string };
  readonly retries: RetryPolicy;
  /** The longest silence of a response (ms); after it the call fails. */
  readonly idle: number;
  readonly random: Random;
  /** Begins each attempt's exchange; absent: {@link conversationOf}. */
  readonly converse?: Converse;
  /** The connection of all exchanges; absent: each has its own. */
  readonly connection?: KeptConnection;
}

/** An output, for the host of the call. */
export type CallOutput =
  | { readonly do: 'dial'; readonly metadata: Metadata }
  | { readonly do: 'send'; readonly bytes: Uint8Array }
  | { readonly do: 'half_close' | 'close' }
  /** One timer: starting it again moves it. */
  | { readonly do: 'timer'; readonly ms: number }
  | { readonly do: 'no_timer' }
  | { readonly do: 'show'; readonly event: ResponseEvent }
  /** It is over; nothing follows. */
  | { readonly do: 'done'; readonly decoded: Decoded };

/** How long a call waits for the end of the body after the terminal (ms). */
const grace = 1000;

const nothing: Decoded['response'] = {
  content: '',
  toolCalls: [],
  metadata: { stopReason: 'error' },
  warnings: [],
};

/** A call in the middle of its attempts. */
export class ClientCall {
  readonly #options: CallOptions;
  #attempts = 0;
  #conversation: Conversation | undefined;
  /** Whether output was shown: then there is no further attempt (LLM-C09). */
  #consumed = false;
  #phase: 'open' | 'closing' | 'waiting' | 'over' = 'waiting';
  #out: CallOutput[] = [];

  constructor(options: CallOptions) {
    this.#options = options;
  }

  /** Makes the first request. */
  start(): readonly CallOutput[] {
    this.#attempt();
    return this.#drain();
  }

  /** The answer's headers. */
  headers(metadata: Metadata): readonly CallOutput[] {
    this.#conversation?.headers(metadata);
    return this.#drain();
  }

  /** Bytes of the answer. */
  bytes(chunk: Uint8Array): readonly CallOutput[] {
    if (this.#phase !== 'open' || this.#conversation === undefined) return this.#drain();
    const { send, events } = this.#conversation.take(chunk);
    for (const bytes of send) this.#out.push({ do: 'send', bytes });
    for (const event of events) this.#show(event);
    if (!this.#conversation.done) this.#timer(this.#options.idle);
    else if (this.#conversation.endsItself) {
      this.#phase = 'closing';
      this.#timer(grace);
    } else this.#close();
    return this.#drain();
  }

  /** The response is complete: does not wait for the end of the body. */
  #close(): void {
    const conversation = this.#conversation;
    const decoded = this.#end(true);
    if (conversation?.keeps !== true) this.#leave();
    this.#endOrRetry(decoded);
  }

  #leave(): void {
    this.#out.push({ do: 'close' });
    this.#options.connection?.lost();
  }

  /** The answer is over: in order, or the connection was lost. */
  ended(inOrder: boolean): readonly CallOutput[] {
    this.#options.connection?.lost();
    if (this.#phase === 'open' || this.#phase === 'closing') this.#endOrRetry(this.#end(inOrder));
    return this.#drain();
  }

  /** The timer has fired. */
  timer(): readonly CallOutput[] {
    if (this.#phase === 'waiting') this.#attempt();
    else if (this.#phase === 'closing') this.#close();
    else if (this.#phase === 'open') this.#timeOut();
    return this.#drain();
  }

  /** The caller aborts: closes the connection at once, in the dialect's way (LLM-C10). */
  abort(): readonly CallOutput[] {
    if (this.#phase === 'over') return this.#drain();
    for (const bytes of this.#conversation?.cancel() ?? []) this.#out.push({ do: 'send', bytes });
    const { response } = this.#end(false);
    this.#leave();
    const metadata = { ...response.metadata, stopReason: 'cancelled' as const };
    const error: ClientError = { kind: 'aborted', message: 'aborted by the caller', retryable: false };
    this.#done({ response: { ...response, metadata }, error });
    return this.#drain();
  }

  #drain(): readonly CallOutput[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #attempt(): void {
    const { request, baseUrl, headers = {}, converse = conversationOf, connection } = this.#options;
    this.#attempts++;
    this.#phase = 'open';
    this.#conversation = converse(request, baseUrl, headers, connection);
    if (this.#conversation.joins !== true) {
      this.#out.push({ do: 'dial', metadata: this.#conversation.metadata });
      connection?.opened();
    }
    for (const bytes of this.#conversation.first) this.#out.push({ do: 'send', bytes });
    if (this.#conversation.closes) this.#out.push({ do: 'half_close' });
    this.#timer(this.#options.idle);
  }

  #timer(ms: number): void {
    this.#out.push({ do: 'timer', ms });
  }

  #show(event: ResponseEvent): void {
    if (event.type !== 'warning' && event.type !== 'error' && event.type !== 'usage') this.#consumed = true;
    this.#out.push({ do: 'show', event });
  }

  #end(inOrder: boolean): Decoded {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    return conversation?.end(inOrder ? 'clean' : 'reset') ?? { response: nothing };
  }

  #timeOut(): void {
    const { idle } = this.#options;
    const { response } = this.#end(false);
    this.#leave();
    const message = `nothing came for ${idle} ms`;
    const metadata = { ...response.metadata, stopReason: 'error' as const };
    this.#done({
      response: { ...response, metadata },
      error: { kind: 'timeout', message, retryable: false },
    });
  }

  /** Ends the call, or schedules another attempt. */
  #endOrRetry(decoded: Decoded): void {
    const { error } = decoded;
    if (error === undefined || this.#consumed) return this.#done(decoded);
    const { retries, random } = this.#options;
    const delay = retryDelay(retries, error, this.#attempts, random.next());
    if (delay === undefined) return this.#done(decoded);
    this.#phase = 'waiting';
    this.#timer(delay);
  }

  #done(decoded: Decoded): void {
    this.#phase = 'over';
    this.#out.push({ do: 'no_timer' }, { do: 'done', decoded });
  }
}
