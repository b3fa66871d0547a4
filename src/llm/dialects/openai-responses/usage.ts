/** Usage of Responses: the numbers of Chat under other names, and all of them always there. */
import type { JsonObject, Usage } from '../../../kit/base/index.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { promptTokens, usageOf } from '../openai-chat/usage.ts';

/** Reads `usage`. */
export function readUsage(usage: JsonObject): Usage {
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const prompt: JsonObject = isJsonObject(input) ? input : {};
  return usageOf({
    prompt: usage['input_tokens'],
    output: usage['output_tokens'],
    cached: prompt['cached_tokens'],
    written: prompt['cache_write_tokens'],
    thinking: isJsonObject(output) ? output['reasoning_tokens'] : undefined,
  });
}

/** Writes `usage`. */
export function writeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  return {
    input_tokens: prompt,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.thinkingTokens ?? 0 },
    total_tokens: prompt + usage.outputTokens,
  };
}
