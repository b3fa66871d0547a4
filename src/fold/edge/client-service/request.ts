/** A message that a ClientService was sent, from the call that brings it to its last event. */
import { randomUUID } from 'node:crypto';
import type { Status } from '../../../kit/base/index.ts';
import type { Accept, Link } from '../../../kit/world/index.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls } from '../../operator.ts';
import { clientEventOf } from './events.ts';
import { give, textOf } from './unary.ts';
import { sendMessage } from './protobuf.ts';
import type { Conversation, Posting } from '../conversation.ts';
import { innerCall } from '../inner-call.ts';
import type { InnerCall, Origin } from '../inner-call.ts';

/** One message on its way through the gateway: the caller hears whether it was taken, the conversation the rest. */
export class ClientRequest {
  readonly #conversation: Conversation;
  readonly #posting: Posting;
  readonly #link: Link;
  readonly #refused: () => void;
  readonly #begun: (thread: string) => void;
  #call: InnerCall | undefined;
  #agentId = '';
  #terminated = false;
  readonly #drained = (): void => this.#call?.drained();

  constructor(
    conversation: Conversation,
    posting: Posting,
    link: Link,
    refused: () => void,
    begun: (thread: string) => void,
  ) {
    this.#conversation = conversation;
    this.#posting = posting;
    this.#link = link;
    this.#refused = refused;
    this.#begun = begun;
  }

  begin(accept: Accept, origin: Origin, send: OperatorCalls['send']): void {
    this.#agentId = send.agent_id ?? '';
    this.#conversation.feeds.add(this.#drained);
    this.#call = innerCall(
      accept,
      origin,
      { send },
      {
        reply: (name, data) => this.#reply(name, data),
        ended: (status) => this.#ended(status),
      },
    );
  }

  #reply(name: string, data: unknown): boolean {
    if (name === 'started') {
      const thread = textOf(data, 'thread_id');
      this.#agentId = textOf(data, 'agent_id') || this.#agentId;
      if (thread !== '') {
        this.#conversation.thread ??= thread;
        this.#begun(thread);
      }
      this.#taken(textOf(data, 'request_id'));
      return true;
    }
    this.#taken('');
    this.#terminated ||= operatorTerminals.has(name);
    const event = clientEventOf({ name, data }, this.#agentId);
    return event === undefined || this.#conversation.publish(event);
  }

  #taken(id: string): void {
    if (this.#posting.id !== undefined) return;
    this.#posting.id = id === '' ? randomUUID() : id;
    give(this.#link, sendMessage, { status: 'accepted', message_id: this.#posting.id });
    this.#settle();
  }

  #settle(): void {
    for (const again of this.#posting.waiting.splice(0)) again();
  }

  #ended(status: Status): void {
    this.#conversation.feeds.delete(this.#drained);
    if (this.#posting.id === undefined) {
      this.#refused();
      const silence = { code: 14, message: 'the gateway ended the call without an answer' };
      this.#link.close(status.code === 0 ? silence : status);
      this.#settle();
    } else if (!this.#terminated && status.code !== 0) {
      this.#conversation.publish({ error: { message: status.message } });
    }
  }
}
