/** The sources of token counts, best first: the provider, the counts of the last response, the estimate. */
import type { ProviderMessage, Usage } from '../../kit/base/index.ts';
import { estimateTokens } from './estimate.ts';
import { promptOf, totalOf } from './usage.ts';

/** A provider that counts exactly, before the request: Anthropic's `count_tokens`, LM Studio's `countTokens`. */
export interface TokenCounter {
  /**
   * The tokens of a conversation as a prompt.
   *
   * @returns undefined when it cannot count; a rejection means the same
   */
  countTokens(messages: readonly ProviderMessage[]): Promise<number | undefined>;
}

/** A response with known tokens, and the length of its prompt. */
export interface CountedResponse {
  /** The number of messages in its prompt. */
  readonly messages: number;
  readonly usage: Usage;
}

/** The sources of a count. */
export interface TokenSources {
  readonly counter?: TokenCounter;
  /** The last response of a provider that counts only after the request, such as Ollama. */
  readonly last?: CountedResponse;
}

/** A count, and its source. */
export interface TokenCount {
  readonly tokens: number;
  readonly by: 'provider' | 'last-response' | 'estimate';
}

const isCount = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isFinite(tokens) && tokens >= 0;

/**
 * The tokens of a conversation: the provider's count; else the count of the last response and an estimate of the later
 * messages; else an estimate of all messages.
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

/** Whether the count of a response applies to these messages. It does not after pruning: they are fewer than its prompt. */
const covers = ({ messages: sent, usage }: CountedResponse, messages: readonly ProviderMessage[]): boolean =>
  promptOf(usage) > 0 && messages.length > sent && messages[sent]?.role === 'assistant';
