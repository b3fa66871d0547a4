/** Reads OpenAI Chat Completions: LLM-S06 (indices of tool calls, usage on chunks). "OpenAI API reference: Chat Completions, Streaming". */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerChecker, StopKind } from '../answer-checker.ts';
import { shown } from '../notes.ts';
import { at, items, there } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';

const kinds: { readonly [word: string]: StopKind } = {
  length: 'limit',
  tool_calls: 'tool',
  function_call: 'tool',
  stop: 'end',
  content_filter: 'other',
};

/** `{"error":{"message":…,"type":…}}`; both APIs of OpenAI have it in bodies. */
export const openaiError: ErrorForm = (data) => {
  const [message, type] = [at(data, 'error', 'message'), at(data, 'error', 'type')];
  return typeof message === 'string' && typeof type === 'string'
    ? undefined
    : `expected an error as {"error": {"message", "type", …}}; came ${shown(data)}`;
};

/** Where content stands in a delta or a message. */
const contentFields = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** Most calls of one answer that are kept. */
const callsKept = 1000;

/** Reads one answer of OpenAI's chat. */
export const openaiChatReader: MakeReader = (account) => new ChatReader(account);

class ChatReader implements Reader {
  readonly #account: AnswerChecker;
  /** Undefined where the request could not be read: then nothing is said of usage. */
  readonly #asksUsage: boolean | undefined;
  /** Ids of calls by their index, and the keys under which the account has them. */
  readonly #calls = new Map<number, { readonly id: unknown; readonly key: string }>();
  #finished = false;
  #usageChunks = 0;

  constructor(account: AnswerChecker) {
    this.#account = account;
    this.#asksUsage = account.request?.includeUsage;
  }

  unit(data: unknown): void {
    const { ended, notes } = this.#account;
    if (data === '[DONE]') return this.#done();
    if (ended !== undefined) return this.#account.late(shown(data), false);
    if (there(at(data, 'error'))) return this.#account.failed(openaiError(data), true);
    const choices = at(data, 'choices');
    if (!Array.isArray(choices))
      return notes.broke('LLM-S01', `expected a chunk with choices, or [DONE]; came ${shown(data)}`);
    this.#usage(at(data, 'usage'), choices.length === 0);
    for (const choice of items(choices)) this.#choice(choice);
  }

  /** After an error `[DONE]` says no more than that: it is no terminal by itself. */
  #done(): void {
    const { ended, notes } = this.#account;
    if (ended === 'error') return;
    if (ended === 'terminal') return this.#account.late('[DONE]', true);
    if (!this.#finished)
      notes.broke('LLM-S02', 'expected a chunk with finish_reason before [DONE]; came none');
    if (this.#asksUsage === true && this.#usageChunks !== 1)
      notes.broke(
        'LLM-S06',
        `expected one chunk with empty choices and the usage, for include_usage asks for it; came ${this.#usageChunks}`,
      );
    notes.held('LLM-S06');
    this.#account.usageOwed = this.#asksUsage === true && this.#usageChunks > 0;
    this.#account.terminal();
  }

  #usage(usage: unknown, alone: boolean): void {
    const { notes } = this.#account;
    if (this.#asksUsage === undefined) return;
    if (!this.#asksUsage) {
      if (there(usage))
        notes.broke('LLM-S06', `expected no usage without include_usage; came ${shown(usage)}`);
    } else if (!alone) {
      if (usage !== null) notes.broke('LLM-S06', `expected usage null on this chunk; came ${shown(usage)}`);
    } else if (there(usage)) {
      this.#usageChunks++;
      this.#account.counted({ input: at(usage, 'prompt_tokens'), output: at(usage, 'completion_tokens') });
    }
  }

  #choice(choice: unknown): void {
    const delta = at(choice, 'delta');
    const word = at(choice, 'finish_reason');
    if (this.#finished) {
      if (there(word)) this.#account.late(`finish_reason ${shown(word)}`, true);
      else this.#account.late(shown(delta), false);
      return;
    }
    for (const field of contentFields) this.#account.said(at(delta, field));
    for (const call of items(at(delta, 'tool_calls'))) this.#call(call);
    if (!there(word)) return;
    this.#finished = true;
    this.#finish(word);
  }

  #finish(word: unknown): void {
    const kind = kinds[String(word)] ?? 'unknown';
    this.#account.stops(word, kind);
    // That a call is complete is nowhere said but by the reason why the answer ends.
    for (const { key } of this.#calls.values()) this.#account.completed(key);
  }

  #call(call: unknown): void {
    const { notes } = this.#account;
    const index = at(call, 'index');
    if (typeof index !== 'number') {
      this.#account.called('without index');
      return notes.broke('LLM-S06', `expected tool_calls[].index; came ${shown(call)}`);
    }
    const key = this.#keyOf(index, call);
    const text = at(call, 'function', 'arguments');
    if (key !== undefined && typeof text === 'string') this.#account.argued(key, text);
  }

  /** The account's key of a call; two that share an index are told apart there, so that one fault is not two. */
  #keyOf(index: number, call: unknown): string | undefined {
    const { notes } = this.#account;
    const [id, name] = [at(call, 'id'), at(call, 'function', 'name')];
    const before = this.#calls.get(index);
    const other = typeof id === 'string' && id !== '' && before !== undefined && id !== before.id;
    if (before !== undefined && !other) return before.key;
    if (this.#calls.size >= callsKept) {
      notes.lost('LLM-S06', `more than ${callsKept} calls are not kept`);
      return undefined;
    }
    if (before !== undefined)
      notes.broke('LLM-S06', `expected index ${index} to be call ${shown(before.id)}; came ${shown(id)}`);
    else if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '')
      notes.broke('LLM-S06', `expected id and name in the first delta of call ${index}; came ${shown(call)}`);
    const key = before === undefined ? String(index) : `${index} ${String(id)}`;
    this.#calls.set(index, { id, key });
    this.#account.called(key);
    return key;
  }

  whole(body: JsonObject): void {
    const [choice] = items(body['choices']);
    const message = at(choice, 'message');
    for (const field of contentFields) this.#account.said(at(message, field));
    const { usage } = body;
    if (there(usage))
      this.#account.counted({ input: at(usage, 'prompt_tokens'), output: at(usage, 'completion_tokens') });
    for (const [i, call] of items(at(message, 'tool_calls')).entries()) {
      const text = at(call, 'function', 'arguments');
      this.#account.completed(String(i), typeof text === 'string' ? text : '');
    }
    const word = at(choice, 'finish_reason');
    if (typeof word !== 'string') return;
    this.#account.stops(word, kinds[word] ?? 'unknown');
    this.#account.terminal();
  }
}
