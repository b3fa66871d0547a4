/** The messages of Koda: the events of an engine, the commands of a client, and what they hold. */
import type { Json } from '../kit/base/index.ts';

/**
 * An integer of up to 64 bits: a number up to 2^53 - 1 in magnitude, beyond that its decimal digits. So a trace shows
 * all digits.
 */
export type Integer = number | string;

/** A part of an edited file in a preview: its lines before and after. */
export interface Replacement {
  readonly index: Integer;
  readonly total: Integer;
  readonly start_line: Integer;
  readonly old_lines: readonly string[];
  readonly new_lines: readonly string[];
}

/** A preview of a change to files. Its tags are in PascalCase. */
export type DiffPreview =
  | {
      readonly kind: 'Edit';
      readonly path: string;
      readonly replacements: readonly Replacement[];
      readonly truncated_count: Integer;
    }
  | {
      readonly kind: 'WriteNew';
      readonly line_count: Integer;
      readonly byte_count: Integer;
      readonly first_lines: readonly string[];
      readonly truncated: boolean;
    }
  | {
      readonly kind: 'WriteOverwrite';
      readonly old_line_count: Integer;
      readonly old_byte_count: Integer;
      readonly new_line_count: Integer;
      readonly new_byte_count: Integer;
      readonly first_lines: readonly string[];
      readonly truncated: boolean;
    }
  | { readonly kind: 'DeleteFile'; readonly line_count: Integer; readonly byte_count: Integer }
  | { readonly kind: 'DeleteDir'; readonly recursive: boolean }
  | { readonly kind: 'FileNotYetExists' | 'PathNotFound' };

/** The reason why a turn ended. */
export type TurnEndReason =
  { readonly kind: 'complete' | 'cancelled' } | { readonly kind: 'error'; readonly message: string };

/** The four counts of tokens of a footer. */
export interface TokenCounts {
  readonly prompt_tokens: Integer;
  readonly completion_tokens: Integer;
  readonly cache_read_tokens: Integer;
  readonly thinking_tokens: Integer;
}

/** A message of an engine. Source: koda_core, engine/event.rs, `EngineEvent`. */
export type EngineEvent =
  | {
      readonly type: 'text_done' | 'thinking_start' | 'thinking_done' | 'response_start' | 'spinner_stop';
    }
  | { readonly type: 'text_delta' | 'thinking_delta'; readonly text: string }
  | { readonly type: 'spinner_start' | 'info' | 'warn' | 'error'; readonly message: string }
  | { readonly type: 'turn_start'; readonly turn_id: string }
  | { readonly type: 'turn_end'; readonly turn_id: string; readonly reason: TurnEndReason }
  | { readonly type: 'sub_agent_start'; readonly agent_name: string }
  | { readonly type: 'context_usage'; readonly used: Integer; readonly max: Integer }
  | {
      readonly type: 'tool_call_start';
      readonly id: string;
      readonly name: string;
      readonly args: Json;
      readonly is_sub_agent: boolean;
    }
  | {
      readonly type: 'tool_output_line';
      readonly id: string;
      readonly line: string;
      readonly is_stderr: boolean;
    }
  | {
      readonly type: 'tool_call_result';
      readonly id: string;
      readonly name: string;
      readonly output: string;
    }
  | {
      readonly type: 'ask_user_request';
      readonly id: string;
      readonly question: string;
      readonly options: readonly string[];
    }
  | {
      readonly type: 'approval_request';
      readonly id: string;
      readonly tool_name: string;
      readonly detail: string;
      readonly preview: DiffPreview | null;
    }
  | {
      readonly type: 'action_blocked';
      readonly tool_name: string;
      readonly detail: string;
      readonly preview: DiffPreview | null;
    }
  | {
      readonly type: 'status_update';
      readonly model: string;
      readonly provider: string;
      readonly context_pct: number;
      readonly approval_mode: string;
      readonly active_tools: Integer;
    }
  | ({
      readonly type: 'footer';
      readonly total_chars: Integer;
      readonly elapsed_ms: Integer;
      readonly rate: number;
      readonly context: string;
    } & TokenCounts)
  | { readonly type: 'loop_cap_reached'; readonly cap: number; readonly recent_tools: readonly string[] };

/** The types of events. */
export const eventTypes: { readonly [T in EngineEvent['type']]: true } = {
  text_delta: true,
  text_done: true,
  thinking_start: true,
  thinking_delta: true,
  thinking_done: true,
  response_start: true,
  tool_call_start: true,
  tool_call_result: true,
  tool_output_line: true,
  sub_agent_start: true,
  approval_request: true,
  ask_user_request: true,
  action_blocked: true,
  context_usage: true,
  status_update: true,
  footer: true,
  spinner_start: true,
  spinner_stop: true,
  turn_start: true,
  turn_end: true,
  loop_cap_reached: true,
  info: true,
  warn: true,
  error: true,
};

/** An image of a prompt, in Base64. */
export interface ImageAttachment {
  readonly data: string;
  readonly mime_type: string;
}

/** The answer to a request for approval. */
export type ApprovalDecision =
  | { readonly decision: 'approve' | 'reject' }
  | { readonly decision: 'reject_with_feedback'; readonly feedback: string };

/** The answer to a reached cap. */
export type LoopContinuation = 'stop' | 'continue50' | 'continue200';

/** A slash command. Its fields are next to `type`. */
export type SlashCommand =
  | { readonly cmd: 'compact' | 'list_sessions' | 'cost' | 'help' }
  | { readonly cmd: 'switch_model'; readonly model: string }
  | { readonly cmd: 'switch_provider'; readonly provider: string }
  | { readonly cmd: 'delete_session'; readonly id: string }
  | { readonly cmd: 'set_trust'; readonly mode: string }
  | { readonly cmd: 'memory'; readonly action: string | null }
  | { readonly cmd: 'inject_prompt'; readonly text: string };

/** A message of a client. Source: koda_core, engine/event.rs, `EngineCommand`. */
export type EngineCommand =
  | { readonly type: 'user_prompt'; readonly text: string; readonly images: readonly ImageAttachment[] }
  | { readonly type: 'interrupt' | 'quit' }
  | { readonly type: 'ask_user_response'; readonly id: string; readonly answer: string }
  | { readonly type: 'approval_response'; readonly id: string; readonly decision: ApprovalDecision }
  | { readonly type: 'loop_decision'; readonly action: LoopContinuation }
  | ({ readonly type: 'slash_command' } & SlashCommand);

/** The two kinds of messages: an engine sends events, a client sends commands. */
export type MessageKind = 'event' | 'command';

/** A message by its kind. */
export interface Messages {
  readonly event: EngineEvent;
  readonly command: EngineCommand;
}
