/**
 * The published ClientService in front of a gateway: a translator between its methods and operator calls. A
 * conversation is an agent, by its id, or a thread that was begun here; all messages of an agent's conversation go
 * to one thread. Events are those of requests that were sent here.
 */
import type { Metadata } from '../../../kit/base/index.ts';
import type { Accept, Link, LinkEvents } from '../../../kit/world/index.ts';
import type { ApproveToolRequest, ClientSendMessageRequest, StreamEventsRequest } from '../../messages.ts';
import type { OperatorCalls } from '../../operator.ts';
import { ClientRequest } from './request.ts';
import {
  approveTool,
  clientServicePrefix,
  getMe,
  listAgents,
  sendMessage,
  streamEvents,
} from './protobuf.ts';
import { give, hear, silent, textOf } from './unary.ts';
import { Conversations, conversationLimits, isEventId } from '../conversation.ts';
import type { Conversation, Listener, Posting } from '../conversation.ts';
import { innerCall } from '../inner-call.ts';
import type { Origin } from '../inner-call.ts';

/** What a ClientService goes by. */
export interface ClientServiceOptions {
  /** Unix ms; default the system's. */
  readonly now?: () => number;
  /** Who a caller is, for GetMe; default `anonymous`. */
  readonly principal?: (metadata: Metadata) => string;
}

/** Threads begun here whose names are remembered. */
const mostThreads = 4096;

/**
 * Puts a ClientService in front of a gateway: its paths are answered here by operator calls, all others are passed
 * on. A server has to route {@link clientServicePaths}.
 *
 * @example
 * const options: ClientServiceOptions = { principal: (metadata) => metadata['x-user'] ?? 'anonymous' };
 */
export function clientServiceAccept(accept: Accept, options: ClientServiceOptions = {}): Accept {
  const service = new ClientService(accept, options);
  return (link, metadata) => {
    const path = metadata[':path'] ?? '';
    if (!path.startsWith(clientServicePrefix)) return accept(link, metadata);
    return service.open(path, { link, metadata });
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

  open(path: string, origin: Origin): LinkEvents {
    const { link } = origin;
    switch (path) {
      case sendMessage.path:
        return hear(link, sendMessage, (request) => this.#send(origin, request));
      case streamEvents.path:
        return this.#stream(link);
      case listAgents.path:
        return hear(link, listAgents, () => this.#list(origin));
      case getMe.path:
        return hear(link, getMe, () => give(link, getMe, { principal_id: this.#principal(origin.metadata) }));
      case approveTool.path:
        return hear(link, approveTool, (request) => this.#approve(origin, request));
      default: {
        const message = `ClientService has no ${path.slice(clientServicePrefix.length)} here`;
        // A link is closed only after its opener has what it listens with.
        queueMicrotask(() => link.close({ code: 12, message }));
        return silent;
      }
    }
  }

  /** The conversation that a caller names; or undefined, refused. */
  #conversation(link: Link, key: string): Conversation | undefined {
    if (key === '') {
      link.close({ code: 3, message: "conversation_key: expected an agent's id or a thread; came nothing" });
      return undefined;
    }
    const found = this.#conversations.of(key);
    if (found === undefined) link.close({ code: 8, message: 'too many conversations are in use' });
    return found;
  }

  #send(origin: Origin, request: ClientSendMessageRequest): void {
    const { link } = origin;
    const conversation = this.#conversation(link, request.conversation_key ?? '');
    if (conversation === undefined) return;
    const key = request.idempotency_key ?? '';
    const seen = conversation.postings.get(key);
    if (seen !== undefined) {
      const repeat = (): void => {
        if (seen.id === undefined)
          this.#send(origin, request); // the first was refused
        else give(link, sendMessage, { status: 'duplicate', message_id: seen.id });
      };
      if (seen.id === undefined) seen.waiting.push(repeat);
      else repeat();
      return;
    }
    const posting: Posting = { waiting: [] };
    if (key !== '') remember(conversation, key, posting);
    const refused = (): void => void conversation.postings.delete(key);
    new ClientRequest(conversation, posting, link, refused, (thread) => this.#begun(thread)).begin(
      this.#accept,
      origin,
      this.#callOf(conversation, request),
    );
  }

  #callOf(conversation: Conversation, request: ClientSendMessageRequest): OperatorCalls['send'] {
    const { key, thread } = conversation;
    const { content = '', attachments } = request;
    const whom = this.#threads.has(key)
      ? { thread_id: key }
      : { agent_id: key, ...(thread === undefined ? {} : { thread_id: thread }) };
    return {
      content,
      sender: 'client-service',
      ...whom,
      ...(attachments === undefined ? {} : { attachments }),
    };
  }

  #begun(thread: string): void {
    this.#threads.add(thread);
    const [oldest] = this.#threads;
    if (this.#threads.size > mostThreads && oldest !== undefined) this.#threads.delete(oldest);
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
      link.headers({}); // the caller knows by these that it misses nothing from now on
      listener = conversation.listen(link, since_event_id);
    };
    return {
      ...hear(link, streamEvents, begin),
      drained: () => listener?.drained(),
      ended: () => listener?.leave(),
    };
  }

  #list(origin: Origin): void {
    let agents: readonly unknown[] = [];
    innerCall(
      this.#accept,
      origin,
      { agents: {} },
      {
        reply(name, data) {
          if (name === 'agents' && Array.isArray(data)) agents = data;
          return true;
        },
        ended(status) {
          if (status.code !== 0) return origin.link.close(status);
          const listed = agents.map((agent) => ({
            id: textOf(agent, 'id'),
            name: textOf(agent, 'name'),
            backend: textOf(agent, 'backend'),
            working_dir: textOf(agent, 'working_dir'),
            connected: true,
          }));
          give(origin.link, listAgents, { agents: listed });
        },
      },
    );
  }

  #approve(origin: Origin, request: ApproveToolRequest): void {
    const { agent_id = '', tool_id = '', approved = false, approve_all = false } = request;
    innerCall(
      this.#accept,
      origin,
      { approve: { agent_id, tool_id, approved, approve_all } },
      {
        reply: () => true,
        ended({ code, message }) {
          if (code === 0) give(origin.link, approveTool, { success: true });
          else if (code === 5) give(origin.link, approveTool, { success: false, error: message });
          else origin.link.close({ code, message });
        },
      },
    );
  }
}

function remember({ postings }: Conversation, key: string, posting: Posting): void {
  postings.set(key, posting);
  const [oldest] = postings.keys();
  if (postings.size > conversationLimits.keys && oldest !== undefined) postings.delete(oldest);
}
