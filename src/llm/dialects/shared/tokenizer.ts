/** Counts tokens for limits, usage and the counting endpoints: a virtual tokenizer, which users can replace. */
import type { LlmRequest } from '../../messages.ts';

/** Splits text into tokens. */
export interface Tokenizer {
  /** The number of tokens: as many as `pieces` gives, for every text and every beginning of it. */
  count(text: string): number;
  /** The tokens as texts. They join to the text; no token is empty or splits a surrogate pair. */
  pieces(text: string): Iterable<string>;
}

/**
 * A tokenizer for which every `units` UTF-16 units are a token. A surrogate pair is never split: the token before it
 * is one unit shorter. `units` is an integer from 2 up.
 *
 * @example
 * virtualTokenizer(4).count('Hello, world'); // 3
 */
export function virtualTokenizer(units: number): Tokenizer {
  return {
    count: (text) => Math.ceil(text.length / units),
    *pieces(text) {
      for (let from = 0, end = units; from < text.length; end += units) {
        const to = inPair(text, end) ? end - 1 : end;
        yield text.slice(from, to);
        from = to;
      }
    },
  };
}

/** Whether cutting the text here would split a surrogate pair. */
export const inPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/** The default tokenizer of scripts: four UTF-16 units a token, the estimate of the token management plan. */
export const defaultTokenizer: Tokenizer = virtualTokenizer(4);

/**
 * The tokens of a request's prompt: system text, messages with their thoughts, calls and results, and the tools as
 * JSON. Usage and counting endpoints give this number (LLM-S16).
 */
export function countPrompt(request: LlmRequest, tokenizer: Tokenizer): number {
  let sum = 0;
  for (const text of promptTexts(request)) sum += tokenizer.count(text);
  return sum;
}

function* promptTexts(request: LlmRequest): Generator<string> {
  if (request.system !== undefined) yield request.system;
  for (const message of request.messages) {
    for (const thought of message.thinking ?? []) yield thought.text;
    yield message.content;
    for (const call of message.toolCalls ?? []) yield JSON.stringify([call.name, call.input]);
    for (const result of message.toolResults ?? []) yield result.content;
  }
  for (const { name, description, inputSchema, format } of request.tools)
    yield JSON.stringify({ name, description, inputSchema, format });
}
