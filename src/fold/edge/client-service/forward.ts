/** Forwards a message of a ClientService to the gateway, and the events of its request to its conversation. */
import { randomUUID } from 'node:crypto';
import type { Metadata } from '../../../kit/base/index.ts';
import type { Accept, Link } from '../../../kit/world/index.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls } from '../../operator.ts';
import type { Conversation, PostedMessage } from './conversation.ts';
import { clientEventOf } from './events.ts';
import { sendMessage } from './methods.ts';
import { answerCall } from './unary.ts';
import { operatorCall, textOf } from '../operator-call.ts';
import type { CallStream, OperatorCall } from '../operator-call.ts';

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
export function forward({
  accept,
  caller,
  conversation,
  posted,
  send,
  refused,
  started,
}: ForwardOptions): void {
  let call: OperatorCall | undefined;
  let agentId = send.agent_id ?? '';
  let terminated = false;
  const resume = (): void => call?.drained();
  const retryWaiting = (): void => {
    for (const retry of posted.waiting.splice(0)) retry();
  };
  const accepted = (id: string): void => {
    if (posted.id !== undefined) return;
    posted.id = id === '' ? randomUUID() : id;
    answerCall(caller.link, sendMessage, { status: 'accepted', message_id: posted.id });
    retryWaiting();
  };
  conversation.senders.add(resume);
  call = operatorCall(
    accept,
    caller.stream,
    { send },
    {
      reply(name, data) {
        if (name === 'started') {
          agentId = textOf(data, 'agent_id') || agentId;
          const thread = textOf(data, 'thread_id');
          if (thread !== '') {
            conversation.thread ??= thread;
            started(thread);
          }
          accepted(textOf(data, 'request_id'));
          return true;
        }
        accepted('');
        terminated ||= operatorTerminals.has(name);
        const event = clientEventOf({ name, data }, agentId);
        return event === undefined || conversation.publish(event);
      },
      ended(status) {
        conversation.senders.delete(resume);
        if (posted.id === undefined) {
          refused();
          const unanswered = { code: 14, message: 'the gateway ended the call without an answer' };
          caller.link.close(status.code === 0 ? unanswered : status);
          retryWaiting();
        } else if (!terminated && status.code !== 0) {
          conversation.publish({ error: { message: status.message } });
        }
      },
    },
  );
}
