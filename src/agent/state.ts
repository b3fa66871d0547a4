/** The state of a whole agent, and the outputs of one of its steps. */
import type { ProviderMessage, ToolCall, ToolOutcome } from '../kit/base/index.ts';
import { ShellOutputs, defaultAgentOptions, newShellState } from '../fold/index.ts';
import type { InjectContext, ShellOptions, ShellRequest, ShellState } from '../fold/index.ts';
import type { Chunk, ClientCall, ClientError, Thinking } from '../llm/index.ts';
import type { ModelChoice, OutputMeter, TurnMachine, TurnState } from '../tokens/index.ts';
import type { AgentTool, WholeAgentOptions } from './options.ts';

/** The history of a thread, which one request has at a time. */
export interface ThreadHistory {
  /** Valid for every provider. */
  messages: readonly ProviderMessage[];
  /** The thoughts before a message with calls, by the id of its first call. */
  readonly thoughts: Map<string, readonly Thinking[]>;
  compactedAt: number | undefined;
}

/** An open exchange with the provider. */
export interface Exchange {
  readonly call: ClientCall;
  /** The link; empty before it is dialled. */
  peer: string;
  /** Whether output was shown: then the request is never repeated (LLM-C09). */
  shown: boolean;
  /** Estimates the response while it streams; absent for an exchange that only counts a prompt. */
  readonly meter: OutputMeter | undefined;
}

/** The tokens of model requests, added up. */
export interface UsedTokens {
  /** Responses with usage. */
  responses: number;
  input: number;
  output: number;
}

/** A tool between its tool_use and its end. */
export interface OpenTool {
  /** Unique for the agent, because decisions carry nothing else. */
  readonly id: string;
  readonly call: ToolCall;
  readonly tool: AgentTool;
  /** What it waits for: a decision, a time, the host. */
  waits: 'approval' | 'time' | 'host';
  /** Its end when its time is over. */
  end: { readonly outcome: 'completed' | 'failed' | 'timeout'; readonly output: string };
}

/** The calls of one response. They run one after another. */
export interface CallBatch {
  readonly calls: readonly ToolCall[];
  /** Results of calls that are put off, for the model alone. */
  readonly deferred: readonly ToolOutcome[];
  /** A tool of the agent itself, which no response has called; it always needs an approval. */
  readonly own: AgentTool | undefined;
  readonly results: ToolOutcome[];
  open: OpenTool | undefined;
}

/** A Fold request that the agent works on. */
export interface AgentRequest extends ShellRequest {
  /** The user's message. */
  readonly content: string;
  history: ThreadHistory;
  /** The history and the injections before the message. */
  before: readonly ProviderMessage[];
  readonly machine: TurnMachine;
  turn: TurnState;
  exchange: Exchange | undefined;
  batch: CallBatch | undefined;
  /** The model requests so far. */
  asked: number;
  /** Model requests that only an IMMEDIATE injection caused. */
  extra: number;
  /** The ids of tools that needed an approval. */
  readonly approvals: Set<string>;
  approveAll: boolean;
  /** The last failure of a model request. */
  failure: ClientError | undefined;
  /** What is measured before the next model request. */
  measure: { readonly size: number; readonly limit: number } | undefined;
  /** The model after a switch; undefined: the one of the options. */
  model: ModelChoice | undefined;
  /** Whether the user was asked about a window that is nearly full, and whether the user chose to stop. */
  asksUser: 'not yet' | 'asked' | 'stopped';
  readonly used: UsedTokens;
}

/** An accepted injection that no model request has yet. */
export interface PendingInjection {
  readonly content: string;
  readonly priority: InjectContext['priority'];
  /** The position among all started requests of the one that started first when it came; undefined: none ran. */
  readonly owner: number | undefined;
}

/** The agent's state. Each step takes it over. */
export interface WholeAgentState extends ShellState<AgentRequest> {
  readonly threads: Map<string, ThreadHistory>;
  /** The request of each link to the provider. */
  readonly links: Map<string, string>;
  /** Exchanges and tools so far. */
  exchanges: number;
  tools: number;
  /** In order of arrival. */
  injections: PendingInjection[];
  /** The tokens of all requests. */
  readonly used: UsedTokens;
  /** Whether the provider has refused to count. */
  uncountable: boolean;
}

/** No tokens yet. */
export const noTokens = (): UsedTokens => ({ responses: 0, input: 0, output: 0 });

/** The state of an agent that has not begun. */
export const newState = (agentId: string): WholeAgentState => ({
  ...newShellState<AgentRequest>(agentId),
  threads: new Map(),
  links: new Map(),
  exchanges: 0,
  tools: 0,
  injections: [],
  used: noTokens(),
  uncountable: false,
});

/** The options of the Fold side, with their defaults. */
export const shellOptionsOf = ({ fold = {} }: WholeAgentOptions): ShellOptions => ({
  ...defaultAgentOptions,
  register: { ...defaultAgentOptions.register, name: 'Wireproof whole agent' },
  ...fold,
});

/** One step of the agent. */
export class AgentOutputs extends ShellOutputs<AgentRequest, WholeAgentState, Chunk> {
  readonly options: ShellOptions;
  readonly whole: WholeAgentOptions;

  constructor(state: WholeAgentState, now: number, options: ShellOptions, whole: WholeAgentOptions) {
    super(state, now);
    this.options = options;
    this.whole = whole;
  }

  /** Starts the one timer of a request: it waits for one thing at a time. */
  startTimerOf({ id }: AgentRequest, ms: number): void {
    this.startTimer(`request:${id}`, ms);
  }

  stopTimerOf({ id }: AgentRequest): void {
    this.stopTimer(`request:${id}`);
  }
}

export const requestOfTimer = (id: string): string => id.slice(id.indexOf(':') + 1);
