/** Builds a provider's messages from a thread, with an eye on their tokens (the plan's token-aware builder). */
import { isObject } from '../../kit/base/index.ts';
import type { Json, ProviderMessage, ToolCall } from '../../kit/base/index.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import type { ConversationPrunerOptions } from './conversation-pruner.ts';
import { outcomeStatuses, repair } from './repair.ts';
import type { StatedMessage } from './repair.ts';
import type { ThreadEvent } from './thread.ts';
import { countTokens } from './token-counter.ts';
import type { TokenSources } from './token-counter.ts';

/** What a {@link ConversationBuilder} goes by. */
export interface ConversationBuilderOptions extends ConversationPrunerOptions {
  /** Who counts tokens; without, they are estimated. */
  readonly sources?: TokenSources;
}

/**
 * Builds, counts and prunes.
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
   * The messages of a thread, valid for every provider. Of several compactions the newest counts; when that is
   * malformed, all other events do (TOK-38). Of several results to one call the worst counts (TOK-39).
   */
  buildConversation(events: readonly ThreadEvent[]): readonly ProviderMessage[] {
    return repair(groups(workingEvents(events)));
  }

  /** Their tokens, as the provider counts, else as Ollama counted last, else as estimated. */
  async estimateTokens(messages: readonly ProviderMessage[]): Promise<number> {
    return (await countTokens(messages, this.#sources)).tokens;
  }

  /** Without what is old, until their estimate is within the limit, if it can be. */
  pruneToTokenLimit(messages: readonly ProviderMessage[], limit: number): readonly ProviderMessage[] {
    return this.#pruner.pruneMessages(messages, limit);
  }
}

/**
 * The events that count: those of the newest compaction and what came after it; all but compactions, when there is none
 * or when it is malformed (TOK-38).
 */
export function workingEvents(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  const at = events.findLastIndex(({ type }) => type === 'COMPACTION');
  const compaction = events[at];
  const compacted = compaction?.type === 'COMPACTION' ? readEvents(compaction.events) : undefined;
  if (compacted !== undefined) return [...compacted, ...events.slice(at + 1)];
  return events.filter(({ type }) => type !== 'COMPACTION');
}

/** The events of a compaction; undefined when one of them is none, or when there are none. */
function readEvents(events: Json | readonly ThreadEvent[]): readonly ThreadEvent[] | undefined {
  if (!Array.isArray(events) || events.length === 0) return undefined;
  return (events as readonly unknown[]).every(isEvent) ? (events as readonly ThreadEvent[]) : undefined;
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

/** A message of the assistant that may still get calls. */
interface Group extends StatedMessage {
  readonly toolCalls: ToolCall[];
}

/** Messages as the events have them; those of the assistant hold the calls that follow one another. */
function groups(events: readonly ThreadEvent[]): readonly StatedMessage[] {
  const messages: StatedMessage[] = [];
  let open: Group | undefined;
  for (const event of events) {
    if (event.type === 'TOOL_CALL') {
      if (open === undefined) messages.push((open = { role: 'assistant', content: '', toolCalls: [] }));
      open.toolCalls.push({ id: event.id, name: event.name, input: event.input });
    } else if (event.type === 'AGENT_MESSAGE') {
      messages.push((open = { role: 'assistant', content: event.content, toolCalls: [] }));
    } else if (event.type !== 'LOCAL_MESSAGE' && event.type !== 'COMPACTION') {
      open = undefined;
      messages.push(messageOf(event));
    }
  }
  return messages.map((message) => (message.toolCalls?.length === 0 ? withoutCalls(message) : message));
}

const withoutCalls = ({ role, content }: StatedMessage): StatedMessage => ({ role, content });

function messageOf(
  event: Extract<ThreadEvent, { type: 'SYSTEM_PROMPT' | 'USER_MESSAGE' | 'SUMMARY' | 'TOOL_RESULT' }>,
): StatedMessage {
  if (event.type !== 'TOOL_RESULT')
    return { role: event.type === 'SYSTEM_PROMPT' ? 'system' : 'user', content: event.content };
  const { id, content, status } = event;
  const outcome = { id, content, status, isError: status !== 'completed' };
  return { role: 'user', content: '', toolResults: [outcome] };
}
