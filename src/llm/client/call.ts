/**
 * One call of a model: a request, its response as it comes, and further attempts where they are due. A state machine
 * without clock or socket; who runs it does what it asks.
 */
import type { Metadata } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { conversationOf } from './wire.ts';
import type { Conversation, Converse } from './conversation.ts';
import { retryDelay } from './retry.ts';
import type { RetryPolicy } from './retry.ts';
import type { ClientError, Decoded, LlmRequest, ResponseEvent } from '../messages.ts';

/** What is called. */
export interface CallOptions {
  /** Such as `http://127.0.0.1:1234`; a path in it, such as `/v1`, is kept where the dialect's paths lack it. */
  readonly baseUrl: string;
  readonly request: LlmRequest;
  /** Header fields of the caller's, such as credentials. */
  readonly headers?: { readonly [name: string]: string };
  readonly retries: RetryPolicy;
  /** A response that is silent for so long has failed (ms). */
  readonly idle: number;
  readonly random: Random;
  /** Begins each attempt's exchange; absent: {@link conversationOf}. */
  readonly converse?: Converse;
}

/** What a call asks of who runs it. */
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

/** After the terminal, the end of the body is awaited so long (ms). */
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
  #talk: Conversation | undefined;
  /** Whether output was shown: then nothing is asked again (LLM-C09). */
  #consumed = false;
  #phase: 'talking' | 'closing' | 'waiting' | 'over' = 'waiting';
  #out: CallOutput[] = [];

  constructor(options: CallOptions) {
    this.#options = options;
  }

  /** Makes the first request. */
  start(): readonly CallOutput[] {
    this.#attempt();
    return this.#taken();
  }

  /** The answer's headers. */
  headers(metadata: Metadata): readonly CallOutput[] {
    this.#talk?.headers(metadata);
    return this.#taken();
  }

  /** Bytes of the answer. */
  bytes(chunk: Uint8Array): readonly CallOutput[] {
    if (this.#phase !== 'talking' || this.#talk === undefined) return this.#taken();
    const { send, events } = this.#talk.take(chunk);
    for (const bytes of send) this.#out.push({ do: 'send', bytes });
    for (const event of events) this.#show(event);
    if (!this.#talk.done) this.#timer(this.#options.idle);
    else if (this.#talk.endsItself) {
      this.#phase = 'closing';
      this.#timer(grace);
    } else this.#letGo();
    return this.#taken();
  }

  /** All has come that is needed: the end is not awaited. */
  #letGo(): void {
    this.#out.push({ do: 'close' });
    this.#decide(this.#end(true));
  }

  /** The answer is over: in order, or the connection was lost. */
  ended(fine: boolean): readonly CallOutput[] {
    if (this.#phase === 'talking' || this.#phase === 'closing') this.#decide(this.#end(fine));
    return this.#taken();
  }

  /** The timer has fired. */
  timer(): readonly CallOutput[] {
    if (this.#phase === 'waiting') this.#attempt();
    else if (this.#phase === 'closing') this.#letGo();
    else if (this.#phase === 'talking') this.#silent();
    return this.#taken();
  }

  /** The caller wants no more: the connection is let go of at once, in the dialect's way (LLM-C10). */
  abort(): readonly CallOutput[] {
    if (this.#phase === 'over') return this.#taken();
    for (const bytes of this.#talk?.cancel() ?? []) this.#out.push({ do: 'send', bytes });
    const { response } = this.#end(false);
    this.#out.push({ do: 'close' });
    const metadata = { ...response.metadata, stopReason: 'cancelled' as const };
    const error: ClientError = { kind: 'aborted', message: 'aborted by the caller', retryable: false };
    this.#done({ response: { ...response, metadata }, error });
    return this.#taken();
  }

  #taken(): readonly CallOutput[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #attempt(): void {
    const { request, baseUrl, headers = {}, converse = conversationOf } = this.#options;
    this.#attempts++;
    this.#phase = 'talking';
    this.#talk = converse(request, baseUrl, headers);
    this.#out.push({ do: 'dial', metadata: this.#talk.metadata });
    for (const bytes of this.#talk.first) this.#out.push({ do: 'send', bytes });
    if (this.#talk.closes) this.#out.push({ do: 'half_close' });
    this.#timer(this.#options.idle);
  }

  #timer(ms: number): void {
    this.#out.push({ do: 'timer', ms });
  }

  #show(event: ResponseEvent): void {
    if (event.type !== 'warning' && event.type !== 'error' && event.type !== 'usage') this.#consumed = true;
    this.#out.push({ do: 'show', event });
  }

  #end(fine: boolean): Decoded {
    const talk = this.#talk;
    this.#talk = undefined;
    return talk?.end(fine ? 'clean' : 'reset') ?? { response: nothing };
  }

  #silent(): void {
    const { idle } = this.#options;
    const { response } = this.#end(false);
    this.#out.push({ do: 'close' });
    const message = `nothing came for ${idle} ms`;
    const metadata = { ...response.metadata, stopReason: 'error' as const };
    this.#done({
      response: { ...response, metadata },
      error: { kind: 'timeout', message, retryable: false },
    });
  }

  /** Whether it was an answer, or another attempt is due. */
  #decide(decoded: Decoded): void {
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
