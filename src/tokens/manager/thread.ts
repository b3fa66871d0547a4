/** A thread: the events of a conversation. The messages for a provider are built from them. */
import type { Json, ProviderMessage, ToolCall } from '../../kit/base/index.ts';
import { piecesOf } from './message-summarizer.ts';
import type { OutcomeStatus } from './repair.ts';
import { isBlank } from './text.ts';

/** One event of a conversation. */
export type ThreadEvent =
  | { readonly type: 'SYSTEM_PROMPT'; readonly content: string }
  | { readonly type: 'USER_MESSAGE'; readonly content: string }
  | { readonly type: 'AGENT_MESSAGE'; readonly content: string }
  | (ToolCall & { readonly type: 'TOOL_CALL' })
  | {
      readonly type: 'TOOL_RESULT';
      readonly id: string;
      readonly content: string;
      readonly status: OutcomeStatus;
    }
  /** A summary of earlier events, by `MessageSummarizer`. */
  | { readonly type: 'SUMMARY'; readonly content: string }
  /** A message to the user that the model does not see. */
  | { readonly type: 'LOCAL_MESSAGE'; readonly content: string }
  /** Its events replace all earlier ones. It may come from a file, and be malformed (TOK-38). */
  | { readonly type: 'COMPACTION'; readonly events: Json | readonly ThreadEvent[] };

/**
 * The events of messages. `ConversationBuilder` builds the same messages from them.
 *
 * @example
 * eventsOf([{ role: 'user', content: 'Hi' }]); // [{ type: 'USER_MESSAGE', content: 'Hi' }]
 */
export const eventsOf = (messages: readonly ProviderMessage[]): readonly ThreadEvent[] =>
  messages.flatMap((message) => [...resultsIn(message), ...textsIn(message), ...callsIn(message)]);

const resultsIn = ({ toolResults = [] }: ProviderMessage): readonly ThreadEvent[] =>
  toolResults.map(({ id, content, isError }) => ({
    type: 'TOOL_RESULT',
    id,
    content,
    status: isError ? 'failed' : 'completed',
  }));

function textsIn({ role, content }: ProviderMessage): readonly ThreadEvent[] {
  if (isBlank(content)) return [];
  if (role === 'system') return [{ type: 'SYSTEM_PROMPT', content }];
  if (role === 'assistant') return [{ type: 'AGENT_MESSAGE', content }];
  return piecesOf(content).map(({ text, isSummary }) => ({
    type: isSummary ? 'SUMMARY' : 'USER_MESSAGE',
    content: text,
  }));
}

const callsIn = ({ toolCalls = [] }: ProviderMessage): readonly ThreadEvent[] =>
  toolCalls.map((call) => ({ type: 'TOOL_CALL', ...call }));
