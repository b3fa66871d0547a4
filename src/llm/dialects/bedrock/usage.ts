/**
 * Bedrock's `TokenUsage`, both ways. `inputTokens` has no tokens of the cache, and `outputTokens` has those of thoughts; the total
 * has all.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Usage } from '../../../kit/base/index.ts';
import type { UsageCounts } from '../shared/assembly.ts';

/** The counts of an answer. */
export function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    ...(cacheReadTokens !== undefined && { cacheReadInputTokens: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteInputTokens: cacheWriteTokens }),
  };
}

/** Reads the counts of an answer. Counts of the cache that are 0 are left out. */
export function readUsage(usage: Json | undefined): UsageCounts {
  if (!isObject(usage)) return {};
  const { inputTokens, outputTokens, cacheReadInputTokens: read, cacheWriteInputTokens: written } = usage;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: read || undefined,
    cacheWriteTokens: written || undefined,
  };
}
