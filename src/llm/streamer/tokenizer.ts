/** Counts tokens, for limits, usage and the counting endpoints alike: a virtual tokenizer that anybody can replace. */
import type { LlmRequest } from '../messages.ts';

/** Parts text into tokens. */
export interface Tokenizer {
  /** Tokens of the text; for a whole text and each of its beginnings, as many as `pieces` gives. */
  count(text: string): number;
  /** The tokens as text; they join to it, none is empty, and none splits a surrogate pair. */
  pieces(text: string): Iterable<string>;
}

/**
 * A tokenizer that takes every `units` UTF-16 units for a token, whatever they are: ceil(units of the text / `units`).
 * A surrogate pair is never split: the token before it is one unit shorter. `units` is an integer from 2 up.
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

/** The tokenizer of scripts that do not say: ceil(UTF-16 units / 4), the estimate of the token management plan. */
export const defaultTokenizer: Tokenizer = virtualTokenizer(4);

/**
 * Tokens of what a request sends to the model: system text, messages with their thoughts, calls and results, and the
 * tools as JSON. Usage and counting endpoints say this number (LLM-S16).
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
  for (const { name, description, inputSchema } of request.tools)
    yield JSON.stringify({ name, description, inputSchema });
}
