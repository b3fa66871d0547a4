/**
 * Gemini's `usageMetadata`. The tokens of the prompt include those of the cache ("this is still the total effective prompt
 * size"), and the tokens of candidates do not include thoughts.
 */
import type { JsonObject, Usage } from '../../../kit/base/index.ts';
import type { UsageCounts } from '../shared/assembly.ts';
import { isCount } from '../shared/counted.ts';

/** The tokens of the whole prompt. */
export const promptTokens = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** The counts of an answer that is complete. */
export function writeUsage(usage: Usage): JsonObject {
  const { outputTokens, thinkingTokens = 0, cacheReadTokens } = usage;
  const prompt = promptTokens(usage);
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: Math.max(0, outputTokens - thinkingTokens),
    totalTokenCount: prompt + outputTokens,
    ...(cacheReadTokens !== undefined && { cachedContentTokenCount: cacheReadTokens }),
    ...(thinkingTokens > 0 && { thoughtsTokenCount: thinkingTokens }),
  };
}

/** Counts as the API names them. */
interface Counted {
  /** Of the whole prompt, with the tokens of the cache. */
  readonly prompt: unknown;
  /** Of the answer, without those of thoughts. */
  readonly output: unknown;
  readonly thoughts: unknown;
  readonly cached: unknown;
}

/** Reads the counts of a chunk. Each is cumulative. A count that is missing has not changed. */
export const readUsage = (usage: JsonObject): UsageCounts =>
  usageOf({
    prompt: usage['promptTokenCount'],
    output: usage['candidatesTokenCount'],
    thoughts: usage['thoughtsTokenCount'],
    cached: usage['cachedContentTokenCount'],
  });

/** The neutral counts: without the cache in the prompt, and with thoughts in the output. */
export function usageOf({ prompt, output, thoughts, cached }: Counted): UsageCounts {
  const has = output !== undefined || thoughts !== undefined;
  return {
    ...(isCount(prompt) && { inputTokens: Math.max(0, prompt - countOf(cached)) }),
    ...(has && { outputTokens: countOf(output) + countOf(thoughts) }),
    ...(countOf(cached) > 0 && { cacheReadTokens: cached }),
    ...(countOf(thoughts) > 0 && { thinkingTokens: thoughts }),
  };
}

const countOf = (value: unknown): number => (isCount(value) ? value : 0);
