/** Estimates the tokens of a conversation, for when there is no exact count (TOK-25). */
import { exactText, isArray, isObject } from '../../kit/base/index.ts';
import type { Json, ProviderMessage } from '../../kit/base/index.ts';

/** The tokens of a message besides its texts (TOK-25). */
export const MESSAGE_OVERHEAD = 10;

/** The UTF-16 units that count as one token (TOK-25). */
export const UNITS_PER_TOKEN = 4;

/**
 * The tokens of a text: its UTF-16 units divided by four, rounded up.
 *
 * @example
 * estimateText('12345'); // 2
 */
export const estimateText = (text: string): number => Math.ceil(text.length / UNITS_PER_TOKEN);

/** The tokens of one message: 10, its content, its calls as JSON and its results as JSON; each part is rounded up (TOK-25). */
export function estimateMessage({ content, toolCalls, toolResults }: ProviderMessage): number {
  return MESSAGE_OVERHEAD + estimateText(content) + estimateList(toolCalls) + estimateList(toolResults);
}

/**
 * The tokens of a conversation (TOK-25). The time is linear in its size, for arguments of any depth.
 *
 * @example
 * estimateTokens([{ role: 'user', content: 'Hello' }]); // 12
 */
export const estimateTokens = (messages: readonly ProviderMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);

/** An absent list and an empty one count nothing. */
const estimateList = (list: readonly unknown[] = []): number =>
  list.length === 0 ? 0 : Math.ceil(jsonLength(list as readonly Json[]) / UNITS_PER_TOKEN);

/**
 * The UTF-16 units of a value as JSON without white space. It does not call `JSON.stringify` on the whole value, because
 * that fails on very deep arguments.
 */
export function jsonLength(value: Json): number {
  let length = 0;
  const rest: (Json | undefined)[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (isArray(next)) {
      length += 1 + Math.max(1, next.length);
      for (const item of next) rest.push(item);
    } else if (isObject(next)) {
      const entries = Object.entries(next).filter(([, item]) => item !== undefined);
      length += 1 + Math.max(1, entries.length);
      for (const [key, item] of entries) {
        length += JSON.stringify(key).length + 1;
        rest.push(item);
      }
    } else length += exactText(next ?? null).length;
  }
  return length;
}
