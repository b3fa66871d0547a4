/** Who counts tokens, in the order of trust: the provider, Ollama's counts of the last response, the estimate. */
import { promptOf, totalOf } from './usage.ts';
import type { ProviderMessage, Usage } from '../../kit/base/index.ts';
import { estimateTokens } from './estimate.ts';

/** A provider that counts exactly and beforehand: Anthropic's `count_tokens`, LM Studio's `countTokens`. */
export interface TokenCounter {
  /**
   * The tokens of a conversation as a prompt.
   *
   * @returns undefined when it cannot say; a rejection counts as that
   */
  countTokens(messages: readonly ProviderMessage[]): Promise<number | undefined>;
}

/** A response whose tokens are known, and how many messages had been sent for it. */
export interface CountedResponse {
  /** Messages of the conversation that were its prompt. */
  readonly messages: number;
  readonly usage: Usage;
}

/** Who can be asked for a count. */
export interface TokenSources {
  readonly counter?: TokenCounter;
  /** The last response of a provider that counts only afterwards, such as Ollama. */
  readonly last?: CountedResponse;
}

/** A count, and how it came about. */
export interface TokenCount {
  readonly tokens: number;
  readonly by: 'provider' | 'last-response' | 'estimate';
}

const isCount = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isFinite(tokens) && tokens >= 0;

/**
 * The tokens of a conversation: exact when the provider counts; else those of the last response and an estimate of what
 * came since; else an estimate of all.
 *
 * @example
 * const messages = [{ role: 'user', content: 'Hello' }] as const;
 * await countTokens(messages); // { tokens: 12, by: 'estimate' }
 * const counter = { countTokens: async () => 9 };
 * await countTokens(messages, { counter }); // { tokens: 9, by: 'provider' }
 */
export async function countTokens(
  messages: readonly ProviderMessage[],
  { counter, last }: TokenSources = {},
): Promise<TokenCount> {
  const exact = await counter?.countTokens(messages).catch(() => undefined);
  if (isCount(exact)) return { tokens: exact, by: 'provider' };
  if (last === undefined || !covers(last, messages))
    return { tokens: estimateTokens(messages), by: 'estimate' };
  const since = messages.slice(last.messages + 1);
  return { tokens: totalOf(last.usage) + estimateTokens(since), by: 'last-response' };
}

/** A pruned conversation is shorter than what was counted: that count says nothing of it. */
const covers = ({ messages: sent, usage }: CountedResponse, messages: readonly ProviderMessage[]): boolean =>
  promptOf(usage) > 0 && messages.length > sent && messages[sent]?.role === 'assistant';
