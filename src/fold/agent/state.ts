/** What the reference agent remembers, and the pen it writes its outputs with. */
import type { Metadata, RoleOutput } from '../../kit/base/index.ts';
import type { Step, ToolStep } from '../directive.ts';
import type { AgentMessage, MessageResponse, RegisterAgent } from '../messages.ts';

/** How the reference agent is set up. */
export interface AgentOptions {
  readonly agent_id: string;
  readonly register: Omit<RegisterAgent, 'agent_id'>;
  /** Unix milliseconds when the host's clock was 0; for heartbeats. */
  readonly epoch: number;
  /** Metadata of the n-th stream (from 0), such as credentials. */
  readonly metadata: (stream: number) => Metadata;
  /** Keepalive ping interval in ms; absent: none. */
  readonly keepalive?: number;
}

/** What a running request waits for. */
export type Wait =
  | { readonly on: 'turn' }
  | { readonly on: 'time' }
  | { readonly on: 'hold' }
  | { readonly on: 'approval' }
  | { readonly on: 'pack'; readonly id: string }
  | { readonly on: 'room' };

/** A tool between its tool_use and its end. */
export interface ToolInHand {
  readonly id: string;
  readonly step: ToolStep;
}

/** An injection that waits for its place, and the order in which it arrived. */
export interface Waiting {
  readonly n: number;
  readonly content: string;
}

/** A request that was received and has not ended. */
export interface Running {
  readonly id: string;
  readonly thread: string;
  readonly steps: readonly Step[];
  /** When it was started, among all; 0: it waits for its thread. */
  started: number;
  /** The step in hand, and how many texts of its burst are out. */
  at: number;
  said: number;
  wait: Wait;
  tool: ToolInHand | undefined;
  texts: string[];
  textBytes: number;
  echo: boolean;
  reject: string | undefined;
  /** Tools that it asked about: a decision with approve_all counts for any of them, however late. */
  readonly asked: Set<string>;
  approveAll: boolean;
  releases: number;
  /** What was kept before it started, to be said before its second step. */
  kept: Waiting[];
  /** NORMAL injections that wait for the next step. */
  normal: Waiting[];
}

/** The agent's state; handed over at each step. */
export interface AgentState {
  phase: 'new' | 'registering' | 'ready' | 'refused' | 'waiting' | 'stopped';
  agentId: string;
  peer: string;
  streams: number;
  failures: number;
  full: boolean;
  tools: number;
  packs: number;
  /** In order of arrival. */
  readonly requests: Map<string, Running>;
  /** The ack given for each injection id of this stream. */
  readonly acks: Map<string, { accepted: boolean; reason?: string }>;
  /** Injections for the next echoing request. */
  kept: Waiting[];
  /** Injections that have been given a place. */
  arrivals: number;
  /** Requests that have been started. */
  starts: number;
}

/** Collects what a step puts out. */
export class StepOutputs {
  readonly outputs: RoleOutput<AgentMessage>[] = [];
  readonly peer: string;
  readonly now: number;
  readonly options: AgentOptions;

  constructor(peer: string, now: number, options: AgentOptions) {
    this.peer = peer;
    this.now = now;
    this.options = options;
  }

  send(message: AgentMessage): void {
    this.outputs.push({ type: 'send', peer: this.peer, message });
  }

  respond(request: Running, event: Omit<MessageResponse, 'request_id'>): void {
    if (event.text !== undefined) {
      request.texts.push(event.text);
      request.textBytes += event.text.length;
    }
    this.send({ response: { request_id: request.id, ...event } as MessageResponse });
  }

  startTimer(id: string, ms: number): void {
    this.outputs.push({ type: 'start_timer', id, ms });
  }

  stopTimer(id: string): void {
    this.outputs.push({ type: 'stop_timer', id });
  }

  advertises(feature: string): boolean {
    return this.options.register.protocol_features?.includes(feature) ?? false;
  }
}
