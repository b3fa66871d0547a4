/**
 * Usage of Chat Completions. Its `prompt_tokens` hold what was read from and written to the cache; the neutral
 * `inputTokens` do not, as with Anthropic, so that the prompt is the same sum in every dialect.
 */
import type { Json, JsonObject, Usage } from '../../../kit/base/index.ts';
import { isJsonObject } from '../shared/arguments.ts';

/** The parts of a usage object, whatever the API calls them. */
export interface UsageParts {
  /** All tokens of the prompt, cached ones too. */
  readonly prompt: Json | undefined;
  readonly output: Json | undefined;
  readonly cached: Json | undefined;
  readonly written: Json | undefined;
  readonly thinking: Json | undefined;
}

/** Neutral usage of these parts. A part that is missing, or says 0, is not told; what is no count is 0. */
export function usageOf(parts: UsageParts): Usage {
  const cached = count(parts.cached);
  const written = count(parts.written);
  const thinking = count(parts.thinking);
  return {
    inputTokens: Math.max(0, count(parts.prompt) - cached - written),
    outputTokens: count(parts.output),
    ...(cached === 0 ? {} : { cacheReadTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(thinking === 0 ? {} : { thinkingTokens: thinking }),
  };
}

const count = (value: Json | undefined): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** All tokens of the prompt. */
export const promptTokens = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** Reads `usage`. */
export function readUsage(usage: JsonObject): Usage {
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  const prompt: JsonObject = isJsonObject(input) ? input : {};
  return usageOf({
    prompt: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached: prompt['cached_tokens'],
    written: prompt['cache_write_tokens'],
    thinking: isJsonObject(output) ? output['reasoning_tokens'] : undefined,
  });
}

/** Writes `usage`. */
export function writeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.outputTokens,
    total_tokens: prompt + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens ?? 0,
      ...(usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage.thinkingTokens ?? 0 },
  };
}
