/** Reads Ollama's answers: LLM-S08 (lines, counts, arguments). "Ollama API: Generate a chat completion". */
import { entryOf, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { ollamaLine } from './ollama-shapes.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { judgeShape } from './shape.ts';

const kinds: { readonly [word: string]: StopKind } = {
  length: 'limit',
  stop: 'end',
  load: 'other',
  unload: 'other',
};

/** Counts and durations. They are allowed only on the last line. */
const counts = [
  'total_duration',
  'load_duration',
  'prompt_eval_count',
  'prompt_eval_duration',
  'eval_count',
  'eval_duration',
] as const;

/** `{"error":"…"}`. */
export const ollamaError: ErrorForm = (data) =>
  typeof at(data, 'error') === 'string'
    ? undefined
    : `expected an error as {"error": "…"}; came ${shown(data)}`;

export const ollamaReader: MakeReader = (answer) => new OllamaReader(answer);

class OllamaReader implements Reader {
  readonly #answer: Answer;
  #calls = 0;
  #silent = true;
  /** Whether a line before the last had an empty done_reason. */
  #emptyReason = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  unit(data: unknown): void {
    const { ended, facts } = this.#answer;
    if (!isObject(data))
      return facts.violated('LLM-S08', `expected an object as a line; came ${shown(data)}`);
    const done = data['done'] === true;
    if (ended !== undefined) return this.#answer.addLateEvent(shown(data), done);
    if (isPresent(data['error'])) return this.#answer.endWithError(ollamaError(data), true);
    judgeShape(this.#answer, data, ollamaLine);
    this.#message(data['message']);
    if (done) return this.#done(data);
    if (data['done_reason'] === '') this.#empty();
    const early = counts.find((name) => isPresent(data[name]));
    if (early !== undefined)
      facts.violated(
        'LLM-S08',
        `expected ${early} on the last line only, which has done true; came ${shown(data)}`,
      );
  }

  /** SDKs read over an empty done_reason before the last line. */
  #empty(): void {
    if (!this.#emptyReason) this.#answer.addEmptyStop('done_reason');
    this.#emptyReason = true;
  }

  #message(message: unknown): void {
    this.#judgeContent(message);
    for (const name of ['content', 'thinking']) {
      const text = at(message, name);
      this.#answer.addContent(text);
      if (typeof text === 'string' && text !== '') this.#silent = false;
    }
    for (const [i, call] of items(at(message, 'tool_calls')).entries()) {
      const path = `message.tool_calls[${i}]`;
      this.#answer.identifyCall({
        id: { path: `${path}.id`, value: at(call, 'id') },
        name: { path: `${path}.function.name`, value: at(call, 'function', 'name') },
        idOwed: false,
      });
      this.#call(at(call, 'function', 'arguments'), `${path}.function.arguments`);
    }
  }

  /** Programs join the content of every line: `undefined` in JavaScript, a TypeError in Python. Calls and thoughts need none. */
  #judgeContent(message: unknown): void {
    const content = at(message, 'content');
    const other = isPresent(at(message, 'tool_calls')) || isPresent(at(message, 'thinking'));
    if (!isObject(message) || isPresent(content) || other) return;
    this.#answer.facts.violated(
      'LLM-S30',
      `expected message.content to be a string; ${content === null ? 'came null' : 'it is missing'}`,
    );
  }

  #call(given: unknown, path: string): void {
    const key = String(this.#calls++);
    this.#silent = false;
    this.#answer.beginCall(key);
    if (isObject(given)) this.#answer.completeCall(key, JSON.stringify(given));
    else this.#answer.facts.violated('LLM-S08', `expected ${path} to be an object; came ${shown(given)}`);
  }

  /** "Zero counts are omitted": an absent count is 0. The count of output is not 0 when there was output. */
  #done(data: { readonly [name: string]: unknown }): void {
    const output = data['eval_count'] ?? (this.#silent ? 0 : undefined);
    this.#answer.addCounts({ input: data['prompt_eval_count'] ?? 0, output });
    const word = data['done_reason'];
    this.#answer.setStop(word, entryOf(kinds, String(word)) ?? 'unknown');
    this.#answer.facts.exercised('LLM-S08');
    this.#answer.endWithTerminal();
  }

  whole(body: JsonObject): void {
    judgeShape(this.#answer, body, ollamaLine);
    this.#message(body['message']);
    if (body['done'] === true) this.#done(body);
  }
}
