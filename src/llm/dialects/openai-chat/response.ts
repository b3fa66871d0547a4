/**
 * What a client makes of a Chat Completions response, chunk by chunk or whole. Nothing on this wire says that one call
 * is whole: that is known only from the finish reason, so calls are judged when the response is over.
 */
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import type { ClientError, Decoded, ResponseEvent } from '../../messages.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import { Assembly, endedEarly } from '../shared/assembly.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { isArray } from '../shared/body-reader.ts';
import { readError } from './errors.ts';
import type { EventResponse } from './event-decoder.ts';
import { reasonOf } from './finish.ts';
import { readUsage } from './usage.ts';

/** After these the model had said all it wanted; before any other, what came last may be cut. */
const isOwnEnd = (reason: StopReason): boolean => reason === 'end_turn' || reason === 'tool_use';

/** One response of Chat. */
export class ChatResponse implements EventResponse {
  /** The finish reason that counts, as it came. */
  rawStop: string | undefined;
  readonly #assembly: Assembly;
  readonly #calls: PendingCall[] = [];
  readonly #byIndex = new Map<number, PendingCall>();
  readonly #byId = new Map<string, PendingCall>();
  #stop: StopReason | undefined;
  #thinking = false;
  #refusal = false;
  #done = false;

  /** @param limit - the most characters of text, thoughts and arguments together */
  constructor(limit: number) {
    this.#assembly = new Assembly(limit);
  }

  /** Whether it is over, well or not. */
  get done(): boolean {
    return this.#done || this.#assembly.error !== undefined;
  }

  /** What has happened since the last time. */
  drain(): readonly ResponseEvent[] {
    return this.#assembly.drain();
  }

  /** Something odd that was survived. */
  warn(message: string): void {
    this.#assembly.warn(message);
  }

  /** The bytes are no response of Chat. */
  refuse(message: string): void {
    this.fail({ kind: 'protocol', message, retryable: false });
  }

  /** The response ended badly; what came before is kept, and none of it is to run. */
  fail(error: ClientError): void {
    this.#settle(false);
    this.#assembly.fail(error);
  }

  /** One chunk; or a whole response, whose choices have a `message` instead of a `delta`. */
  event(chunk: JsonObject): void {
    const { error = null, choices, usage, model } = chunk;
    if (error !== null) return this.fail(readError(error));
    if (typeof model === 'string' && model !== '') this.#assembly.model(model);
    if (isArray(choices)) for (const choice of choices) this.#choice(choice);
    if (isJsonObject(usage)) this.#assembly.usage(readUsage(usage));
  }

  #choice(choice: Json): void {
    // Other choices than the first are never asked for.
    if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return;
    const delta = choice['delta'] ?? choice['message'];
    const finish = choice['finish_reason'];
    if (isJsonObject(delta)) this.#delta(delta);
    if (typeof finish === 'string' && finish !== '') this.#finish(finish);
  }

  #delta(delta: JsonObject): void {
    const { content, refusal, tool_calls: calls } = delta;
    const thoughts = delta['reasoning_content'] ?? delta['reasoning'];
    if (typeof thoughts === 'string' && thoughts !== '') this.#thought(thoughts);
    if (typeof content === 'string') this.#text(content);
    if (typeof refusal === 'string') {
      this.#refusal = true;
      this.#text(refusal);
    }
    if (isArray(calls)) for (const [i, call] of calls.entries()) this.#callDelta(call, i);
  }

  #text(text: string): void {
    if (text === '') return;
    this.#thinking = false;
    this.#assembly.text(text);
  }

  /** Thoughts behind something else are a thought of their own. */
  #thought(text: string): void {
    if (!this.#thinking) this.#assembly.thought();
    this.#thinking = true;
    this.#assembly.think(text);
  }

  /** `place` stands for the index in whole messages, which have none. */
  #callDelta(delta: Json, place: number): void {
    if (!isJsonObject(delta)) return;
    const { index = place, id, function: made } = delta;
    const { name, arguments: text }: JsonObject = isJsonObject(made) ? made : {};
    const call = this.#callOf(index, typeof id === 'string' ? id : '', typeof name === 'string' ? name : '');
    if (call === undefined) return;
    this.#thinking = false;
    if (typeof text === 'string') this.#assembly.input(call, text);
  }

  /** By index; by id where several calls share an index (LLM-C17). Its first delta has both id and name (LLM-S06). */
  #callOf(index: Json, id: string, name: string): PendingCall | undefined {
    const at = typeof index === 'number' ? this.#byIndex.get(index) : undefined;
    if (at !== undefined && (id === '' || id === at.id)) return at;
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (typeof index !== 'number' || id === '' || name === '') {
      this.warn(
        `expected an index, an id and a name in a call's first delta; came id ${excerpt(id)}, name ${excerpt(name)}`,
      );
      return undefined;
    }
    const call = this.#assembly.call(id, name);
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    this.#byId.set(id, call);
    return call;
  }

  #finish(word: string): void {
    const reason = reasonOf(word);
    if (this.rawStop !== undefined && this.rawStop !== word)
      this.warn(`expected one finish_reason; came ${excerpt(this.rawStop)}, then ${excerpt(word)}`);
    // Of two words the one that leaves less to run is believed (LLM-C05).
    if (this.#stop !== undefined && !(isOwnEnd(this.#stop) && !isOwnEnd(reason))) return;
    this.rawStop = word;
    this.#stop = reason;
  }

  /** Nothing more will come: `[DONE]`, or the end of a whole response. A terminal only behind a finish reason. */
  over(): void {
    if (this.#stop === undefined) return this.#endEarly('clean', 'a finish_reason');
    this.#settle(isOwnEnd(this.#stop));
    if (this.#stop === 'unknown')
      this.warn(`expected a finish_reason of the API; came ${excerpt(this.rawStop ?? '')}`);
    this.#assembly.stop(this.#refusal && this.#stop === 'end_turn' ? 'refusal' : this.#stop);
    this.#done = true;
  }

  /** The body is over. */
  end(how: 'clean' | 'reset'): Decoded {
    if (!this.done) this.#endEarly(how, this.#stop === undefined ? 'a finish_reason and [DONE]' : '[DONE]');
    return this.#assembly.decoded();
  }

  #endEarly(how: 'clean' | 'reset', terminal: string): void {
    this.fail(endedEarly(how, terminal));
  }

  /**
   * Says of every call whether it is one. Whoever has sent the last brace has sent the whole call (LLM-C03); what is no
   * JSON was cut, and only the last call can have been, and not by a model that says it was done (LLM-C05).
   */
  #settle(ownEnd: boolean): void {
    for (const call of this.#calls) {
      if (this.#assembly.whole(call) !== 'no-json') continue;
      this.#assembly.cut(call);
      if (ownEnd || call !== this.#calls.at(-1))
        this.warn(
          `call ${excerpt(call.name)} is refused: expected a JSON object; came ${excerpt(call.partial)}`,
        );
    }
  }
}
