/**
 * The items of an answer as the next request has them. A client keeps them where some of them are the provider's own:
 * "append output items as usual" (OpenAI API: Compaction, stateless input-array chaining).
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { LlmResponse } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { defaultLimits } from '../shared/assembly.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import { callWords } from './call-words.ts';

/**
 * The types of items that the caller has to run or to answer. It cannot send them back without an output. Calls that the
 * provider runs need nothing of it.
 */
export const unreadCalls: ReadonlySet<unknown> = new Set([
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'mcp_approval_request',
]);

const calls: ReadonlySet<unknown> = new Set(Object.values(callWords).map(({ type }) => type));
/** The items that the neutral words of a message can say. */
const neutral: ReadonlySet<unknown> = new Set(['message', 'reasoning', ...calls]);

/** Collects the items that are done. */
export class KeptItems {
  readonly #items: JsonObject[] = [];
  #size = 0;
  #own = false;

  add(item: JsonObject): void {
    const { type } = item;
    if (unreadCalls.has(type)) return;
    this.#size += JSON.stringify(item).length;
    // Of an answer that is too large to be kept, the client sends the neutral words back.
    if (this.#size > defaultLimits.response) return;
    this.#own ||= !neutral.has(type);
    this.#items.push(item);
  }

  /**
   * The items, in their order; undefined where the neutral words say them all, or where a text came in no item that is done.
   * Calls that were refused or cut are left out, and thoughts without their encrypted content, which the provider would look
   * for in its store.
   */
  list({ content, toolCalls }: LlmResponse): readonly JsonObject[] | undefined {
    if (!this.#own || this.#size > defaultLimits.response) return undefined;
    if (this.#items.map(textOf).join('') !== content) return undefined;
    const ids: ReadonlySet<unknown> = new Set(toolCalls.map(({ id }) => id));
    return this.#items.filter((item) => {
      if (item['type'] === 'reasoning') return typeof item['encrypted_content'] === 'string';
      return !calls.has(item['type']) || ids.has(item['call_id']);
    });
  }
}

/** The text of a message, as a client reads it: also that of a refusal. */
function textOf({ type, content }: JsonObject): string {
  if (type !== 'message' || !isArray(content)) return '';
  return content.map((part) => (isJsonObject(part) ? textIn(part['text'] ?? part['refusal']) : '')).join('');
}
