/** The state of the reference agent, and the outputs of one of its steps. */
import type { ScriptedAnswer, Step, ToolStep } from '../directive.ts';
import { ShellOutputs } from './shell-state.ts';
import type { ShellOptions, ShellRequest, ShellState } from './shell-state.ts';

/** The options of the reference agent. */
export interface AgentOptions extends ShellOptions {
  /** The answers to messages that are no directive; absent: the agent says their content. */
  readonly answers?: readonly ScriptedAnswer[];
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

/** A request with the steps of its directive. */
export interface ActiveRequest extends ShellRequest {
  readonly steps: readonly Step[];
  /** The index of the current step, and the number of its texts that were sent. */
  stepIndex: number;
  textsSent: number;
  wait: Wait;
  tool: OpenTool | undefined;
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
export interface AgentState extends ShellState<ActiveRequest> {
  tools: number;
  packs: number;
  /** Injections for the next request that begins with `echo_injections`. */
  kept: PendingInjection[];
  /** The number of placed injections. */
  arrivals: number;
  /** The number of messages that got an answer of the script in its order. */
  answered: number;
}

/** One step of the agent: its state, its time, and its outputs. */
export class Outputs extends ShellOutputs<ActiveRequest, AgentState> {
  readonly options: AgentOptions;

  constructor(state: AgentState, now: number, options: AgentOptions) {
    super(state, now);
    this.options = options;
  }

  /** Stops both timers of a request. */
  stopTimers(request: string): void {
    this.stopTimer(`turn:${request}`);
    this.stopTimer(`wait:${request}`);
  }
}
