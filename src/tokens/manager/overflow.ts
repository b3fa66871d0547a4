/** Makes a conversation smaller when it does not fit, and loses as little of it as possible (TOK-45, TOK-46). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { compact } from './compaction.ts';
import type { Summarize } from './compaction.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import { estimateTokens } from './estimate.ts';
import { repair } from './repair.ts';
import { shortenText, truncateText } from './text.ts';

/** The maximum of compactions after overflows, in one turn (TOK-45). */
export const MAX_OVERFLOWS = 2;

/** How to make a conversation smaller. */
export interface ShrinkOptions {
  /** The context window in tokens. */
  readonly window?: number | undefined;
  readonly summarize?: Summarize | undefined;
}

type Shrinker = (messages: readonly ProviderMessage[]) => readonly ProviderMessage[];

/** They keep the last turn, and every text of the user (TOK-34). */
const summarizers = ({ window, summarize }: ShrinkOptions): readonly Shrinker[] => [
  (messages) => compact(messages, { window, summarize }).messages,
  (messages) => compact(messages, { keepTurns: 1, summarize }).messages,
];

/** They keep the last turn. The first one keeps most, the last one keeps least. */
const gentleShrinkers = (options: ShrinkOptions): readonly Shrinker[] => [
  ...summarizers(options),
  (messages) => compact(messages, { keepTurns: 1, summarize: () => undefined }).messages,
  (messages) => new ConversationPruner({ keepTurns: 1 }).pruneMessages(messages, 0),
];

/** Shorter texts are not cut, in UTF-16 units. */
const minCut = 400;

/** Keeps half of each long text, and the first lines of each tool result. */
const truncate: Shrinker = (messages) =>
  repair(
    messages.map((message) => {
      if (message.role === 'system') return message;
      const { toolResults, ...rest } = { ...message, content: half(message.content) };
      if (toolResults === undefined) return rest;
      return {
        ...rest,
        toolResults: toolResults.map((result) => ({ ...result, content: half(shortenText(result.content)) })),
      };
    }),
  );

const half = (text: string): string =>
  text.length < minCut ? text : truncateText(text, Math.floor(text.length / 2));

/** A conversation made smaller by compaction alone, as the budget advises; undefined when it does not become smaller. */
export const compacted = (
  messages: readonly ProviderMessage[],
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined =>
  firstWithin(summarizers(options), messages, estimateTokens(messages) - 1);

/**
 * A conversation made to fit a limit. What is before its last turn is compacted, and then dropped. Undefined when it
 * still does not fit.
 *
 * @param limit in tokens, as estimated
 */
export function shrinkTo(
  messages: readonly ProviderMessage[],
  limit: number,
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined {
  return firstWithin(gentleShrinkers(options), messages, limit);
}

/**
 * A smaller conversation, for a provider that refused this one; even its last turn is cut if necessary. Undefined when
 * nothing can be removed. The result is valid for every provider.
 */
export function shrink(
  messages: readonly ProviderMessage[],
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined {
  const compactAll: Shrinker = (all) => compact(all, { keepTurns: 0, summarize: options.summarize }).messages;
  const shrinkers = [...gentleShrinkers(options), compactAll, truncate];
  return firstWithin(shrinkers, messages, estimateTokens(messages) - 1);
}

function firstWithin(
  shrinkers: readonly Shrinker[],
  messages: readonly ProviderMessage[],
  limit: number,
): readonly ProviderMessage[] | undefined {
  for (const shrinker of shrinkers) {
    const smaller = shrinker(messages);
    if (estimateTokens(smaller) <= limit && smaller.length > 0) return smaller;
  }
  return undefined;
}
