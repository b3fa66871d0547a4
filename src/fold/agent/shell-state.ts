/** The state that every agent on a Fold stream has, whatever it works with, and the outputs of one of its steps. */
import type { Metadata } from '../../kit/base/index.ts';
import type { AgentMessage, MessageResponse, RegisterAgent } from '../messages.ts';
import { StepOutputs } from '../step-outputs.ts';

/** The options of every agent. */
export interface ShellOptions {
  readonly agent_id: string;
  readonly register: Omit<RegisterAgent, 'agent_id'>;
  /** Unix milliseconds at 0 of the host's clock; for heartbeats. */
  readonly epoch: number;
  /** The metadata of the n-th stream (from 0), such as credentials. */
  readonly metadata: (stream: number) => Metadata;
  /** Keepalive ping interval in ms; absent: none. */
  readonly keepalive?: number;
}

/** A request that was received and has not ended. */
export interface ShellRequest {
  readonly id: string;
  readonly thread: string;
  /** Its position among all started requests, from 1; 0 while it waits for its thread. */
  started: number;
  /** Its texts so far, and their UTF-16 units. */
  texts: string[];
  textBytes: number;
}

/** The state of every agent. Each step takes it over. */
export interface ShellState<R extends ShellRequest> {
  phase: 'new' | 'registering' | 'ready' | 'refused' | 'waiting' | 'stopped';
  agentId: string;
  peer: string;
  streams: number;
  failures: number;
  /** Whether the carrier is full. */
  full: boolean;
  /** In order of arrival. */
  readonly requests: Map<string, R>;
  /** The ack given for each injection id of this stream. */
  readonly acks: Map<string, { accepted: boolean; reason?: string }>;
  /** The number of started requests. */
  starts: number;
}

/** The state of an agent that has not begun. */
export const newShellState = <R extends ShellRequest>(agentId: string): ShellState<R> => ({
  phase: 'new',
  agentId,
  peer: '',
  streams: 0,
  failures: 0,
  full: false,
  requests: new Map(),
  acks: new Map(),
  starts: 0,
});

/** The end of a request. */
export type Terminal =
  | { readonly done: { readonly full_response?: string } }
  | { readonly error: string }
  | { readonly cancelled: { readonly reason: string } };

/** The largest `full_response`, in UTF-8 bytes. */
const fullResponseLimit = 1 << 20;

/** One step of an agent: its state, its time, and its outputs. `More` are messages of other protocols. */
export abstract class ShellOutputs<
  R extends ShellRequest,
  S extends ShellState<R> = ShellState<R>,
  More = never,
> extends StepOutputs<S, AgentMessage | More> {
  abstract readonly options: ShellOptions;
  /** The threads whose request has ended in this step. */
  readonly freed: string[] = [];

  /** Sends a message on the agent's stream. */
  toGateway(message: AgentMessage): void {
    this.send(this.state.peer, message);
  }

  /** Sends an event of a request. Its texts are collected for `full_response`. */
  respond(request: R, event: Omit<MessageResponse, 'request_id'>): void {
    if (event.text !== undefined) {
      request.texts.push(event.text);
      request.textBytes += event.text.length;
    }
    this.toGateway({ response: { request_id: request.id, ...event } as MessageResponse });
  }

  /** Ends a request with its terminal. The next of its thread begins after the step. */
  end(request: R, terminal: Terminal): void {
    this.respond(request, terminal);
    this.state.requests.delete(request.id);
    this.freed.push(request.thread);
  }

  /** Whether the agent advertised a protocol feature when it registered. */
  advertises(feature: string): boolean {
    return this.options.register.protocol_features?.includes(feature) ?? false;
  }

  /** The running requests; the one that started first is first. */
  running(): readonly R[] {
    return [...this.state.requests.values()]
      .filter((request) => request.started > 0)
      .toSorted((a, b) => a.started - b.started);
  }
}

/** The terminal of a request that is done: its texts joined, or nothing above 1 MiB. */
export function doneOf({ texts, textBytes }: ShellRequest): Terminal {
  const whole = textBytes <= fullResponseLimit ? texts.join('') : '';
  const fits =
    whole.length * 3 <= fullResponseLimit || new TextEncoder().encode(whole).length <= fullResponseLimit;
  return { done: fits && whole !== '' ? { full_response: whole } : {} };
}
