/** The state of the reference agent, and the outputs of one of its steps. */
import type { Metadata, RoleOutput } from '../../kit/base/index.ts';
import type { Step, ToolStep } from '../directive.ts';
import type { AgentMessage, MessageResponse, RegisterAgent } from '../messages.ts';

/** The options of the reference agent. */
export interface AgentOptions {
  readonly agent_id: string;
  readonly register: Omit<RegisterAgent, 'agent_id'>;
  /** Unix milliseconds at 0 of the host's clock; for heartbeats. */
  readonly epoch: number;
  /** The metadata of the n-th stream (from 0), such as credentials. */
  readonly metadata: (stream: number) => Metadata;
  /** Keepalive ping interval in ms; absent: none. */
  readonly keepalive?: number;
}

/** The event that a running request waits for. */
export type Wait =
  | { readonly on: 'turn' }
  | { readonly on: 'time' }
  | { readonly on: 'hold' }
  | { readonly on: 'approval' }
  | { readonly on: 'pack'; readonly id: string }
  /** The carrier is full. */
  | { readonly on: 'room' };

/** A tool between its tool_use and its end. */
export interface OpenTool {
  readonly id: string;
  readonly step: ToolStep;
}

/** An injection that waits for its place; `n` is its position in the order of arrival. */
export interface PendingInjection {
  readonly n: number;
  readonly content: string;
}

/** A request that was received and has not ended. */
export interface RunningRequest {
  readonly id: string;
  readonly thread: string;
  readonly steps: readonly Step[];
  /** Its position among all started requests, from 1; 0 while it waits for its thread. */
  started: number;
  /** The index of the current step, and the number of its texts that were sent. */
  at: number;
  said: number;
  wait: Wait;
  tool: OpenTool | undefined;
  texts: string[];
  textBytes: number;
  /** Whether it echoes injections. */
  echo: boolean;
  /** The reason with which it rejects injections. */
  reject: string | undefined;
  /** The tools that needed approval: a decision with approve_all counts for any of them, even after its end. */
  readonly asked: Set<string>;
  approveAll: boolean;
  /** Releases that no hold has used yet. */
  releases: number;
  /** Injections from before its start, echoed before its second step. */
  kept: PendingInjection[];
  /** NORMAL injections, which wait for the next step. */
  normal: PendingInjection[];
}

/** The agent's state. Each step takes it over. */
export interface AgentState {
  phase: 'new' | 'registering' | 'ready' | 'refused' | 'waiting' | 'stopped';
  agentId: string;
  peer: string;
  streams: number;
  failures: number;
  /** Whether the carrier is full. */
  full: boolean;
  tools: number;
  packs: number;
  /** In order of arrival. */
  readonly requests: Map<string, RunningRequest>;
  /** The ack given for each injection id of this stream. */
  readonly acks: Map<string, { accepted: boolean; reason?: string }>;
  /** Injections for the next request that begins with `echo_injections`. */
  kept: PendingInjection[];
  /** The number of placed injections. */
  arrivals: number;
  /** The number of started requests. */
  starts: number;
}

/** The outputs of one step. */
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

  respond(request: RunningRequest, event: Omit<MessageResponse, 'request_id'>): void {
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

  /** Stops both timers of a request. */
  stopTimers(request: string): void {
    this.stopTimer(`turn:${request}`);
    this.stopTimer(`wait:${request}`);
  }

  advertises(feature: string): boolean {
    return this.options.register.protocol_features?.includes(feature) ?? false;
  }
}
