/** The state of the reference engine on a link: plain data, so that every step of a turn can be shown and replayed. */
import { integerOf } from '../codec/integer.ts';
import type { EngineEvent, Integer, TokenCounts, TurnEndReason } from '../messages.ts';
import type { Step } from '../directive.ts';
import type { LinkStep } from '../link/step.ts';

/** How the reference engine is set up. */
export interface EngineOptions {
  /** The seed of the ids of turns, calls, approvals and questions. Default `koda`. */
  readonly seed: string;
  /** The model that status_update names. Default `reference`. */
  readonly model: string;
  /** The provider that status_update names. Default `wireproof`. */
  readonly provider: string;
  /** The approval mode that status_update names. Default `ask`. */
  readonly approvalMode: string;
  /** The context at the beginning of a session (tokens). Default 100. */
  readonly contextUsed: number;
  /** The size of the context window (tokens), at least 1. Default 32000. */
  readonly contextMax: number;
}

/** A prompt that waits for its turn. */
export interface QueuedPrompt {
  readonly text: string;
  readonly images: number;
}

/** What a turn waits for. */
export type Wait =
  | { readonly on: 'nothing' | 'time' | 'interrupt' | 'cap' }
  | { readonly on: 'approval' | 'ask'; readonly id: string };

/** A call that the user rejected. The model gets it in the place of a result (KODA-72). */
export interface Rejection {
  readonly callId: string;
  readonly name: string;
  /** Absent: rejected without a reason. */
  readonly feedback?: string;
}

/** The four sums of a footer. */
export type TokenSums = { -readonly [K in keyof TokenCounts]: Integer };

/** A call that runs. */
export interface OpenCall {
  readonly id: string;
  /** The answer of the user to the question of the call. */
  answer: string | undefined;
}

/** The present response of the model. */
export interface ModelResponse {
  /** `begun` before its first output; `done` after its text_done. */
  stage: 'none' | 'begun' | 'thought' | 'done';
  /** Whether response_start was sent. */
  marked: boolean;
  /** Whether it has a text without a text_done. */
  textOpen: boolean;
  hasCall: boolean;
}

/** A turn that runs. */
export interface Turn {
  readonly id: string;
  readonly steps: readonly Step[];
  /** When it started (ms on the host's clock). */
  readonly startedAt: number;
  /** The index of the present step. */
  at: number;
  /** The part of the present step, and how far that part is. */
  part: 'enter' | 'ask' | 'body' | 'results';
  cursor: number;
  wait: Wait;
  /** The reason of the turn_end that comes next. */
  ending: TurnEndReason | undefined;
  readonly response: ModelResponse;
  /** Whether the last spinner event was spinner_start. */
  spinning: boolean;
  /** The call of a `tool` step. */
  call: OpenCall | undefined;
  /** The ids of the calls of a `parallel` step. */
  callIds: readonly string[];
  /** The cap of iterations; undefined before the first cap is reached. */
  cap: number | undefined;
  /** The last calls, the oldest first: the name, and for a call that changes something, its name and arguments as one text. */
  readonly recent: { readonly name: string; readonly change?: string }[];
  /** The last rejections, the oldest first. */
  readonly rejections: Rejection[];
  readonly tokens: TokenSums;
  /** The Unicode characters of the answers. */
  chars: number;
}

/** What the engine remembers of a link: one session. */
export interface EngineWork {
  readonly options: EngineOptions;
  model: string;
  provider: string;
  approvalMode: string;
  /** The tokens of the context. */
  used: number;
  /** The tokens of all turns that have ended. */
  readonly tokens: TokenSums;
  turn: Turn | undefined;
  /** The prompts that wait, in order. */
  readonly queue: QueuedPrompt[];
  /** The UTF-16 units of the prompts that wait. */
  queuedUnits: number;
}

export type EngineStep = LinkStep<EngineWork, EngineEvent>;

/** Sums of nothing. */
export const noTokens = (): TokenSums => ({
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  thinking_tokens: 0,
});

/** Adds counts to sums; an absent count is 0. */
export function addTokens(sums: TokenSums, counts: Partial<TokenSums>): void {
  sums.prompt_tokens = plus(sums.prompt_tokens, counts.prompt_tokens);
  sums.completion_tokens = plus(sums.completion_tokens, counts.completion_tokens);
  sums.cache_read_tokens = plus(sums.cache_read_tokens, counts.cache_read_tokens);
  sums.thinking_tokens = plus(sums.thinking_tokens, counts.thinking_tokens);
}

/** The largest count that a footer can hold. */
const mostTokens = String(2n ** 63n - 1n);

/** An exact sum (KODA-10), which stays at {@link mostTokens} once it is reached. */
const plus = (sum: Integer, count: Integer = 0): Integer =>
  integerOf(String(BigInt(sum) + BigInt(count)), 'i64') ?? mostTokens;

/** The state of a new session. */
export const startSession = (options: EngineOptions): EngineWork => ({
  options,
  model: options.model,
  provider: options.provider,
  approvalMode: options.approvalMode,
  used: options.contextUsed,
  tokens: noTokens(),
  turn: undefined,
  queue: [],
  queuedUnits: 0,
});

/** The state of a new turn. */
export const startTurn = (id: string, steps: readonly Step[], startedAt: number): Turn => ({
  id,
  steps,
  startedAt,
  at: 0,
  part: 'enter',
  cursor: 0,
  wait: { on: 'nothing' },
  ending: undefined,
  response: { stage: 'none', marked: false, textOpen: false, hasCall: false },
  spinning: false,
  call: undefined,
  callIds: [],
  cap: undefined,
  recent: [],
  rejections: [],
  tokens: noTokens(),
  chars: 0,
});

/** Goes to the next step of the directive. */
export function nextStep(turn: Turn): void {
  turn.at++;
  turn.part = 'enter';
  turn.cursor = 0;
}
