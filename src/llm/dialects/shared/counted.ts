/** The result of a count in the words of a response: the counted prompt as the input tokens of its usage. */
import { isObject, jsonOf } from '../../../kit/base/index.ts';
import type { ClientError, Decoded } from '../../messages.ts';

/** A prompt of this many tokens. */
export const counted = (inputTokens: number): Decoded => ({
  response: {
    content: '',
    toolCalls: [],
    metadata: { stopReason: 'end_turn', usage: { inputTokens, outputTokens: 0 } },
    warnings: [],
  },
});

/** No count, with the reason. */
export const uncounted = (error: ClientError): Decoded => ({
  response: { content: '', toolCalls: [], metadata: { stopReason: 'error' }, warnings: [] },
  error,
});

/** Whether a value is a count of tokens. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The answer of a counting endpoint: `input_tokens` at Anthropic and at OpenAI, `totalTokens` at Gemini. */
export function countedBody(body: Uint8Array): Decoded {
  const answer = read(body);
  const tokens = isObject(answer) ? (answer['input_tokens'] ?? answer['totalTokens']) : undefined;
  if (isCount(tokens)) return counted(tokens);
  return uncounted({
    kind: 'protocol',
    message: 'expected a count in input_tokens or totalTokens; the answer has none',
    retryable: false,
  });
}

function read(body: Uint8Array): unknown {
  try {
    return jsonOf(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
