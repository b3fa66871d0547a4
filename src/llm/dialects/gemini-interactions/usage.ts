/**
 * The usage of an interaction, both ways. As in `generateContent`, input tokens include those of the cache, and output tokens do
 * not include thoughts: the streamed example of "Gemini API: Thinking" has 62 + 171 + 297 = 530 tokens in total.
 */
import type { JsonObject, Usage } from '../../../kit/base/index.ts';
import { promptTokens, usageOf } from '../gemini/usage.ts';
import type { UsageCounts } from '../shared/assembly.ts';

/** The counts of an interaction that is over. */
export function writeUsage(usage: Usage): JsonObject {
  const { outputTokens, thinkingTokens = 0, cacheReadTokens = 0 } = usage;
  const input = promptTokens(usage);
  return {
    total_tokens: input + outputTokens,
    total_input_tokens: input,
    total_cached_tokens: cacheReadTokens,
    total_output_tokens: Math.max(0, outputTokens - thinkingTokens),
    total_thought_tokens: thinkingTokens,
  };
}

/** Reads counts. Each replaces the earlier ones of its interaction. */
export const readUsage = (usage: JsonObject): UsageCounts =>
  usageOf({
    prompt: usage['total_input_tokens'],
    output: usage['total_output_tokens'],
    thoughts: usage['total_thought_tokens'],
    cached: usage['total_cached_tokens'],
  });
