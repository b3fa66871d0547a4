/** Completes an operator's orders at the Tab key: names of orders, then the ids and names of the session so far. */
import type { Json, TraceEvent } from '../base/index.ts';

/** The most ids and names that are kept; the oldest are dropped. */
const kept = 200;
/** Levels of an event's data that are searched. */
const levels = 6;

/** The texts under keys such as `request_id`, `id` and `name`. */
function* namesIn(value: Json, key = '', depth = 0): Generator<string> {
  if (typeof value === 'string' && /(?:^|_)id$|Id$|(?:^|_)name$/u.test(key) && /^\S{1,80}$/u.test(value))
    yield value;
  if (typeof value !== 'object' || value === null || depth > levels) return;
  for (const [name, member] of Object.entries(value)) yield* namesIn(member, name, depth + 1);
}

export class OrderCompleter {
  readonly #orders: readonly string[];
  /** The ids and names, the newest last. */
  readonly #seen = new Set<string>();

  constructor(orders: readonly string[]) {
    this.#orders = orders;
  }

  /** Takes the ids and names of an event. */
  note({ data }: TraceEvent): void {
    for (const name of namesIn(data)) {
      this.#seen.delete(name);
      this.#seen.add(name);
    }
    for (const oldest of this.#seen) {
      if (this.#seen.size <= kept) break;
      this.#seen.delete(oldest);
    }
  }

  /** The completions of the last word of a line, and that word, as node:readline wants them. The newest come first. */
  readonly complete = (line: string): [string[], string] => {
    const [, before = '', word = ''] = /^(.*?)(\S*)$/su.exec(line) ?? [];
    const known = before.trim() === '' ? this.#orders : [...this.#seen].toReversed();
    return [known.filter((name) => name.startsWith(word)).map((name) => `${name} `), word];
  };
}
