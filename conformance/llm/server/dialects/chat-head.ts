/** Reads the members of chunks and bodies of OpenAI Chat that say what they are: LLM-S25, and the role of LLM-S32. */
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { at } from './reader.ts';

const row = 'LLM-S25';

/** Reads the heads of one answer. */
export class ChatHead {
  readonly #answer: Answer;
  #id = '';
  /** Whether a choice came, and whether one had the role of the assistant. */
  #choices = false;
  #role = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Reads the head of a chunk with choices, or of a whole body. @param object - what it must call itself */
  take(data: unknown, object: 'chat.completion.chunk' | 'chat.completion'): void {
    const { facts } = this.#answer;
    const missing = ['id', 'object', 'model'].filter((name) => textOf(at(data, name)) === '');
    if (missing.length > 0)
      facts.violated(row, `expected ${missing.join(' and ')} beside choices; came ${shown(data)}`);
    const own = textOf(at(data, 'object'));
    if (own !== '' && own !== object)
      facts.violated(row, `expected object to be ${shown(object)}; came ${shown(own)}`);
    const created = at(data, 'created');
    if (typeof created === 'number' && !Number.isInteger(created))
      facts.violated(row, `expected created to be a whole number of seconds; came ${created}`);
    facts.exercised(row);
  }

  /** Every chunk has the id of the first. Azure's first chunk has an empty one. */
  id(id: unknown): void {
    if (typeof id !== 'string' || id === '') return;
    if (this.#id !== '' && id !== this.#id)
      this.#answer.facts.violated(
        row,
        `expected id to be ${shown(this.#id)} on every chunk of the answer; came ${shown(id)}`,
      );
    this.#id = id;
  }

  /** Reads the role of a delta or message. SDKs read over null and an empty one. @param path - its path */
  role(role: unknown, path: string): void {
    this.#choices = true;
    if (role === 'assistant') this.#role = true;
    else if (textOf(role) !== '')
      this.#answer.facts.violated('LLM-S30', `expected ${path} to be "assistant"; came ${shown(role)}`);
  }

  /** Ends the answer. @param path - the member that has the role */
  end(path: string): void {
    if (!this.#choices) return;
    if (!this.#role)
      this.#answer.facts.violated(
        'LLM-S32',
        `expected ${path} to be "assistant" once; the answer ended without it`,
      );
    this.#answer.facts.exercised('LLM-S32');
  }
}
