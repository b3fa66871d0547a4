/** Forwards a message of a ClientService to the gateway, and the events of its request to its conversation. */
import { randomUUID } from 'node:crypto';
import type { Metadata, Status } from '../../../kit/base/index.ts';
import type { Accept, Link } from '../../../kit/world/index.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls } from '../../operator.ts';
import type { Conversation, PostedMessage } from './conversation.ts';
import { clientEventOf } from './events.ts';
import { sendMessage } from './methods.ts';
import { answerCall } from './unary.ts';
import { textOf } from '../../json.ts';
import { operatorCall } from '../operator-call.ts';
import type { CallReplies, CallStream, OperatorCall } from '../operator-call.ts';

/** A caller: its link, and the stream of its operator calls, which has the link's names. */
export interface Caller {
  readonly link: Link;
  readonly stream: CallStream & { readonly metadata: Metadata };
}

/** A message on its way to the gateway. */
export interface ForwardOptions {
  readonly accept: Accept;
  readonly caller: Caller;
  readonly conversation: Conversation;
  readonly posted: PostedMessage;
  readonly send: OperatorCalls['send'];
  /** The gateway refused the message. */
  readonly refused: () => void;
  /** The gateway began a request in this thread. */
  readonly started: (thread: string) => void;
}

/** Forwards a message. Its caller receives the acceptance or a refusal; the conversation receives the events. */
export class ForwardedMessage implements CallReplies {
  readonly #options: ForwardOptions;
  readonly #resume = (): void => this.#call?.drained();
  #call: OperatorCall | undefined;
  #agentId: string;
  #terminated = false;

  constructor(options: ForwardOptions) {
    this.#options = options;
    this.#agentId = options.send.agent_id ?? '';
  }

  begin(): void {
    const { accept, caller, conversation, send } = this.#options;
    conversation.senders.add(this.#resume);
    this.#call = operatorCall(accept, caller.stream, { send }, this);
  }

  reply(name: string, data: unknown): boolean {
    const { conversation } = this.#options;
    if (name === 'started') {
      this.#started(data);
      return true;
    }
    this.#accepted('');
    this.#terminated ||= operatorTerminals.has(name);
    const event = clientEventOf({ name, data }, this.#agentId);
    return event === undefined || conversation.publish(event);
  }

  ended(status: Status): void {
    const { caller, conversation, posted, refused } = this.#options;
    conversation.senders.delete(this.#resume);
    if (posted.id === undefined) {
      refused();
      const unanswered = { code: 14, message: 'the gateway ended the call without an answer' };
      caller.link.close(status.code === 0 ? unanswered : status);
      this.#retryWaiting();
    } else if (!this.#terminated && status.code !== 0) {
      conversation.publish({ error: { message: status.message } });
    }
  }

  #started(data: unknown): void {
    const { conversation, started } = this.#options;
    this.#agentId = textOf(data, 'agent_id') || this.#agentId;
    const thread = textOf(data, 'thread_id');
    if (thread !== '') {
      conversation.thread ??= thread;
      started(thread);
    }
    this.#accepted(textOf(data, 'request_id'));
  }

  #accepted(id: string): void {
    const { caller, posted } = this.#options;
    if (posted.id !== undefined) return;
    posted.id = id === '' ? randomUUID() : id;
    answerCall(caller.link, sendMessage, { status: 'accepted', message_id: posted.id });
    this.#retryWaiting();
  }

  #retryWaiting(): void {
    for (const retry of this.#options.posted.waiting.splice(0)) retry();
  }
}
