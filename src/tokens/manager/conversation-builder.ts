/** Builds messages for a provider from a thread, and makes them fit (the plan's token-aware builder). */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json, ProviderMessage, ToolCall } from '../../kit/base/index.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import type { ConversationPrunerOptions } from './conversation-pruner.ts';
import { outcomeStatuses, repair } from './repair.ts';
import type { StatedMessage } from './repair.ts';
import type { ThreadEvent } from './thread.ts';
import { countTokens } from './token-counter.ts';
import type { TokenSources } from './token-counter.ts';

/** The options of a {@link ConversationBuilder}. */
export interface ConversationBuilderOptions extends ConversationPrunerOptions {
  /** The sources of token counts. Absent: tokens are estimated. */
  readonly sources?: TokenSources;
}

/**
 * Builds, counts and prunes conversations.
 *
 * @example
 * const messages = new ConversationBuilder().buildConversation([
 *   { type: 'USER_MESSAGE', content: 'Read it.' },
 *   { type: 'TOOL_CALL', id: 'c', name: 'read', input: {} },
 *   { type: 'TOOL_RESULT', id: 'c', content: 'no such file', status: 'failed' },
 *   { type: 'TOOL_RESULT', id: 'c', content: 'not allowed', status: 'denied' },
 * ]);
 * messages.map(({ role }) => role); // ['user', 'assistant', 'user']
 * messages[2]?.toolResults; // [{ id: 'c', content: 'not allowed', isError: true }]
 */
export class ConversationBuilder {
  readonly #sources: TokenSources;
  readonly #pruner: ConversationPruner;

  constructor({ sources = {}, ...options }: ConversationBuilderOptions = {}) {
    this.#sources = sources;
    this.#pruner = new ConversationPruner(options);
  }

  /**
   * The messages of a thread, valid for every provider. The newest compaction counts; when it is malformed, all other
   * events count (TOK-38). Of several results of one call, the worst counts (TOK-39).
   */
  buildConversation(events: readonly ThreadEvent[]): readonly ProviderMessage[] {
    return repair(messagesOf(workingEvents(events)));
  }

  /** The tokens of messages: see {@link countTokens}. */
  async estimateTokens(messages: readonly ProviderMessage[]): Promise<number> {
    return (await countTokens(messages, this.#sources)).tokens;
  }

  /** Prunes messages to a limit: see {@link ConversationPruner}. */
  pruneToTokenLimit(messages: readonly ProviderMessage[], limit: number): readonly ProviderMessage[] {
    return this.#pruner.pruneMessages(messages, limit);
  }
}

/**
 * The events that count: those of the newest compaction and all later ones. Without a compaction, or when it is
 * malformed, all events but compactions count (TOK-38).
 */
export function workingEvents(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  const at = events.findLastIndex(({ type }) => type === 'COMPACTION');
  const compaction = events[at];
  const compacted = compaction?.type === 'COMPACTION' ? readEvents(compaction.events) : undefined;
  if (compacted !== undefined) return [...compacted, ...events.slice(at + 1)];
  return events.filter(({ type }) => type !== 'COMPACTION');
}

/** The events of a compaction; undefined when there are none, or when one is malformed. */
function readEvents(events: Json | readonly ThreadEvent[]): readonly ThreadEvent[] | undefined {
  if (!isArray(events) || events.length === 0) return undefined;
  return events.every(isEvent) ? events : undefined;
}

const contentTypes: readonly unknown[] = [
  'SYSTEM_PROMPT',
  'USER_MESSAGE',
  'AGENT_MESSAGE',
  'SUMMARY',
  'LOCAL_MESSAGE',
];

function isEvent(event: unknown): event is ThreadEvent {
  if (!isObject(event)) return false;
  const { type, id, name, content, status, input } = event;
  if (contentTypes.includes(type)) return typeof content === 'string';
  if (typeof id !== 'string') return false;
  if (type === 'TOOL_CALL') return typeof name === 'string' && input !== undefined;
  return (
    type === 'TOOL_RESULT' && typeof content === 'string' && outcomeStatuses.some((known) => known === status)
  );
}

/** One message for each event; but consecutive calls belong to one message, with the text before them. */
function messagesOf(events: readonly ThreadEvent[]): readonly StatedMessage[] {
  const messages: StatedMessage[] = [];
  let open: { role: 'assistant'; content: string; toolCalls?: ToolCall[] } | undefined;
  for (const event of events) {
    if (event.type === 'LOCAL_MESSAGE' || event.type === 'COMPACTION') continue;
    if (event.type === 'TOOL_CALL') {
      if (open === undefined) messages.push((open = { role: 'assistant', content: '' }));
      const { type: _, ...call } = event;
      (open.toolCalls ??= []).push(call);
      continue;
    }
    open = undefined;
    const { content } = event;
    if (event.type === 'AGENT_MESSAGE') messages.push((open = { role: 'assistant', content }));
    else if (event.type === 'TOOL_RESULT') {
      const { id, status } = event;
      const result = { id, content, status, isError: status !== 'completed' };
      messages.push({ role: 'user', content: '', toolResults: [result] });
    } else messages.push({ role: event.type === 'SYSTEM_PROMPT' ? 'system' : 'user', content });
  }
  return messages;
}
