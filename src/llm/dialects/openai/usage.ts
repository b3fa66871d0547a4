/**
 * Usage of OpenAI's two APIs: one shape under two sets of names. The tokens of the prompt include those read from and
 * written to the cache; the neutral `inputTokens` do not, as with Anthropic, so that the prompt is the same sum in
 * every dialect.
 */
import type { Json, JsonObject, Usage } from '../../../kit/base/index.ts';
import { isJsonObject } from '../shared/arguments.ts';

/** The fields of an API in their order on the wire, with the meaning of each. */
interface UsageFields {
  readonly [field: string]: 'prompt' | 'output' | 'total' | 'promptDetails' | 'outputDetails';
}

/** Chat Completions. */
export const chatUsage: UsageFields = {
  prompt_tokens: 'prompt',
  completion_tokens: 'output',
  total_tokens: 'total',
  prompt_tokens_details: 'promptDetails',
  completion_tokens_details: 'outputDetails',
};

/** Responses. */
export const responsesUsage: UsageFields = {
  input_tokens: 'prompt',
  input_tokens_details: 'promptDetails',
  output_tokens: 'output',
  output_tokens_details: 'outputDetails',
  total_tokens: 'total',
};

/** Reads `usage`. A missing part, or one of 0, is left out; an invalid count is 0. */
export function readUsage(usage: JsonObject, fields: UsageFields): Usage {
  const {
    prompt,
    output,
    promptDetails = null,
    outputDetails = null,
  }: JsonObject = Object.fromEntries(
    Object.entries(fields).map(([field, part]) => [part, usage[field] ?? null]),
  );
  const cached = count(promptDetails, 'cached_tokens');
  const written = count(promptDetails, 'cache_write_tokens');
  const thinking = count(outputDetails, 'reasoning_tokens');
  return {
    inputTokens: Math.max(0, countOf(prompt) - cached - written),
    outputTokens: countOf(output),
    ...(cached === 0 ? {} : { cacheReadTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(thinking === 0 ? {} : { thinkingTokens: thinking }),
  };
}

const countOf = (value: Json | undefined): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

const count = (details: Json, key: string): number => (isJsonObject(details) ? countOf(details[key]) : 0);

/** Writes `usage`. Chat has the tokens written to the cache only where they are known, Responses always. */
export function writeUsage(usage: Usage, fields: UsageFields): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens, thinkingTokens = 0 } = usage;
  const prompt = inputTokens + cacheReadTokens + (cacheWriteTokens ?? 0);
  const saysWritten = cacheWriteTokens !== undefined || fields === responsesUsage;
  const parts = {
    prompt,
    output: outputTokens,
    total: prompt + outputTokens,
    promptDetails: {
      cached_tokens: cacheReadTokens,
      ...(saysWritten && { cache_write_tokens: cacheWriteTokens ?? 0 }),
    },
    outputDetails: { reasoning_tokens: thinkingTokens },
  };
  return Object.fromEntries(Object.entries(fields).map(([field, part]) => [field, parts[part]]));
}
