/**
 * Decodes the Responses API, event by event or whole. Each item has a status, so a call counts only if its item is
 * done and complete, and its text is the same in all places (LLM-S07).
 */
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, LlmResponse, ResponseDecoder } from '../../messages.ts';
import { EventDecoder } from '../openai/decoder.ts';
import { readError } from '../openai/errors.ts';
import { readUsage, responsesUsage } from '../openai/usage.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import { endedEarly } from '../shared/assembly.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { isArray } from '../shared/body-reader.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { callWords } from './call-words.ts';
import type { CallWords } from './call-words.ts';
import { KeptItems, unreadCalls } from './kept-items.ts';
import { MessageEvents, messageError } from './message-events.ts';
import { reasonOf } from './status.ts';

/** A decoder of one response; it takes the bytes of the body. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new ResponsesDecoder(limits);

/** A decoder of one response on a WebSocket; each push is one message. */
export const messageDecoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new ResponsesDecoder(limits, (limit) => new MessageEvents(limit));

/** Reads an answer that is not streamed, or an error by its status. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new ResponsesDecoder({}).readWhole(status, headers, bytes);

/** An item that is not done, its call if it is one, and whether any piece of it has come. */
interface OpenItem {
  readonly call?: PendingCall;
  streamed: boolean;
  /** Whether a thought has begun. */
  thought: boolean;
  /** Whether the call must not run. There is a warning. */
  refused: boolean;
}

class ResponsesDecoder extends EventDecoder {
  /** Open items by `output_index`. */
  readonly #items = new Map<number, OpenItem>();
  #calls = false;
  /** The last call, if it is a custom one whose item has no status: free text does not show whether it was cut. */
  #doubtful: PendingCall | undefined;
  #refusal = false;
  readonly #kept = new KeptItems();

  protected get terminal(): string {
    return 'response.completed, .incomplete or .failed';
  }

  /** Unknown events are ignored (LLM-C12). */
  protected event(event: JsonObject): void {
    const { type, delta, response } = event;
    switch (type) {
      case 'response.output_text.delta':
        return this.#text(event, delta);
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#arguments(type, event, delta);
      case 'response.refusal.delta':
        this.#refusal = true;
        return this.#text(event, delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
      case 'response.reasoning.delta':
        return this.#thought(event, delta);
      case 'response.created':
      case 'response.in_progress':
        return this.#model(response);
      case 'response.output_item.added':
        return void this.#begin(event, event['item']);
      case 'response.function_call_arguments.done':
        return this.#same(this.#items.get(indexOf(event)), event['arguments']);
      case 'response.custom_tool_call_input.done':
        return this.#same(this.#items.get(indexOf(event)), event['input']);
      case 'response.output_item.done':
        return this.#itemDone(event, event['item']);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#terminal(type, isJsonObject(response) ? response : {});
      default:
        if (type === 'error' || (event['error'] ?? null) !== null) this.#error(event);
    }
  }

  /** Some servers end with Chat's `[DONE]`, which has no meaning here. */
  protected last(): void {}

  protected takeWhole(response: JsonObject): void {
    const { output, error = null, status } = response;
    if (error !== null && status !== 'failed') return this.fail(readError(error));
    if (isArray(output)) for (const [i, item] of output.entries()) this.#itemDone({ output_index: i }, item);
    if (status === 'completed' || status === 'incomplete' || status === 'failed' || status === 'cancelled')
      this.#terminal(status === 'cancelled' ? 'response.incomplete' : `response.${status}`, response);
    else this.fail(endedEarly('clean', 'a status that is final'));
  }

  #model(response: Json | undefined): void {
    const model = isJsonObject(response) ? response['model'] : undefined;
    if (typeof model === 'string' && model !== '') this.assembly.model(model);
  }

  /** Flat, nested, or, from some servers, with nothing but `error`. On a WebSocket it has its status and its hints. */
  #error({ error = null, message = null, code = null, status = null, headers = null }: JsonObject): void {
    this.fail(messageError({ error: error ?? { message, code }, status, headers }));
  }

  #begin(event: JsonObject, item: Json | undefined): OpenItem {
    this.#settleDoubtful(true);
    const words = isJsonObject(item) ? callWordsOf(item) : undefined;
    const call = isJsonObject(item) && words !== undefined ? this.#call(item, words) : undefined;
    const open: OpenItem = {
      ...(call === undefined ? {} : { call }),
      streamed: false,
      thought: false,
      refused: false,
    };
    this.assembly.part();
    this.#items.set(indexOf(event), open);
    return open;
  }

  #call({ call_id: id, name, namespace }: JsonObject, words: CallWords): PendingCall | undefined {
    this.#calls = true;
    if (typeof id === 'string' && typeof name === 'string' && id !== '' && name !== '')
      return this.assembly.call(id, name, {
        ...(words === callWords.custom && { custom: true }),
        ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
      });
    this.assembly.warn(`expected a call_id and a name in a ${words.type}; it is ignored`);
    return undefined;
  }

  #text(event: JsonObject, delta: Json | undefined): void {
    if (typeof delta !== 'string' || delta === '') return;
    const item = this.#items.get(indexOf(event));
    if (item !== undefined) item.streamed = true;
    this.assembly.text(delta);
  }

  #thought(event: JsonObject, delta: Json | undefined): void {
    if (typeof delta !== 'string' || delta === '') return;
    const item = this.#items.get(indexOf(event)) ?? this.#begin(event, undefined);
    item.streamed = true;
    if (!item.thought) this.assembly.thought();
    item.thought = true;
    this.assembly.think(delta);
  }

  #arguments(type: string, event: JsonObject, delta: Json | undefined): void {
    const call = this.#items.get(indexOf(event))?.call;
    if (call === undefined) this.assembly.warn(`${type} is ignored: no such call is open`);
    else if (typeof delta === 'string') this.assembly.input(call, delta);
  }

  /** Whole arguments must equal their pieces (LLM-S07); some servers send no pieces. */
  #same(item: OpenItem | undefined, text: Json | undefined): void {
    if (item?.call === undefined || typeof text !== 'string' || item.refused) return;
    const { call } = item;
    if (call.partial === '') this.assembly.input(call, text);
    else if (call.partial !== text) {
      item.refused = true;
      this.assembly.warn(
        `call ${excerpt(call.name)} is refused: expected the arguments that came in pieces; came ${excerpt(text)}`,
      );
    }
  }

  #itemDone(event: JsonObject, item: Json | undefined): void {
    if (!isJsonObject(item)) return;
    const open = this.#items.get(indexOf(event)) ?? this.#begin(event, item);
    this.#items.delete(indexOf(event));
    this.#kept.add(item);
    if (open.call !== undefined) this.#callDone(open, open.call, item);
    else if (item['type'] === 'message' && !open.streamed)
      this.#parts(item['content'], (t) => this.assembly.text(t));
    else if (item['type'] === 'reasoning') this.#reasoningDone(open, item);
    else if (unreadCalls.has(item['type'])) this.#unread(item);
  }

  protected override kept(response: LlmResponse): readonly JsonObject[] | undefined {
    return this.#kept.list(response);
  }

  /** The caller has to do something about such an item, and does not get to know what. */
  #unread({ type }: JsonObject): void {
    this.assembly.warn(
      `expected calls of functions and custom tools; came ${JSON.stringify(type)}, which is ignored`,
    );
  }

  #callDone(open: OpenItem, call: PendingCall, item: JsonObject): void {
    const { status } = item;
    this.#same(open, item[call.custom === true ? 'input' : 'arguments']);
    if (status === 'incomplete' || status === 'in_progress') this.assembly.cut(call);
    else if (call.custom === true && status !== 'completed' && !open.refused) this.#doubtful = call;
    else if (!open.refused && this.assembly.whole(call) === 'no-json') {
      this.assembly.cut(call);
      this.refuseCall(call);
    }
  }

  /** Decides about a call that no status called complete: the item that follows, or the end of the response, tells. */
  #settleDoubtful(isWhole: boolean): void {
    const call = this.#doubtful;
    this.#doubtful = undefined;
    if (call === undefined) return;
    if (isWhole) this.assembly.whole(call);
    else this.assembly.cut(call);
  }

  #reasoningDone(open: OpenItem, item: JsonObject): void {
    const { summary, content, encrypted_content: signature } = item;
    const think = (text: string): void => {
      if (!open.thought) this.assembly.thought();
      open.thought = true;
      this.assembly.think(text);
    };
    if (!open.streamed) {
      this.#parts(summary, think);
      this.#parts(content, think);
    }
    if (typeof signature !== 'string') return;
    think('');
    this.assembly.sign(signature);
  }

  /** The texts of parts that did not come in pieces. */
  #parts(parts: Json | undefined, take: (text: string) => void): void {
    if (!isArray(parts)) return;
    for (const part of parts) {
      if (!isJsonObject(part)) continue;
      if (part['type'] === 'refusal') this.#refusal = true;
      const text = part['text'] ?? part['refusal'];
      if (typeof text === 'string' && text !== '') take(text);
    }
  }

  #terminal(type: string, response: JsonObject): void {
    const { usage, error = null } = response;
    this.#model(response);
    if (isJsonObject(usage)) this.assembly.usage(readUsage(usage, responsesUsage));
    if (type === 'response.failed') return this.fail(readError(error ?? { message: 'the response failed' }));
    const stop = this.#stopOf(type, response);
    this.#settleDoubtful(stop === 'tool_use');
    this.settle();
    this.assembly.stop(stop);
    this.over = true;
  }

  /** When the event and its response differ, the one that runs fewer calls counts (LLM-C05). */
  #stopOf(type: string, { status = null, incomplete_details: details = null }: JsonObject): StopReason {
    const ending = typeof status === 'string' ? status : type.slice('response.'.length);
    if (type !== `response.${ending}` && ending !== 'cancelled')
      this.assembly.warn(`expected ${type} to say so itself; came the status ${excerpt(ending)}`);
    this.rawStop = ending;
    if (ending === 'cancelled') return 'cancelled';
    if (type === 'response.completed' && ending === 'completed') return this.#natural();
    const reason = isJsonObject(details) ? details['reason'] : undefined;
    const word = typeof reason === 'string' ? reason : ending;
    this.rawStop = word;
    const stop = reasonOf(word);
    if (stop === 'unknown') this.assembly.warn(`expected a reason of the API; came ${excerpt(word)}`);
    return stop;
  }

  #natural(): StopReason {
    if (this.#calls) return 'tool_use';
    return this.#refusal ? 'refusal' : 'end_turn';
  }

  /** Calls whose items were not done were cut. */
  protected override settle(): void {
    this.#settleDoubtful(false);
    for (const { call } of this.#items.values()) if (call !== undefined) this.assembly.cut(call);
    this.#items.clear();
  }
}

const callWordsOf = ({ type }: JsonObject): CallWords | undefined =>
  Object.values(callWords).find((words) => words.type === type);

/** `output_index`; events without one belong to one item. */
const indexOf = ({ output_index: index }: JsonObject): number => (typeof index === 'number' ? index : -1);
