/** What a turn is told, what it asks for, and what it remembers. */
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

/** What a turn goes by. */
export interface TurnOptions {
  /** The budget; what is missing has its default (TOK-20). */
  readonly config?: Partial<BudgetConfig>;
  /** The tools that the model is told of. */
  readonly tools?: readonly ToolSchema[];
  readonly requireAllParameters?: boolean;
  /** The context window in tokens, for compacting; by default `maxTokens` of the budget. */
  readonly window?: number;
  readonly summarize?: Summarize;
  /** A fresh seeded `Random` for the jitter of delays, asked for at each start; without, there is no jitter. */
  readonly random?: () => Jitter;
  /** Tokens that were used before this turn. */
  readonly used?: number;
  /** When a turn before compacted the conversation, in ms on the clock of the inputs (TOK-33). */
  readonly compactedAt?: number;
}

/** What a turn is told; `now` is the time in ms. */
export type TurnInput =
  | { readonly type: 'begin'; readonly now: number; readonly history: readonly ProviderMessage[] }
  /** The provider answered; `word` is its stop reason where that is unknown. */
  | {
      readonly type: 'response';
      readonly now: number;
      readonly response: ProviderResponse;
      readonly word?: string;
    }
  | { readonly type: 'failed'; readonly now: number; readonly failure: ProviderFailure }
  /** The delay of a retry is over. */
  | { readonly type: 'waited'; readonly now: number }
  /** The tools have run; a call without result counts as cancelled. */
  | { readonly type: 'ran'; readonly now: number; readonly results: readonly ToolOutcome[] }
  | { readonly type: 'cancel'; readonly now: number };

/** Why a turn ended: the response's own reason, or one of these three. */
export type TurnEnd = StopReason | 'budget' | 'overflow' | 'failed';

/** What a turn asks for, or tells of. */
export type TurnAction =
  /** Send this conversation, the whole of it. */
  | { readonly do: 'send'; readonly messages: readonly ProviderMessage[] }
  /** The conversation was compacted to this. */
  | { readonly do: 'compact'; readonly messages: readonly ProviderMessage[] }
  /** The conversation was pruned to this. */
  | { readonly do: 'prune'; readonly messages: readonly ProviderMessage[] }
  | ({ readonly do: 'warn' } & TokenWarning)
  /** Tell `waited` after the delay, in ms; `dropped` when the response before lost a call. */
  | { readonly do: 'retry'; readonly delay: number; readonly code: 'dropped' | ProviderFailure['kind'] }
  /** Run these calls, and tell `ran`. */
  | { readonly do: 'run_tools'; readonly calls: readonly ToolCall[] }
  /** The turn is over. */
  | { readonly do: 'stop'; readonly code: TurnEnd };

/** Where a turn stands. */
export type TurnPhase = 'idle' | 'sending' | 'waiting' | 'running' | 'stopped';

/** A turn. */
export interface TurnState {
  phase: TurnPhase;
  /** The conversation, valid for every provider but for {@link TurnState.pending} calls. */
  messages: readonly ProviderMessage[];
  /** The assistant's message whose calls are being run. */
  pending: ProviderMessage | undefined;
  /** Tokens used (TOK-17). */
  used: number;
  /** Attempts at the request at hand. */
  attempts: number;
  /** Responses that lost a call, and overflows: both are bounded (TOK-49, TOK-45). */
  cuts: number;
  overflows: number;
  /** When the conversation was last compacted. */
  compactedAt: number | undefined;
}

/** A turn with what it goes by, and the actions of the step at hand. */
export interface TurnStep {
  readonly state: TurnState;
  readonly now: number;
  readonly config: BudgetConfig;
  readonly options: TurnOptions;
  readonly handler: StopReasonHandler;
  readonly random: Jitter | undefined;
  readonly actions: TurnAction[];
}

/** Ends the turn. */
export function stop({ state, actions }: TurnStep, code: TurnEnd): void {
  state.phase = 'stopped';
  actions.push({ do: 'stop', code });
}
