/** The agents that came to a simulated gateway, with what they sent and received. */
import type { Metadata } from '../../../kit/base/index.ts';
import { keepLatest } from '../../../kit/world/index.ts';
import type { WireEvent } from '../../../kit/world/index.ts';
import type { AgentMessage, RegisterAgent, ServerMessage } from '../../messages.ts';
import { wireOf } from '../../stream-codecs.ts';

/** One stream of an agent. */
export interface SeenAgent {
  /** The id of its Welcome, or of its registration; empty before that. */
  readonly agent_id: string;
  /** Its registration; absent: none has come. */
  readonly register?: RegisterAgent;
  /** The metadata of its stream. Unlike a trace, it contains secrets. */
  readonly headers: Metadata;
  /** Whether its stream is open and was welcomed. */
  readonly connected: boolean;
  /** The messages from the agent, in order. */
  readonly received: readonly AgentMessage[];
  /** The messages to the agent, in order. */
  readonly sent: readonly ServerMessage[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Kept = Writable<SeenAgent> & { readonly received: AgentMessage[]; readonly sent: ServerMessage[] };

export class SeenAgents {
  readonly all: SeenAgent[] = [];
  readonly #limit: number;
  readonly #open = new Map<string, Kept>();
  readonly #operators = new Set<string>();

  /** @param limit - the most agents, and the most messages of one, that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a stream is an operator's. */
  isOperator(stream: string): boolean {
    return this.#operators.has(stream);
  }

  /** Takes an event of the gateway's streams. */
  add(event: WireEvent): void {
    if (event.kind === 'open') this.#opened(event.stream, event.metadata);
    const agent = this.#open.get(event.stream);
    if (event.kind === 'message' && agent !== undefined) this.#message(agent, event);
    if (event.kind !== 'end' && event.kind !== 'reset') return;
    if (agent !== undefined) agent.connected = false;
    this.#open.delete(event.stream);
  }

  /** Forgets an operator's stream that has ended. */
  forget({ kind, stream }: WireEvent): void {
    if (kind === 'end' || kind === 'reset') this.#operators.delete(stream);
  }

  #opened(stream: string, headers: Metadata): void {
    const { kind } = wireOf(headers[':path']);
    if (kind === 'operator') this.#operators.add(stream);
    if (kind !== 'agent') return;
    const agent: Kept = { agent_id: '', headers, connected: false, received: [], sent: [] };
    this.#open.set(stream, agent);
    keepLatest<SeenAgent>(this.all, agent, this.#limit);
  }

  #message(agent: Kept, { incoming, message }: Extract<WireEvent, { kind: 'message' }>): void {
    if (incoming) {
      const sent = message as AgentMessage;
      keepLatest(agent.received, sent, this.#limit);
      if (sent.register === undefined) return;
      agent.register = sent.register;
      agent.agent_id = sent.register.agent_id ?? '';
    } else {
      const { welcome } = message as ServerMessage;
      keepLatest(agent.sent, message as ServerMessage, this.#limit);
      if (welcome === undefined) return;
      agent.connected = true;
      if (welcome.agent_id !== undefined) agent.agent_id = welcome.agent_id;
    }
  }
}
