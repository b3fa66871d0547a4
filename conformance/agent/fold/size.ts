/** How large a model request is, against the context window that the statement gives. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { BothView, GatewayRequest, ModelExchange } from './records.ts';

const sum = (sizes: readonly number[]): number => sizes.reduce((a, b) => a + b, 0);

/** The characters of a model request's texts: the system text, contents, arguments of calls, and results of tools. */
export const textOf = ({ system, messages }: Pick<ModelExchange, 'system' | 'messages'>): number =>
  system.length +
  sum(
    messages.flatMap(({ content, toolCalls = [], toolResults = [] }) => [
      content.length,
      ...toolCalls.map(({ input }) => JSON.stringify(input).length),
      ...toolResults.map((result) => result.content.length),
    ]),
  );

/** The characters of a thread so far: the gateway's messages, and the results of tools that it was shown. */
export const lengthOf = ({ requests }: BothView, { thread }: GatewayRequest): number =>
  sum([...requests.values()].map((one) => (one.thread === thread ? one.content.length + one.resultText : 0)));

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

/** Whether a request is the same again. LLM-C09 says when that may be. */
export const isRepeat = ({ body }: ModelExchange, before: ModelExchange): boolean =>
  JSON.stringify(body) === JSON.stringify(before.body);

type Sized = Pick<ModelExchange, 'body' | 'maxTokens'>;

/**
 * Whether a request has more room than the one before it: it is smaller, asks for less output, is for another model, or
 * (in Ollama) for a larger window.
 */
export const hasMoreRoom = (one: Sized, before: Sized): boolean =>
  bodySize(one) < bodySize(before) ||
  (one.maxTokens ?? Infinity) < (before.maxTokens ?? Infinity) ||
  modelOf(one) !== modelOf(before) ||
  windowOf(one) > windowOf(before);

const modelOf = ({ body }: Sized): unknown => (isObject(body) ? body['model'] : undefined);

/** The window that a request of Ollama asks for (tokens); 0: it does not say. */
function windowOf({ body }: Sized): number {
  const size = isObject(body) && isObject(body['options']) ? body['options']['num_ctx'] : undefined;
  return typeof size === 'number' ? size : 0;
}

/** The tokens that a request may fill, as the mark of a run gives them: the window, less the part for the answer. */
export function roomOf({ data: { run } }: TraceEvent): number | undefined {
  const model = isObject(run) && isObject(run['model']) ? run['model'] : {};
  const { window, max_tokens: answer = 0 } = model;
  return typeof window === 'number' && typeof answer === 'number' ? Math.max(0, window - answer) : undefined;
}
