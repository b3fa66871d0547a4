/** How large a model request is, against the context window that the statement gives. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import type { LlmMessage } from '../../../src/llm/index.ts';

/** The size of a model request. */
export interface RequestSize {
  /** The characters of its texts: contents and results of tools. */
  readonly text: number;
  /** The characters of its whole body. */
  readonly body: number;
  /** The output tokens that it asks for, which share the window in some models; absent: it does not say. */
  readonly maxTokens: number | undefined;
}

/** The size of a request with these messages. */
export const sizeOf = (
  messages: readonly LlmMessage[],
  body: Json,
  maxTokens: number | undefined,
): RequestSize => ({
  text: messages.reduce(
    (sum, { content, toolResults = [] }) =>
      sum + content.length + toolResults.reduce((n, result) => n + result.content.length, 0),
    0,
  ),
  body: JSON.stringify(body).length,
  maxTokens,
});

/**
 * A text of at least this many characters a token does not fit, in any tokenizer: the long texts of the scenarios are
 * English, which has 4 to 5 characters a token.
 */
const mostCharacters = 6;

/** The characters beyond which a request certainly exceeds the room. */
export const certainlyOver = (room: number): number => room * mostCharacters;

/** The words of the kit's own model, and of providers, for a prompt that is longer than the window. */
const overflowWords = /prompt is too long|context[_ -]?length|context[_ -]?window|maximum context/i;

/** Whether the provider refused a request because it is longer than the window. */
export const isOverflow = (error: unknown): boolean => typeof error === 'string' && overflowWords.test(error);

/** Whether a request is smaller than the one before it, in its body or in the output that it asks for. */
export const isSmaller = (one: RequestSize, before: RequestSize): boolean =>
  one.body < before.body || (one.maxTokens ?? Infinity) < (before.maxTokens ?? Infinity);

/** The tokens that a request may fill, as the mark of a run gives them: the window, less the part for the answer. */
export function roomOf({ data: { run } }: TraceEvent): number | undefined {
  const model = isObject(run) && isObject(run['model']) ? run['model'] : {};
  const { window, max_tokens: answer = 0 } = model;
  return typeof window === 'number' && typeof answer === 'number' ? Math.max(0, window - answer) : undefined;
}
