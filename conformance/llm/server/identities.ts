/** The ids and names of the calls of an answer: LLM-S20. */
import type { LlmRequest } from '../../../src/llm/index.ts';
import { shown } from './words.ts';

/** The identity of a call, with the paths of its members on the wire. */
export interface CallIdentity {
  readonly id: Member;
  readonly name: Member;
  /** Whether the dialect's calls always have an id. */
  readonly idOwed: boolean;
  /** The namespace of the tool, if it has one. The names of the request's tools do not have its tools. */
  readonly namespace?: unknown;
}

/** A member: its path, such as `choices[0].delta.tool_calls[0].id`, and its value. */
export interface Member {
  readonly path: string;
  readonly value: unknown;
}

/** The most ids of one answer that are kept. */
const idsKept = 1000;

/** Judges the identities of the calls of one answer. */
export class Identities {
  readonly #violated: (message: string) => void;
  readonly #ids = new Set<string>();
  /** The names of the offered tools. Undefined when the request offers none, or cannot be read. */
  readonly #offered: readonly string[] | undefined;
  /** Whether a call came. */
  seen = false;

  constructor(request: LlmRequest | undefined, violated: (message: string) => void) {
    this.#violated = violated;
    const names = request?.tools.map(({ name }) => name) ?? [];
    this.#offered = names.length === 0 ? undefined : names;
  }

  /** Judges a call. */
  take({ id, name, idOwed, namespace }: CallIdentity): void {
    this.seen = true;
    this.#name(name, typeof namespace === 'string' && namespace !== '');
    this.#id(id, idOwed);
  }

  /** A call of a tool that was not offered cannot be answered, whoever made up the name. */
  #name({ path, value }: Member, inNamespace: boolean): void {
    if (typeof value !== 'string' || value === '')
      this.#violated(`expected ${path} to be the name of the called tool; came ${shown(value)}`);
    else if (!inNamespace && this.#offered?.includes(value) === false)
      this.#violated(
        `expected ${path} to be the name of an offered tool (${this.#offered.slice(0, 5).join(', ')}); came ${shown(value)}`,
      );
  }

  #id({ path, value }: Member, owed: boolean): void {
    if (typeof value !== 'string' || value === '') {
      if (owed) this.#violated(`expected ${path} to be the id of the call; came ${shown(value)}`);
      return;
    }
    if (this.#ids.has(value))
      this.#violated(`expected ${path} to be an id of its own; two calls have ${shown(value)}`);
    if (this.#ids.size < idsKept) this.#ids.add(value);
  }
}
