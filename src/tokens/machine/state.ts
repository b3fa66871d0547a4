/** The inputs, the actions and the state of a turn. */
import type {
  ProviderMessage,
  ProviderResponse,
  StopReason,
  ToolCall,
  ToolOutcome,
} from '../../kit/base/index.ts';
import type { BudgetConfig } from '../manager/budget.ts';
import type { Summarize } from '../manager/compaction.ts';
import type { TokenWarning } from '../manager/events.ts';
import type { Jitter, ProviderFailure } from '../manager/retry.ts';
import type { StopReasonHandler } from '../manager/stop-reason-handler.ts';
import type { ToolSchema } from '../manager/tool-schema.ts';

/** The options of a turn. */
export interface TurnOptions {
  /** The budget; missing fields have their defaults (TOK-20). */
  readonly config?: Partial<BudgetConfig>;
  /** The tools that the request offers to the model. */
  readonly tools?: readonly ToolSchema[];
  readonly requireAllParameters?: boolean;
  /** The context window in tokens, for compaction; default: `maxTokens` of the budget. */
  readonly window?: number;
  readonly summarize?: Summarize;
  /** Makes a seeded `Random` for the jitter of delays, once for each turn. Absent: no jitter. */
  readonly random?: () => Jitter;
  /** The tokens used before this turn. */
  readonly used?: number;
  /** When an earlier turn compacted the conversation, in ms on the clock of the inputs (TOK-33). */
  readonly compactedAt?: number;
  /** Whether the action `measure` comes before each new request that is near the limit; default: no. */
  readonly measures?: boolean;
}

/** What is known of a request that is near the limit, and what to do about it. */
export interface Measured {
  /** The tokens of its messages, counted by the provider; absent: not counted. */
  readonly tokens?: number;
  /** The budget from here on, after a switch to another model. */
  readonly budget?: BudgetConfig;
  /** Whether to compact it, though it may fit. */
  readonly compacts?: boolean;
  /** Whether to end the turn. */
  readonly stops?: boolean;
}

/** An input of a turn; `now` is the time in ms. */
export type TurnInput =
  | { readonly type: 'begin'; readonly now: number; readonly history: readonly ProviderMessage[] }
  /** The provider answered; `word` is its own stop reason, for the warning about an unknown one. */
  | {
      readonly type: 'response';
      readonly now: number;
      readonly response: ProviderResponse;
      readonly word?: string;
    }
  | { readonly type: 'failed'; readonly now: number; readonly failure: ProviderFailure }
  /** The delay of a retry is over. */
  | { readonly type: 'waited'; readonly now: number }
  /** The tools have run; a call without a result counts as cancelled. */
  | { readonly type: 'ran'; readonly now: number; readonly results: readonly ToolOutcome[] }
  /** The answer to the action `measure`. */
  | ({ readonly type: 'measured'; readonly now: number } & Measured)
  | { readonly type: 'cancel'; readonly now: number };

/** Why a turn ended: the stop reason of the response, or one of these three. */
export type TurnEnd = StopReason | 'budget' | 'overflow' | 'failed';

/** An action of a turn. */
export type TurnAction =
  /** Send this whole conversation to the provider. */
  | { readonly do: 'send'; readonly messages: readonly ProviderMessage[] }
  /** The conversation was compacted to this. */
  | { readonly do: 'compact'; readonly messages: readonly ProviderMessage[] }
  /** The conversation was pruned to this. */
  | { readonly do: 'prune'; readonly messages: readonly ProviderMessage[] }
  | ({ readonly do: 'warn' } & TokenWarning)
  /** This conversation, with its size and the largest one that fits (tokens), is near the limit. Give the input `measured`. */
  | {
      readonly do: 'measure';
      readonly messages: readonly ProviderMessage[];
      readonly size: number;
      readonly limit: number;
    }
  /** Give the input `waited` after the delay (ms). The code is `dropped` when the last response lost a call. */
  | { readonly do: 'retry'; readonly delay: number; readonly code: 'dropped' | ProviderFailure['kind'] }
  /** Run these calls, then give the input `ran`. */
  | { readonly do: 'run_tools'; readonly calls: readonly ToolCall[] }
  /** The turn is over. */
  | { readonly do: 'stop'; readonly code: TurnEnd };

/** The phase of a turn. */
export type TurnPhase = 'idle' | 'measuring' | 'sending' | 'waiting' | 'running' | 'stopped';

/** The state of a turn. */
export interface TurnState {
  phase: TurnPhase;
  /** The conversation, valid for every provider; without the {@link TurnState.pending} message. */
  messages: readonly ProviderMessage[];
  /** The message of the assistant whose calls run now. */
  pending: ProviderMessage | undefined;
  /** Tokens used (TOK-17). */
  used: number;
  /** Attempts at the current request. */
  attempts: number;
  /** Responses that lost a call, and overflows. Both are bounded (TOK-49, TOK-45). */
  cuts: number;
  overflows: number;
  /** When the conversation was last compacted. */
  compactedAt: number | undefined;
  /** The tokens of the provider for one token of the estimate, by its last count. */
  scale: number;
  /** The conversation of the last `measure`, which is not measured again. */
  measured: readonly ProviderMessage[] | undefined;
  /** The budget after a switch to another model. */
  budget: BudgetConfig | undefined;
}

export interface TurnStep {
  readonly state: TurnState;
  readonly now: number;
  readonly config: BudgetConfig;
  readonly options: TurnOptions;
  readonly handler: StopReasonHandler;
  readonly random: Jitter | undefined;
  readonly actions: TurnAction[];
}

export function stop({ state, actions }: TurnStep, code: TurnEnd): void {
  state.phase = 'stopped';
  actions.push({ do: 'stop', code });
}
