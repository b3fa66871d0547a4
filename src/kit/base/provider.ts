/** Responses and conversations of model providers in a neutral form. Several protocols use them, so they are here. */
import type { Json } from './json.ts';

/** What a call calls, besides a function by its name. */
export interface CallKind {
  /** Whether it calls a custom tool: its arguments are free text. */
  readonly custom?: true;
  /** The namespace of the called tool, if it has one. */
  readonly namespace?: string;
  /** The provider's signature of the thoughts before the call: it goes back with the call, unchanged. */
  readonly signature?: string;
}

/** A tool call as a model made it; `input` is an object, or free text, unless the model got it wrong. */
export interface ToolCall extends CallKind {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** Tokens of one response. The whole prompt is `inputTokens` plus the tokens read from and written to a cache. */
export interface Usage {
  /** Tokens of the prompt without those read from or written to a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly thinkingTokens?: number;
}

/** The reasons why a response ends; the words of each provider map to one of these. */
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
  /** An unknown word. */
  'unknown',
] as const;

/** One of {@link stopReasons}. */
export type StopReason = (typeof stopReasons)[number];

/** A call that the end of the response cut. It must never run. */
export interface OpenCall extends CallKind {
  readonly id: string;
  readonly name: string;
  /** The received part of its arguments. */
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

/** The result of a tool call for the model. */
export interface ToolOutcome {
  readonly id: string;
  readonly content: string;
  readonly isError: boolean;
  /** Whether it answers a call of a custom tool. */
  readonly custom?: true;
}

/** One message of a conversation, for any provider. */
export interface ProviderMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolResults?: readonly ToolOutcome[];
}
