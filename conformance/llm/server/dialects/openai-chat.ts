/**
 * Reads OpenAI Chat Completions: LLM-S06 (indices of tool calls, usage on chunks). "OpenAI API reference: Chat
 * Completions, Streaming".
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer, StopKind } from '../answer.ts';
import { shown } from '../answer.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';

const kinds: { readonly [word: string]: StopKind } = {
  length: 'limit',
  tool_calls: 'tool',
  function_call: 'tool',
  stop: 'end',
  content_filter: 'other',
};

/** `{"error":{"message":…,"type":…}}`, in bodies of both APIs of OpenAI. */
export const openaiError: ErrorForm = (data) => {
  const [message, type] = [at(data, 'error', 'message'), at(data, 'error', 'type')];
  return typeof message === 'string' && typeof type === 'string'
    ? undefined
    : `expected an error as {"error": {"message", "type", …}}; came ${shown(data)}`;
};

/** The members of a delta or a message with content. */
const contentFields = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** The most calls of one answer that are kept. */
const callsKept = 1000;

/** Reads one answer of OpenAI's chat. */
export const openaiChatReader: MakeReader = (answer) => new ChatReader(answer);

class ChatReader implements Reader {
  readonly #answer: Answer;
  /** Whether the request asks for usage. Undefined when the request cannot be read; then usage is not judged. */
  readonly #asksUsage: boolean | undefined;
  /** The ids of calls by their index, and the answer's keys of these calls. */
  readonly #calls = new Map<number, { readonly id: unknown; readonly key: string }>();
  #finished = false;
  #usageChunks = 0;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#asksUsage = answer.request?.includeUsage;
  }

  unit(data: unknown): void {
    const { ended, facts } = this.#answer;
    if (data === '[DONE]') return this.#done();
    if (ended !== undefined) return this.#answer.addLateEvent(shown(data), false);
    if (isPresent(at(data, 'error'))) return this.#answer.endWithError(openaiError(data), true);
    const choices = at(data, 'choices');
    if (!Array.isArray(choices))
      return facts.violated('LLM-S01', `expected a chunk with choices, or [DONE]; came ${shown(data)}`);
    this.#usage(at(data, 'usage'), choices.length === 0);
    for (const choice of items(choices)) this.#choice(choice);
  }

  /** After an error, `[DONE]` is not another terminal. */
  #done(): void {
    const { ended, facts } = this.#answer;
    if (ended === 'error') return;
    if (ended === 'terminal') return this.#answer.addLateEvent('[DONE]', true);
    if (!this.#finished)
      facts.violated('LLM-S02', 'expected a chunk with finish_reason before [DONE]; came none');
    if (this.#asksUsage === true && this.#usageChunks !== 1)
      facts.violated(
        'LLM-S06',
        `expected one chunk with empty choices and the usage, because include_usage asks for it; came ${this.#usageChunks}`,
      );
    facts.exercised('LLM-S06');
    this.#answer.usageOwed = this.#asksUsage === true && this.#usageChunks > 0;
    this.#answer.endWithTerminal();
  }

  #usage(usage: unknown, alone: boolean): void {
    const { facts } = this.#answer;
    if (this.#asksUsage === undefined) return;
    if (!this.#asksUsage) {
      if (isPresent(usage))
        facts.violated('LLM-S06', `expected no usage without include_usage; came ${shown(usage)}`);
    } else if (!alone) {
      if (usage !== null)
        facts.violated('LLM-S06', `expected usage null on this chunk; came ${shown(usage)}`);
    } else if (isPresent(usage)) {
      this.#usageChunks++;
      this.#answer.addCounts({ input: at(usage, 'prompt_tokens'), output: at(usage, 'completion_tokens') });
    }
  }

  #choice(choice: unknown): void {
    const delta = at(choice, 'delta');
    const word = at(choice, 'finish_reason');
    if (this.#finished) {
      if (isPresent(word)) this.#answer.addLateEvent(`finish_reason ${shown(word)}`, true);
      else this.#answer.addLateEvent(shown(delta), false);
      return;
    }
    for (const field of contentFields) this.#answer.addContent(at(delta, field));
    for (const call of items(at(delta, 'tool_calls'))) this.#call(call);
    if (!isPresent(word)) return;
    this.#finished = true;
    this.#finish(word);
  }

  #finish(word: unknown): void {
    const kind = kinds[String(word)] ?? 'unknown';
    this.#answer.setStop(word, kind);
    // Only the finish reason of the answer shows that a call is complete.
    for (const { key } of this.#calls.values()) this.#answer.completeCall(key);
  }

  #call(call: unknown): void {
    const { facts } = this.#answer;
    const index = at(call, 'index');
    if (typeof index !== 'number') {
      this.#answer.beginCall('without index');
      return facts.violated('LLM-S06', `expected tool_calls[].index; came ${shown(call)}`);
    }
    const key = this.#keyOf(index, call);
    const text = at(call, 'function', 'arguments');
    if (key !== undefined && typeof text === 'string') this.#answer.addArguments(key, text);
  }

  /**
   * The answer's key of a call. Two calls with the same index get different keys, so that this fault causes no second
   * violation.
   */
  #keyOf(index: number, call: unknown): string | undefined {
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
    const key = before === undefined ? String(index) : `${index} ${String(id)}`;
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
      const text = at(call, 'function', 'arguments');
      this.#answer.completeCall(String(i), typeof text === 'string' ? text : '');
    }
    const word = at(choice, 'finish_reason');
    if (typeof word !== 'string') return;
    this.#answer.setStop(word, kinds[word] ?? 'unknown');
    this.#answer.endWithTerminal();
  }
}
