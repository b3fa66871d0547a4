/** What a model provider gave, whatever its dialect: handed from one protocol to another, so declared here. */
import type { Json } from './json.ts';

/** A tool call as a model made it; `input` is an object, unless the model got it wrong. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** Tokens of one response. The whole prompt is `inputTokens` and what was read from and written to a cache. */
export interface Usage {
  /** Of the prompt, without what was read from a cache or written to one: as Anthropic counts. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly thinkingTokens?: number;
}

/** Why a response ended; words of any provider map to one of these. */
export const stopReasons = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'content_filter',
  'refusal',
  'pause_turn',
  'context_window',
  'cancelled',
  'error',
  /** A word that nobody knows. */
  'unknown',
] as const;

/** One of {@link stopReasons}. */
export type StopReason = (typeof stopReasons)[number];

/** A call that the end of the response cut: it must never run. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Its arguments as far as they came. */
  readonly partial: string;
}

/** A whole response. */
export interface ProviderResponse {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly metadata: {
    readonly usage?: Usage;
    readonly stopReason: StopReason;
    readonly modelInfo?: string;
  };
  readonly open?: OpenCall;
}

/** What came of a tool call, as it goes back to the model. */
export interface ToolOutcome {
  readonly id: string;
  readonly content: string;
  readonly isError: boolean;
}

/** One message of a conversation, for any provider. */
export interface ProviderMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolResults?: readonly ToolOutcome[];
}
