/** The options of a whole agent. */
import type { JsonObject, ToolCall, Usage } from '../kit/base/index.ts';
import type { Random } from '../kit/world/index.ts';
import type { InjectContext, ShellOptions, TokenUsage } from '../fold/index.ts';
import type {
  CallOutput,
  ClientCall,
  ClientError,
  Converse,
  DialectName,
  LlmRequest,
  RetryPolicy,
  ToolSpec,
} from '../llm/index.ts';
import type { FallbackPolicy, ProviderFailure, TurnMachine, TurnOptions } from '../tokens/index.ts';

/** The model below an agent. */
export interface ModelOptions {
  /** Such as `http://127.0.0.1:1234`. */
  readonly baseUrl: string;
  readonly dialect: DialectName;
  readonly model: string;
  /** Header fields of each request, such as credentials. */
  readonly headers?: { readonly [name: string]: string };
  /** The longest silence of a response (ms); after it the request fails. Default 60 s. */
  readonly idle?: number;
  /** Attempts at one request, and the longest delay that a provider may ask for (ms). Default 3, and 2 minutes. */
  readonly retries?: Partial<Pick<RetryPolicy, 'attempts' | 'patience'>>;
  /** Whether the provider counts requests that are near the limit, where it can; default: yes. */
  readonly counts?: boolean;
}

/** How the run of a tool ended. */
export interface ToolEnd {
  readonly outcome: 'completed' | 'failed' | 'timeout';
  readonly output: string;
}

/** What a tool does with an input: it ends at once, ends after a time, or leaves the work to the host. */
export type ToolRun =
  | { readonly do: 'end'; readonly end: ToolEnd }
  | { readonly do: 'wait'; readonly ms: number; readonly end: ToolEnd }
  | { readonly do: 'effect' };

export interface AgentTool extends ToolSpec {
  /** The longest time of one run (ms). After it the run is stopped, and has failed by `timeout`. Default 2 minutes. */
  readonly timeout?: number;
  /** Begins a run. The input fits the schema. */
  readonly run: (input: JsonObject) => ToolRun;
}

/** An effect that a whole agent asks of its host: the run of a tool, or its end because of a cancel. */
export type ToolEffect =
  | { readonly do: 'run'; readonly id: string; readonly tool: string; readonly input: JsonObject }
  | { readonly do: 'cancel'; readonly id: string };

/** A command to a whole agent: the end of an effect that its host began. */
export interface ToolCommand {
  readonly do: 'tool_end';
  readonly id: string;
  readonly end: ToolEnd;
}

/** Facts that decide whether an injection may be in the model request that is about to be made. */
export interface InjectionMoment {
  readonly priority: InjectContext['priority'];
  /** Whether the Fold request of this model request is the one that started first of all that run. */
  readonly oldest: boolean;
  /** Whether it is the first model request of its Fold request. */
  readonly first: boolean;
  /** Whether a Fold request ran when the injection came, and whether that one still runs. */
  readonly owner: 'none' | 'running' | 'over';
}

/** Replaced parts of a whole agent, for agents that are wrong in one way. */
export interface AgentParts {
  /** Begins an exchange with the provider. */
  readonly converse?: Converse;
  /** Makes the machine of a turn. */
  readonly turn?: (options: TurnOptions) => TurnMachine;
  /** Changes a model request. */
  readonly request?: (request: LlmRequest) => LlmRequest;
  /** The usage events of one response. */
  readonly usages?: (usage: Usage) => readonly TokenUsage[];
  /** Ends the exchange of a request that is cancelled. */
  readonly abandon?: (call: ClientCall) => readonly CallOutput[];
  /** Whether an injection is in the model request that is about to be made. */
  readonly takes?: (moment: InjectionMoment) => boolean;
  /** Whether a call waits for an approval. */
  readonly gates?: (call: ToolCall, gated: readonly string[]) => boolean;
  /** What the turn is told about a failed request. `shown`: output of it was shown; `attempts`: made so far. */
  readonly failure?: (error: ClientError, shown: boolean, attempts: number) => ProviderFailure;
}

/** The options of a whole agent. */
export interface WholeAgentOptions {
  /** Its Fold side: id, registration, stream metadata, keepalive, epoch. */
  readonly fold?: Partial<ShellOptions>;
  readonly llm: ModelOptions;
  /** The system text of each model request. */
  readonly system?: string;
  /** The most output tokens of a response; absent: the provider's limit. */
  readonly maxTokens?: number;
  /** The model's context window in tokens; default 200000. A larger request is pruned, or not made. */
  readonly window?: number;
  /** What to do when a request is near the limit; absent: it is pruned when it does not fit. */
  readonly fallback?: FallbackPolicy;
  readonly tools?: readonly AgentTool[];
  /** The names of tools that run only after an approval. */
  readonly gated?: readonly string[];
  /** A question without a decision counts as denied after this time (ms); default 300000. */
  readonly approvalTimeout?: number;
  /** Randomness by label, for the delays of retries. */
  readonly random: (label: string) => Random;
  readonly parts?: AgentParts;
}
