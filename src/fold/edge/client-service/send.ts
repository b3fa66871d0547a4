/**
 * One operator's `send` over ClientService: a stream of the conversation's events, then the message, then the
 * events up to the terminal.
 */
import type { Metadata, Status } from '../../../kit/base/index.ts';
import type { Dial, Link } from '../../../kit/world/index.ts';
import type { ClientSendMessageResponse } from '../../messages.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls } from '../../operator.ts';
import { seen, unary } from './call.ts';
import type { CallAnswer } from './call.ts';
import { operatorEventOf } from './events.ts';
import { silent } from './unary.ts';
import { sendMessage, streamEvents } from './protobuf.ts';
import { fine } from '../driver-link.ts';
import type { DriverCall, Caller } from '../driver-link.ts';

/** A gateway that listens says so by its headers; one that sends none before the first event gets so long (ms). */
const listening = 250;

/** What a send needs. */
export interface ClientSendOptions {
  readonly dial: Dial;
  readonly metadata: Metadata;
  /** The conversation. */
  readonly key: string;
  readonly asked: OperatorCalls['send'];
  readonly caller: Caller;
  /** The conversation is free again. */
  readonly over: () => void;
}

/** A send under way. */
export class ClientSend implements DriverCall {
  readonly #options: ClientSendOptions;
  readonly #events: Link;
  readonly #patience: NodeJS.Timeout;
  #post: DriverCall | undefined;
  #taken = false;
  #paused = false;
  #over = false;
  /** Events that came before the gateway said that it took the message. */
  #early: Uint8Array[] = [];

  constructor(options: ClientSendOptions) {
    this.#options = options;
    const { dial, metadata, key } = options;
    this.#events = dial(
      { metadata: { ...metadata, ':path': streamEvents.path } },
      {
        ...silent,
        headers: () => this.#send(),
        message: (bytes) => this.#event(bytes),
        ended: (status) => this.#ended(status),
      },
    );
    this.#events.send(streamEvents.request.encode({ conversation_key: key }));
    this.#events.halfClose();
    this.#patience = setTimeout(() => this.#send(), listening);
  }

  abort(): void {
    if (this.#over) return;
    this.#finish();
    this.#events.close({ code: 1, message: 'the operator left' });
    this.#post?.abort();
  }

  pause(): void {
    this.#paused = true;
    this.#events.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#taken) this.#events.resume();
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#patience);
    this.#options.over();
  }

  #end(status: Status | undefined): void {
    if (this.#over) return;
    this.abort();
    this.#options.caller.ended(status);
  }

  /** Gives the message, once. Until it is taken, the events wait where they are. */
  #send(): void {
    clearTimeout(this.#patience);
    if (this.#post !== undefined || this.#over) return;
    this.#events.pause();
    const { dial, metadata, key, asked } = this.#options;
    const { content, attachments } = asked;
    const message = { conversation_key: key, content, ...(attachments === undefined ? {} : { attachments }) };
    this.#post = unary(dial, metadata, sendMessage, message, (answer) => this.#answered(answer));
  }

  #answered(answer: CallAnswer<ClientSendMessageResponse>): void {
    if ('code' in answer) return this.#end(answer);
    this.#taken = true;
    const { caller, asked } = this.#options;
    // ClientService does not say which thread was begun.
    caller.reply('started', { thread_id: asked.thread_id ?? '' });
    for (const bytes of this.#early.splice(0)) this.#event(bytes);
    if (!this.#over && !this.#paused) this.#events.resume();
  }

  #event(bytes: Uint8Array): void {
    if (this.#over) return;
    if (!this.#taken) {
      this.#early.push(bytes);
      return;
    }
    const decoded = streamEvents.answer.decode(bytes);
    if (!decoded.ok) return this.#end({ code: 2, message: `${streamEvents.path}: ${decoded.error.message}` });
    const event = operatorEventOf(decoded.value.message);
    if (event === undefined) return;
    this.#options.caller.reply(event.name, event.data);
    if (operatorTerminals.has(event.name)) this.#end(fine);
  }

  #ended(status: Status | undefined): void {
    if (this.#over) return;
    this.#finish();
    this.#post?.abort();
    const { caller } = this.#options;
    if (status === undefined || status.code === 0) caller.ended(status);
    else caller.ended(seen(streamEvents.path, status));
  }
}
