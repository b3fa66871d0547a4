/** The state of the reference agent, and the outputs of one of its steps. */
import type { Metadata } from '../../kit/base/index.ts';
import type { ScriptedAnswer, Step, ToolStep } from '../directive.ts';
import type { AgentMessage, MessageResponse, RegisterAgent } from '../messages.ts';
import { StepOutputs } from '../step-outputs.ts';

/** The options of the reference agent. */
export interface AgentOptions {
  readonly agent_id: string;
  readonly register: Omit<RegisterAgent, 'agent_id'>;
  /** Unix milliseconds at 0 of the host's clock; for heartbeats. */
  readonly epoch: number;
  /** The metadata of the n-th stream (from 0), such as credentials. */
  readonly metadata: (stream: number) => Metadata;
  /** The answers to messages that are no directive; absent: the agent says their content. */
  readonly answers?: readonly ScriptedAnswer[];
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
export interface ActiveRequest {
  readonly id: string;
  readonly thread: string;
  readonly steps: readonly Step[];
  /** Its position among all started requests, from 1; 0 while it waits for its thread. */
  started: number;
  /** The index of the current step, and the number of its texts that were sent. */
  stepIndex: number;
  textsSent: number;
  wait: Wait;
  tool: OpenTool | undefined;
  texts: string[];
  textBytes: number;
  /** Whether it echoes injections. */
  echo: boolean;
  /** The reason with which it rejects injections. */
  reject: string | undefined;
  /** The tools that needed approval: a decision with approve_all counts for any of them, even after its end. */
  readonly approvals: Set<string>;
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
  readonly requests: Map<string, ActiveRequest>;
  /** The ack given for each injection id of this stream. */
  readonly acks: Map<string, { accepted: boolean; reason?: string }>;
  /** Injections for the next request that begins with `echo_injections`. */
  kept: PendingInjection[];
  /** The number of placed injections. */
  arrivals: number;
  /** The number of started requests. */
  starts: number;
  /** The number of messages that got an answer of the script in its order. */
  answered: number;
}

/** One step of the agent: its state, its time, and its outputs. */
export class Outputs extends StepOutputs<AgentState, AgentMessage> {
  readonly options: AgentOptions;

  constructor(state: AgentState, now: number, options: AgentOptions) {
    super(state, now);
    this.options = options;
  }

  toGateway(message: AgentMessage): void {
    this.send(this.state.peer, message);
  }

  respond(request: ActiveRequest, event: Omit<MessageResponse, 'request_id'>): void {
    if (event.text !== undefined) {
      request.texts.push(event.text);
      request.textBytes += event.text.length;
    }
    this.toGateway({ response: { request_id: request.id, ...event } as MessageResponse });
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
