/** Reads the usage on chunks of OpenAI Chat: LLM-S18. */
import type { Counts } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { at, isPresent } from './reader.ts';

const row = 'LLM-S18';

export const chatCounts = (usage: unknown): Counts => ({
  input: at(usage, 'prompt_tokens'),
  output: at(usage, 'completion_tokens'),
  total: at(usage, 'total_tokens'),
  reasoning: at(usage, 'completion_tokens_details', 'reasoning_tokens'),
});

/** Reads the usage of one stream. */
export class ChatUsage {
  readonly #answer: Answer;
  /** Whether the request asks for usage. Undefined when the request cannot be read; then usage is not judged. */
  readonly #asked: boolean | undefined;
  #alone = 0;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#asked = answer.request?.includeUsage;
  }

  /** Reads the usage of a chunk. @param alone - whether the chunk has empty choices */
  take(usage: unknown, alone: boolean): void {
    if (this.#asked === undefined) return;
    if (isPresent(usage)) this.#answer.addCounts(chatCounts(usage));
    this.#judge(usage, alone);
  }

  #judge(usage: unknown, alone: boolean): void {
    const broke = (text: string): void => this.#answer.facts.violated(row, text);
    if (this.#asked !== true) {
      if (isPresent(usage)) broke(`expected no usage without include_usage; came ${shown(usage)}`);
    } else if (!alone) {
      if (usage !== null) broke(`expected usage null on a chunk with choices; came ${shown(usage)}`);
    } else if (isPresent(usage) && ++this.#alone > 1)
      broke(`expected one chunk with empty choices and the usage; came ${this.#alone}`);
  }

  /** Ends the stream. */
  end(): void {
    this.#answer.usageOwed = this.#asked === true;
    if (this.#asked === undefined) return;
    const { counts, facts } = this.#answer;
    // Usage on other chunks was named when it came. LLM-S13 names a stream without usage.
    if (this.#asked && counts === undefined) return;
    facts.exercised(row);
  }
}
