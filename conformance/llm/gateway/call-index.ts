/** The indexes of calls in a stream of Chat Completions. A program joins the pieces of a call by its index. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';

export class CallIndexes {
  readonly #ids = new Map<number, string>();
  /** An index that two calls with different ids have. */
  shared: number | undefined;

  /** Takes a chunk. */
  take(chunk: Json): void {
    const choices = isObject(chunk) && isArray(chunk['choices']) ? chunk['choices'] : [];
    for (const choice of choices) {
      const delta = isObject(choice) ? choice['delta'] : undefined;
      const calls = isObject(delta) && isArray(delta['tool_calls']) ? delta['tool_calls'] : [];
      for (const call of calls) if (isObject(call)) this.#note(call['index'], call['id']);
    }
  }

  #note(index: Json | undefined, id: Json | undefined): void {
    if (typeof index !== 'number' || typeof id !== 'string' || id === '') return;
    const known = this.#ids.get(index);
    if (known === undefined) this.#ids.set(index, id);
    else if (known !== id) this.shared ??= index;
  }
}
