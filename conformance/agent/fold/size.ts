/** How large a model request is, against the context window that the statement gives. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { ModelExchange } from './records.ts';

/** The characters of a model request's texts: its contents, the results of its tools, and the system text. */
export const textOf = ({ system, messages }: Pick<ModelExchange, 'system' | 'messages'>): number =>
  messages.reduce(
    (sum, { content, toolResults = [] }) =>
      sum + content.length + toolResults.reduce((n, result) => n + result.content.length, 0),
    system.length,
  );

/** The characters of a model request's body. */
export const bodySize = ({ body }: Pick<ModelExchange, 'body'>): number => JSON.stringify(body).length;

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

type Sized = Pick<ModelExchange, 'body' | 'maxTokens'>;

/** Whether a request is smaller than the one before it, in its body or in the output that it asks for. */
export const isSmaller = (one: Sized, before: Sized): boolean =>
  bodySize(one) < bodySize(before) || (one.maxTokens ?? Infinity) < (before.maxTokens ?? Infinity);

/** The tokens that a request may fill, as the mark of a run gives them: the window, less the part for the answer. */
export function roomOf({ data: { run } }: TraceEvent): number | undefined {
  const model = isObject(run) && isObject(run['model']) ? run['model'] : {};
  const { window, max_tokens: answer = 0 } = model;
  return typeof window === 'number' && typeof answer === 'number' ? Math.max(0, window - answer) : undefined;
}
