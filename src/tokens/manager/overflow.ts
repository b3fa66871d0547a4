/** Makes a conversation smaller when it does not fit: gently first, and never without an end (TOK-45, TOK-46). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { compact } from './compaction.ts';
import type { Summarize } from './compaction.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import { estimateTokens } from './estimate.ts';
import { repair } from './repair.ts';
import { shortenText, truncateText } from './text.ts';

/** Compactions after an overflow, in one run (TOK-45). */
export const MAX_OVERFLOWS = 2;

/** What a conversation is made smaller with. */
export interface ShrinkOptions {
  /** The context window in tokens. */
  readonly window?: number;
  readonly summarize?: Summarize;
}

type Way = (messages: readonly ProviderMessage[]) => readonly ProviderMessage[];

const failing: Summarize = () => undefined;

/** Ways that leave the last turn as it is, and all that the user said (TOK-34). */
const summarizingWays = ({ window, summarize }: ShrinkOptions): readonly Way[] => {
  const by = summarize === undefined ? {} : { summarize };
  return [
    (messages) => compact(messages, { ...by, ...(window === undefined ? {} : { window }) }).messages,
    (messages) => compact(messages, { ...by, keepTurns: 1 }).messages,
  ];
};

/** Ways that leave the last turn as it is, from keeping the most to keeping the least. */
const gentleWays = (options: ShrinkOptions): readonly Way[] => [
  ...summarizingWays(options),
  (messages) => compact(messages, { keepTurns: 1, summarize: failing }).messages,
  (messages) => new ConversationPruner({ keepTurns: 1 }).pruneMessages(messages, 0),
];

const hardWays = ({ summarize }: ShrinkOptions): readonly Way[] => [
  (messages) =>
    compact(messages, { ...(summarize === undefined ? {} : { summarize }), keepTurns: 0 }).messages,
  truncate,
];

/** Texts shorter than this are not cut, in UTF-16 units. */
const SHORTEST_CUT = 400;

/** Half of each long text, and the beginnings of tool results. */
const truncate: Way = (messages) =>
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
  text.length < SHORTEST_CUT ? text : truncateText(text, Math.floor(text.length / 2));

/**
 * A smaller conversation by compacting alone, as the budget advises; undefined when that makes it no smaller.
 */
export const compacted = (
  messages: readonly ProviderMessage[],
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined =>
  firstWithin(summarizingWays(options), messages, estimateTokens(messages) - 1);

/**
 * The conversation within a limit, by compacting, then dropping, what is before its last turn; undefined when that does
 * not do.
 *
 * @param limit in tokens, as estimated
 */
export function shrinkTo(
  messages: readonly ProviderMessage[],
  limit: number,
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined {
  return firstWithin(gentleWays(options), messages, limit);
}

/**
 * A smaller conversation, whatever it takes: a provider that has refused one need not be asked again with the same.
 * Undefined when nothing can be taken away. What comes out is valid for every provider.
 */
export function shrink(
  messages: readonly ProviderMessage[],
  options: ShrinkOptions = {},
): readonly ProviderMessage[] | undefined {
  const ways = [...gentleWays(options), ...hardWays(options)];
  return firstWithin(ways, messages, estimateTokens(messages) - 1);
}

function firstWithin(
  ways: readonly Way[],
  messages: readonly ProviderMessage[],
  limit: number,
): readonly ProviderMessage[] | undefined {
  for (const way of ways) {
    const smaller = way(messages);
    if (estimateTokens(smaller) <= limit && smaller.length > 0) return smaller;
  }
  return undefined;
}
