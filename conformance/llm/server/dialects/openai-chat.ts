/**
 * Reads OpenAI Chat Completions: LLM-S06 (indices of tool calls), LLM-S19 ([DONE]), LLM-S25 (members of chunks).
 * "OpenAI API reference: Chat Completions, Streaming".
 */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer, StopKind } from '../answer.ts';
import { shown, textOf } from '../answer.ts';
import { ChatUsage } from './chat-usage.ts';
import { openaiError } from './openai-error.ts';
import { at, items, isPresent } from './reader.ts';
import type { MakeReader, Reader } from './reader.ts';

const kinds: { readonly [word: string]: StopKind } = {
  length: 'limit',
  tool_calls: 'tool',
  function_call: 'tool',
  stop: 'end',
  content_filter: 'other',
};

/** The members of a delta or a message with content. */
const contentFields = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** The most calls of one answer that are kept. */
const callsKept = 1000;

/** Reads one answer of OpenAI's chat. */
export const openaiChatReader: MakeReader = (answer) => new ChatReader(answer);

class ChatReader implements Reader {
  readonly #answer: Answer;
  readonly #usage: ChatUsage;
  /** The ids of calls by choice and index, and the answer's keys of these calls. */
  readonly #calls = new Map<string, { readonly id: unknown; readonly key: string }>();
  /** The choices with a finish_reason. A request with `n` gets several. */
  readonly #finished = new Set<unknown>();

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#usage = new ChatUsage(answer);
  }

  unit(data: unknown): void {
    const { ended, facts } = this.#answer;
    if (data === '[DONE]') return this.#done();
    if (ended !== undefined) return this.#answer.addLateEvent(shown(data), false);
    if (isPresent(at(data, 'error'))) return this.#answer.endWithError(openaiError(data), true);
    const choices = at(data, 'choices');
    if (!Array.isArray(choices))
      return facts.violated('LLM-S01', `expected a chunk with choices, or [DONE]; came ${shown(data)}`);
    this.#usage.take(at(data, 'usage'), choices.length === 0);
    // Azure's first chunk has no choices, and an empty id and model.
    if (choices.length > 0) this.#named(data);
    for (const choice of items(choices)) this.#choice(choice);
  }

  #named(data: unknown): void {
    const { facts } = this.#answer;
    const missing = ['id', 'object', 'model'].filter((name) => textOf(at(data, name)) === '');
    if (missing.length === 0) return facts.exercised('LLM-S25');
    facts.violated('LLM-S25', `expected ${missing.join(' and ')} on a chunk; came ${shown(data)}`);
  }

  /** After an error, `[DONE]` is not another terminal. */
  #done(): void {
    const { ended, facts } = this.#answer;
    if (ended === 'error') return;
    if (ended === 'terminal') return this.#answer.addLateEvent('[DONE]', true);
    if (this.#finished.size === 0)
      facts.violated('LLM-S02', 'expected a chunk with finish_reason before [DONE]; came none');
    facts.exercised('LLM-S19');
    this.#end();
  }

  /** A chunk with a finish_reason is the terminal of a stream without `[DONE]`. */
  bodyEnded(): void {
    if (this.#finished.size === 0) return;
    this.#answer.facts.violated(
      'LLM-S19',
      'expected [DONE] after the finish_reason; the stream ended without it',
    );
    this.#end();
  }

  #end(): void {
    this.#answer.facts.exercised('LLM-S06');
    this.#usage.end();
    this.#answer.endWithTerminal();
  }

  #choice(choice: unknown): void {
    const delta = at(choice, 'delta');
    const word = at(choice, 'finish_reason');
    const index = at(choice, 'index') ?? 0;
    if (this.#finished.has(index)) return this.#late(delta, word);
    for (const field of contentFields) this.#answer.addContent(at(delta, field));
    for (const call of items(at(delta, 'tool_calls'))) this.#call(call, index);
    this.#functionCall(at(delta, 'function_call'));
    if (!isPresent(word)) return;
    this.#finished.add(index);
    this.#finish(word);
  }

  /** OpenRouter sends the usage after the finish_reason, on a chunk with an empty delta. */
  #late(delta: unknown, word: unknown): void {
    if (isPresent(word)) return this.#answer.addLateEvent(`finish_reason ${shown(word)}`, true);
    const says = contentFields.some((field) => textOf(at(delta, field)) !== '');
    if (says || items(at(delta, 'tool_calls')).length > 0) this.#answer.addLateEvent(shown(delta), false);
  }

  /** The form of a call before tools. */
  #functionCall(call: unknown): void {
    if (!isPresent(call)) return;
    const key = 'function_call';
    if (!this.#calls.has(key)) {
      this.#calls.set(key, { id: undefined, key });
      this.#answer.identifyCall(undefined, at(call, 'name'), false);
      this.#answer.beginCall(key);
    }
    this.#answer.addArguments(key, textOf(at(call, 'arguments')));
  }

  #finish(word: unknown): void {
    const kind = entryOf(kinds, String(word)) ?? 'unknown';
    this.#answer.setStop(word, kind);
    // Only the finish reason of the answer shows that a call is complete.
    for (const { key } of this.#calls.values()) this.#answer.completeCall(key);
  }

  #call(call: unknown, choice: unknown): void {
    const { facts } = this.#answer;
    const index = at(call, 'index');
    if (typeof index !== 'number') {
      this.#answer.beginCall('without index');
      return facts.violated('LLM-S06', `expected tool_calls[].index; came ${shown(call)}`);
    }
    const key = this.#keyOf(choice === 0 ? String(index) : `${shown(choice)}/${index}`, call);
    const text = at(call, 'function', 'arguments');
    if (key !== undefined && typeof text === 'string') this.#answer.addArguments(key, text);
  }

  /**
   * The answer's key of a call. Two calls with the same index get different keys, so that this fault causes no second
   * violation.
   */
  #keyOf(index: string, call: unknown): string | undefined {
    const { facts } = this.#answer;
    const [id, name] = [at(call, 'id'), at(call, 'function', 'name')];
    const before = this.#calls.get(index);
    const other = typeof id === 'string' && id !== '' && before !== undefined && id !== before.id;
    if (before !== undefined && !other) return before.key;
    if (this.#calls.size >= callsKept) {
      facts.unknowable('LLM-S06', `more than ${callsKept} calls are not kept`);
      return undefined;
    }
    if (before !== undefined)
      facts.violated('LLM-S06', `expected index ${index} to be call ${shown(before.id)}; came ${shown(id)}`);
    else if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '')
      facts.violated(
        'LLM-S06',
        `expected id and name in the first delta of call ${index}; came ${shown(call)}`,
      );
    else this.#answer.identifyCall(id, name, true);
    const key = before === undefined ? index : `${index} ${String(id)}`;
    this.#calls.set(index, { id, key });
    this.#answer.beginCall(key);
    return key;
  }

  whole(body: JsonObject): void {
    const [choice] = items(body['choices']);
    const message = at(choice, 'message');
    for (const field of contentFields) this.#answer.addContent(at(message, field));
    const { usage } = body;
    if (isPresent(usage))
      this.#answer.addCounts({ input: at(usage, 'prompt_tokens'), output: at(usage, 'completion_tokens') });
    for (const [i, call] of items(at(message, 'tool_calls')).entries()) {
      this.#answer.identifyCall(at(call, 'id'), at(call, 'function', 'name'), true);
      this.#answer.completeCall(String(i), textOf(at(call, 'function', 'arguments')));
    }
    this.#functionCall(at(message, 'function_call'));
    for (const { key } of this.#calls.values()) this.#answer.completeCall(key);
    const word = at(choice, 'finish_reason');
    if (typeof word !== 'string') return;
    this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    this.#answer.endWithTerminal();
  }
}
