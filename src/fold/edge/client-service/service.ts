/**
 * The published ClientService in front of a gateway: translates its methods into operator calls. A conversation is
 * an agent, by its id, or a thread that was begun here. All messages of an agent's conversation go to one thread.
 * Its events are those of the requests that were sent here.
 */
import type { Metadata } from '../../../kit/base/index.ts';
import { ignoredEvents } from '../../../kit/world/index.ts';
import type { Accept, Link, LinkEvents } from '../../../kit/world/index.ts';
import type { ApproveToolRequest, ClientSendMessageRequest, StreamEventsRequest } from '../../messages.ts';
import type { OperatorCalls } from '../../operator.ts';
import { Conversations, conversationLimits, isEventId } from './conversation.ts';
import type { Conversation, Listener, PostedMessage } from './conversation.ts';
import { ForwardedMessage } from './forward.ts';
import type { Caller } from './forward.ts';
import { approveTool, clientServicePrefix, getMe, listAgents, sendMessage, streamEvents } from './methods.ts';
import { answerCall, receiveCall } from './unary.ts';
import { textOf } from '../../json.ts';
import { operatorCall } from '../operator-call.ts';

export interface ClientServiceOptions {
  /** The clock (Unix ms); default the system's. */
  readonly now?: () => number;
  /** The name of a caller, for GetMe; default `anonymous`. */
  readonly principal?: (metadata: Metadata) => string;
}

/** The most threads begun here that are remembered. */
const maxThreads = 4096;

/**
 * Puts a ClientService in front of a gateway. It answers its own paths by operator calls, and passes other streams on
 * to the gateway. A server has to route {@link clientServicePaths}.
 *
 * @example
 * const options: ClientServiceOptions = { principal: (metadata) => metadata['x-user'] ?? 'anonymous' };
 */
export function clientServiceAccept(accept: Accept, options: ClientServiceOptions = {}): Accept {
  const service = new ClientService(accept, options);
  return (link, metadata) => {
    const path = metadata[':path'] ?? '';
    if (!path.startsWith(clientServicePrefix)) return accept(link, metadata);
    const { conn, stream } = link;
    return service.open(path, { link, stream: { conn, stream, metadata } });
  };
}

class ClientService {
  readonly #accept: Accept;
  readonly #principal: (metadata: Metadata) => string;
  readonly #conversations: Conversations;
  /** Threads begun here. */
  readonly #threads = new Set<string>();

  constructor(accept: Accept, { now = Date.now, principal = () => 'anonymous' }: ClientServiceOptions) {
    this.#accept = accept;
    this.#principal = principal;
    this.#conversations = new Conversations(now);
  }

  open(path: string, caller: Caller): LinkEvents {
    const { link, stream } = caller;
    switch (path) {
      case sendMessage.path:
        return receiveCall(link, sendMessage, (request) => this.#send(caller, request));
      case streamEvents.path:
        return this.#stream(link);
      case listAgents.path:
        return receiveCall(link, listAgents, () => this.#list(caller));
      case getMe.path:
        return receiveCall(link, getMe, () =>
          answerCall(link, getMe, { principal_id: this.#principal(stream.metadata) }),
        );
      case approveTool.path:
        return receiveCall(link, approveTool, (request) => this.#approve(caller, request));
      default: {
        const message = `ClientService has no ${path.slice(clientServicePrefix.length)} here`;
        // A link can be closed only after its opener has the events.
        queueMicrotask(() => link.close({ code: 12, message }));
        return ignoredEvents;
      }
    }
  }

  /** The conversation of a key; undefined after a refusal. */
  #conversation(link: Link, key: string): Conversation | undefined {
    if (key === '') {
      link.close({ code: 3, message: "conversation_key: expected an agent's id or a thread; came nothing" });
      return undefined;
    }
    const found = this.#conversations.of(key);
    if (found === undefined) link.close({ code: 8, message: 'too many conversations are in use' });
    return found;
  }

  #send(caller: Caller, request: ClientSendMessageRequest): void {
    const { link } = caller;
    const conversation = this.#conversation(link, request.conversation_key ?? '');
    if (conversation === undefined) return;
    const { messages } = conversation;
    const key = request.idempotency_key ?? '';
    const earlier = messages.get(key);
    if (earlier !== undefined) {
      // A duplicate once the first was accepted; a message of its own once the first was refused.
      const repeat = (): void => {
        if (earlier.id === undefined) this.#send(caller, request);
        else answerCall(link, sendMessage, { status: 'duplicate', message_id: earlier.id });
      };
      if (earlier.id === undefined) earlier.waiting.push(repeat);
      else repeat();
      return;
    }
    const posted: PostedMessage = { waiting: [] };
    if (key !== '') remember(conversation, key, posted);
    new ForwardedMessage({
      accept: this.#accept,
      caller,
      conversation,
      posted,
      send: this.#callOf(conversation, request),
      refused: () => void messages.delete(key),
      started: (thread) => this.#started(thread),
    }).begin();
  }

  #callOf(conversation: Conversation, request: ClientSendMessageRequest): OperatorCalls['send'] {
    const { key, thread } = conversation;
    const { content = '', attachments } = request;
    const receiver = this.#threads.has(key)
      ? { thread_id: key }
      : { agent_id: key, ...(thread === undefined ? {} : { thread_id: thread }) };
    const files = attachments === undefined ? {} : { attachments };
    return { content, sender: 'client-service', ...receiver, ...files };
  }

  #started(thread: string): void {
    this.#threads.add(thread);
    const [oldest] = this.#threads;
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#threads.delete(oldest);
  }

  #stream(link: Link): LinkEvents {
    let listener: Listener | undefined;
    const begin = ({ conversation_key = '', since_event_id }: StreamEventsRequest): void => {
      if (since_event_id !== undefined && !isEventId(since_event_id)) {
        const message = `since_event_id: expected the timestamp of an event; came ${JSON.stringify(since_event_id.slice(0, 60))}`;
        return link.close({ code: 3, message });
      }
      const conversation = this.#conversation(link, conversation_key);
      if (conversation === undefined) return;
      link.headers({}); // show the caller that it receives all later events
      listener = conversation.listen(link, since_event_id);
    };
    return {
      ...receiveCall(link, streamEvents, begin),
      drained: () => listener?.drained(),
      ended: () => listener?.leave(),
    };
  }

  #list({ link, stream }: Caller): void {
    let agents: readonly unknown[] = [];
    operatorCall(
      this.#accept,
      stream,
      { agents: {} },
      {
        reply(name, data) {
          if (name === 'agents' && Array.isArray(data)) agents = data;
          return true;
        },
        ended(status) {
          if (status.code !== 0) return link.close(status);
          const listed = agents.map((agent) => ({
            id: textOf(agent, 'id'),
            name: textOf(agent, 'name'),
            backend: textOf(agent, 'backend'),
            working_dir: textOf(agent, 'working_dir'),
            connected: true,
          }));
          answerCall(link, listAgents, { agents: listed });
        },
      },
    );
  }

  #approve({ link, stream }: Caller, request: ApproveToolRequest): void {
    const { agent_id = '', tool_id = '', approved = false, approve_all = false } = request;
    operatorCall(
      this.#accept,
      stream,
      { approve: { agent_id, tool_id, approved, approve_all } },
      {
        reply: () => true,
        ended({ code, message }) {
          if (code === 0) answerCall(link, approveTool, { success: true });
          else if (code === 5) answerCall(link, approveTool, { success: false, error: message });
          else link.close({ code, message });
        },
      },
    );
  }
}

function remember({ messages }: Conversation, key: string, posted: PostedMessage): void {
  messages.set(key, posted);
  const [oldest] = messages.keys();
  if (messages.size > conversationLimits.keys && oldest !== undefined) messages.delete(oldest);
}
