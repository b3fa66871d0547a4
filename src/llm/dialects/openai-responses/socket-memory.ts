/**
 * The responses that a connection, or the provider, can continue: their items, up to a bound. What does not fit is
 * forgotten, the oldest first.
 */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';

/** A response that can be continued. */
export interface KnownResponse {
  readonly id: string;
  /** The items that led to it, and its own. */
  readonly items: readonly Json[];
}

/** The most JSON that is kept (UTF-16 units), besides the newest response. */
const mostText = 1 << 25;

/** The most responses that are kept. */
const mostResponses = 1000;

/** Keeps responses by their id. */
export class KnownResponses {
  readonly #known = new Map<string, KnownResponse & { readonly size: number }>();
  #size = 0;

  /** The response with this id, unless it was forgotten. */
  get(id: string): KnownResponse | undefined {
    return this.#known.get(id);
  }

  /** Keeps a response, and forgets the oldest beyond the bound. */
  add(response: KnownResponse): void {
    this.delete(response.id);
    const size = JSON.stringify(response.items).length;
    this.#known.set(response.id, { ...response, size });
    this.#size += size;
    for (const [oldest] of this.#known) {
      if (oldest === response.id || (this.#size <= mostText && this.#known.size <= mostResponses)) return;
      this.delete(oldest);
    }
  }

  /** Forgets a response. */
  delete(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#size -= known.size;
  }
}

/** The items of an input, which may be a text of the user. */
export const itemsOf = (input: Json | undefined): readonly Json[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : isArray(input) ? input : [];

/**
 * The input of a request that continues a response. A call that was cut has no output, so it is left out unless the
 * request brings one.
 */
export function continuedInput(before: readonly Json[], input: readonly Json[]): Json[] {
  const answered = new Set(input.map((item) => (isObject(item) ? item['call_id'] : undefined)));
  return [
    ...before.filter((item) => !isObject(item) || !isCut(item) || answered.has(item['call_id'])),
    ...input,
  ];
}

const isCut = ({ type, status }: JsonObject): boolean =>
  (type === 'function_call' || type === 'custom_tool_call') &&
  (status === 'incomplete' || status === 'in_progress');
