/**
 * An operator's `send` over ClientService: opens the stream of the conversation's events, sends the message, and reports
 * the events up to the terminal.
 */
import { randomUUID } from 'node:crypto';
import type { Metadata, Status } from '../../../kit/base/index.ts';
import { ignoredEvents } from '../../../kit/world/index.ts';
import type { Dial, Link } from '../../../kit/world/index.ts';
import type { ClientSendMessageResponse } from '../../messages.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls } from '../../operator.ts';
import { operatorEventOf } from './events.ts';
import { sendMessage, streamEvents } from './methods.ts';
import { call, statusOf } from './unary.ts';
import type { CallAnswer } from './unary.ts';
import { okStatus } from '../driver-link.ts';
import type { CallEvents, DriverCall } from '../driver-link.ts';

/** Headers show that the gateway streams events. The longest wait for them before the message is sent (ms). */
const headersTimeout = 250;

/** The parts of a send. */
export interface ClientSendOptions {
  readonly dial: Dial;
  readonly metadata: Metadata;
  /** The key of the conversation. */
  readonly key: string;
  readonly send: OperatorCalls['send'];
  readonly caller: CallEvents;
  /** Called when the conversation is free again. */
  readonly over: () => void;
}

/** A running send. */
export class ClientSend implements DriverCall {
  readonly #options: ClientSendOptions;
  readonly #events: Link;
  readonly #headersTimer: NodeJS.Timeout;
  #post: DriverCall | undefined;
  #accepted = false;
  #paused = false;
  #over = false;
  /** Events that came before the gateway accepted the message. */
  #early: Uint8Array[] = [];

  constructor(options: ClientSendOptions) {
    this.#options = options;
    const { dial, metadata, key } = options;
    this.#events = dial(
      { metadata: { ...metadata, ':path': streamEvents.path } },
      {
        ...ignoredEvents,
        headers: () => this.#send(),
        message: (bytes) => this.#event(bytes),
        ended: (status) => this.#ended(status),
      },
    );
    this.#events.send(streamEvents.request.encode({ conversation_key: key }));
    this.#events.halfClose();
    this.#headersTimer = setTimeout(() => this.#send(), headersTimeout);
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
    if (this.#accepted) this.#events.resume();
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#headersTimer);
    this.#options.over();
  }

  #end(status: Status | undefined): void {
    if (this.#over) return;
    this.abort();
    this.#options.caller.ended(status);
  }

  /** Sends the message, once. The events are paused until it is accepted. */
  #send(): void {
    clearTimeout(this.#headersTimer);
    if (this.#post !== undefined || this.#over) return;
    this.#events.pause();
    const { dial, metadata, key, send } = this.#options;
    const { content, attachments } = send;
    const message = {
      conversation_key: key,
      content,
      // Gateways refuse a message without a key, and take two messages with one key for one.
      idempotency_key: randomUUID(),
      ...(attachments === undefined ? {} : { attachments }),
    };
    this.#post = call(dial, metadata, sendMessage, message, (answer) => this.#answered(answer));
  }

  #answered(answer: CallAnswer<ClientSendMessageResponse>): void {
    if ('code' in answer) return this.#end(answer);
    this.#accepted = true;
    const { caller, send } = this.#options;
    // ClientService does not report the thread of the request.
    caller.reply('started', { thread_id: send.thread_id ?? '' });
    for (const bytes of this.#early.splice(0)) this.#event(bytes);
    if (!this.#over && !this.#paused) this.#events.resume();
  }

  #event(bytes: Uint8Array): void {
    if (this.#over) return;
    if (!this.#accepted) {
      this.#early.push(bytes);
      return;
    }
    const decoded = streamEvents.answer.decode(bytes);
    if (!decoded.ok) return this.#end({ code: 2, message: `${streamEvents.path}: ${decoded.error.message}` });
    const event = operatorEventOf(decoded.value.message);
    if (event === undefined) return;
    this.#options.caller.reply(event.name, event.data);
    if (operatorTerminals.has(event.name)) this.#end(okStatus);
  }

  #ended(status: Status | undefined): void {
    if (this.#over) return;
    this.#finish();
    this.#post?.abort();
    const { caller } = this.#options;
    if (status === undefined || status.code === 0) caller.ended(status);
    else caller.ended(statusOf(streamEvents.path, status));
  }
}
