/** The tools that scenarios call. {nonce} in the input of a tool stands for a word that is new in each call. */
import { isObject } from '../base/index.ts';
import type { Json, JsonObject } from '../base/index.ts';
import type { NamedTools } from './suite.ts';

/** A call of a tool whose processes can be found by a word in their command lines. */
export interface ToolWord {
  /** The meaning of the tool, such as `slow`. */
  readonly tool: string;
  readonly word: string;
}

const nonce = '{nonce}';

/** Whether an input holds {nonce}. */
export const holdsNonce = (input: Json): boolean => JSON.stringify(input).includes(nonce);

function replaced(value: Json, word: string): Json {
  if (typeof value === 'string') return value.replaceAll(nonce, word);
  if (Array.isArray(value)) return value.map((one: Json) => replaced(one, word));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, word)]));
}

export class ToolWords {
  readonly #prefix: string;
  #words: ToolWord[] = [];
  #count = 0;
  /** The variable `tools` of scenarios. Each use of `$tools.slow.input` has a new word. */
  readonly variable: { readonly [tool: string]: unknown };

  /** @param prefix - begins each word: unique in the run */
  constructor(tools: NamedTools, prefix: string) {
    this.#prefix = prefix;
    const entries = Object.entries(tools).map(([tool, { name, input }]) => [
      tool,
      { name, input: holdsNonce(input) ? () => this.#filled(tool, input) : input },
    ]);
    this.variable = Object.fromEntries(entries) as Record<string, unknown>;
  }

  #filled(tool: string, input: JsonObject): Json {
    // The letter at the end: no word of a run is part of another.
    const word = `${this.#prefix}w${++this.#count}t`;
    this.#words.push({ tool, word });
    return replaced(input, word);
  }

  /** The words since the last call of `forget`. */
  get words(): readonly ToolWord[] {
    return this.#words;
  }

  /** Forgets the words, because other peers call tools from here on. */
  forget(): void {
    this.#words = [];
  }
}
