/**
 * Decodes Chat Completions, chunk by chunk or whole. Nothing on this wire says that one call is whole: only the finish
 * reason tells, so calls are judged when the response is over.
 */
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import type { ClientError, Decoded, DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { EventDecoder } from '../openai/decoder.ts';
import { readError } from '../openai/errors.ts';
import { chatUsage, readUsage } from '../openai/usage.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { endedEarly } from '../shared/assembly.ts';
import { isArray } from '../shared/body-reader.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { reasonOf } from './finish.ts';

/** A decoder of one response; it takes the bytes of the body. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new ChatDecoder(limits);

/** Reads an answer that is not streamed, or an error by its status. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new ChatDecoder({}).readWhole(status, headers, bytes);

/** With these reasons the model ended by itself. With any other reason, the last call may be cut. */
const isOwnEnd = (reason: StopReason): boolean => reason === 'end_turn' || reason === 'tool_use';

/** The error of an answer whose finish reason alone says that it failed: Mistral, vLLM. */
const endedByWord: ClientError = {
  kind: 'provider',
  type: 'server',
  message: 'the finish_reason is error',
  retryable: true,
};

/** The id of a `function_call`, the form before `tool_calls`, which has none. */
const oldCallId = 'function_call';

class ChatDecoder extends EventDecoder {
  readonly #calls: PendingCall[] = [];
  readonly #byIndex = new Map<number, PendingCall>();
  readonly #byId = new Map<string, PendingCall>();
  #stop: StopReason | undefined;
  #thinking = false;
  #refusal = false;

  protected get terminal(): string {
    return this.#stop === undefined ? 'a finish_reason and [DONE]' : '[DONE]';
  }

  /** Keeps the part before the error; no call of it must run. */
  protected override fail(error: ClientError): void {
    this.#judgeCalls(false);
    this.assembly.fail(error);
  }

  /** Some servers (Perplexity) end the body after the finish reason, without `[DONE]`. */
  override end(how: 'clean' | 'reset'): Decoded {
    if (how === 'clean' && !this.done && this.#stop !== undefined) this.last();
    return super.end(how);
  }

  protected takeWhole(body: JsonObject): void {
    this.event(body);
    if (!this.done) this.last();
  }

  /** One chunk; or a whole response, whose choices have a `message` instead of a `delta`. */
  protected event(chunk: JsonObject): void {
    const { error = null, choices, usage, model } = chunk;
    if (error !== null) return this.fail(readError(error));
    if (typeof model === 'string' && model !== '') this.assembly.model(model);
    if (isArray(choices)) for (const choice of choices) this.#choice(choice);
    if (isJsonObject(usage)) this.assembly.usage(readUsage(usage, chatUsage));
  }

  #choice(choice: Json): void {
    // Requests never ask for more choices than the first.
    if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return;
    const { delta = choice['message'], finish_reason: finish, error = null } = choice;
    if (error !== null) return this.fail(readError(error));
    if (isJsonObject(delta)) this.#delta(delta);
    if (typeof finish === 'string' && finish !== '') this.#finish(finish);
  }

  #delta(delta: JsonObject): void {
    const { content, refusal, reasoning_details: details, tool_calls: calls, function_call: old } = delta;
    const thoughts = delta['reasoning_content'] ?? delta['reasoning'];
    if (typeof thoughts === 'string') this.#thought(thoughts);
    if (isArray(details)) for (const detail of details) this.#detail(detail);
    if (typeof content === 'string') this.#text(content);
    if (isArray(content)) for (const chunk of content) this.#contentChunk(chunk);
    if (typeof refusal === 'string') {
      this.#refusal = true;
      this.#text(refusal);
    }
    if (isArray(calls)) for (const [i, call] of calls.entries()) this.#callDelta(call, i);
    if (isJsonObject(old)) this.#callDelta({ index: -1, id: oldCallId, function: old }, -1);
  }

  #text(text: string): void {
    if (text === '') return;
    this.#thinking = false;
    this.assembly.text(text);
  }

  /** A chunk of Mistral's, where its content is a list. Chunks of other types have no text of the answer. */
  #contentChunk(chunk: Json): void {
    if (typeof chunk === 'string') return this.#text(chunk);
    if (!isJsonObject(chunk)) return;
    const { type, text, thinking } = chunk;
    if (type === 'text' && typeof text === 'string') this.#text(text);
    if (type === 'thinking' && isArray(thinking))
      for (const part of thinking)
        if (isJsonObject(part) && typeof part['text'] === 'string') this.#thought(part['text']);
  }

  /** A part of a thought as OpenRouter has it; its text comes as `reasoning`, too. */
  #detail(detail: Json): void {
    if (!isJsonObject(detail)) return;
    if (!this.#thinking) this.assembly.thought();
    this.#thinking = true;
    this.assembly.detail(detail);
  }

  /** Thoughts after other content are a new thought. */
  #thought(text: string): void {
    if (text === '') return;
    if (!this.#thinking) this.assembly.thought();
    this.#thinking = true;
    this.assembly.think(text);
  }

  /** `place` replaces the index in whole messages, where calls have no index. */
  #callDelta(delta: Json, place: number): void {
    if (!isJsonObject(delta)) return;
    const { index = place, id } = delta;
    const { name, text, custom } = calledIn(delta);
    const call = this.#callOf(index, typeof id === 'string' ? id : '', name, custom);
    if (call === undefined) return;
    this.#thinking = false;
    this.assembly.input(call, text);
  }

  /** By index; by id where several calls share an index (LLM-C17). Its first delta has both id and name (LLM-S06). */
  #callOf(index: Json, id: string, name: string, custom: boolean): PendingCall | undefined {
    const at = typeof index === 'number' ? this.#byIndex.get(index) : undefined;
    if (at !== undefined && (id === '' || id === at.id)) return at;
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (typeof index !== 'number' || id === '' || name === '') {
      this.assembly.warn(
        `expected an index, an id and a name in a call's first delta; came id ${excerpt(id)}, name ${excerpt(name)}`,
      );
      return undefined;
    }
    const call = this.assembly.call(id, name, custom ? { custom } : {});
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    this.#byId.set(id, call);
    return call;
  }

  #finish(word: string): void {
    const reason = reasonOf(word);
    if (this.rawStop !== undefined && this.rawStop !== word)
      this.assembly.warn(`expected one finish_reason; came ${excerpt(this.rawStop)}, then ${excerpt(word)}`);
    // Of two words, the one that runs fewer calls counts (LLM-C05).
    if (this.#stop !== undefined && !(isOwnEnd(this.#stop) && !isOwnEnd(reason))) return;
    this.rawStop = word;
    this.#stop = reason;
  }

  /** Nothing more will come: `[DONE]`, or the end of a whole response. A terminal only after a finish reason. */
  protected last(): void {
    if (this.#stop === undefined) return this.fail(endedEarly('clean', 'a finish_reason'));
    if (this.#stop === 'error') return this.fail(endedByWord);
    this.#judgeCalls(isOwnEnd(this.#stop));
    if (this.#stop === 'unknown')
      this.assembly.warn(`expected a finish_reason of the API; came ${excerpt(this.rawStop ?? '')}`);
    this.assembly.stop(this.#refusal && this.#stop === 'end_turn' ? 'refusal' : this.#stop);
    this.over = true;
  }

  /**
   * Decides about every call. With its last brace a call is complete (LLM-C03). Text that is not JSON was cut. Only the
   * last call can be cut, and only without the model's own end (LLM-C05). Free text does not show whether it was cut, so a
   * custom call that can be cut never runs (LLM-C01).
   */
  #judgeCalls(ownEnd: boolean): void {
    for (const call of this.#calls) {
      const isLast = call === this.#calls.at(-1);
      if (call.custom === true && isLast && !ownEnd) this.assembly.cut(call);
      else if (this.assembly.whole(call) === 'no-json') {
        this.assembly.cut(call);
        if (ownEnd || !isLast) this.refuseCall(call);
      }
    }
  }
}

/** What a delta calls: the name and the text in it, of a function or of a custom tool. */
function calledIn({ type, function: made, custom }: JsonObject): {
  readonly name: string;
  readonly text: string;
  readonly custom: boolean;
} {
  const isCustom = type === 'custom' || (isJsonObject(custom) && !isJsonObject(made));
  const member = isCustom ? custom : made;
  const { name, arguments: json, input }: JsonObject = isJsonObject(member) ? member : {};
  const text = isCustom ? input : json;
  return {
    name: typeof name === 'string' ? name : '',
    // The typings of Mistral's SDK have an object, too.
    text: typeof text === 'string' ? text : isJsonObject(text) ? JSON.stringify(text) : '',
    custom: isCustom,
  };
}
