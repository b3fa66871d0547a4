/** What a streamed and a whole message of Anthropic have in common when they are read: the usage and the stop word. */
import type { Json } from '../../../kit/base/index.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import type { Assembly } from '../shared/assembly.ts';
import { stopReasonOf } from './words.ts';

/** Takes a usage object: "cumulative, never add them". */
export function takeUsage(assembly: Assembly, usage: Json | undefined): void {
  if (!isJsonObject(usage)) return;
  const details = usage['output_tokens_details'];
  assembly.usage({
    inputTokens: usage['input_tokens'],
    outputTokens: usage['output_tokens'],
    cacheReadTokens: usage['cache_read_input_tokens'],
    cacheWriteTokens: usage['cache_creation_input_tokens'],
    thinkingTokens: isJsonObject(details) ? details['thinking_tokens'] : undefined,
  });
}

/** Takes a stop word, if it is one; gives it back as it was. */
export function takeStop(assembly: Assembly, word: Json | undefined): string | undefined {
  if (typeof word !== 'string') return undefined;
  const reason = stopReasonOf(word);
  if (reason === undefined) assembly.warn(`unknown stop reason ${excerpt(word)}`);
  assembly.stop(reason ?? 'unknown');
  return word;
}
