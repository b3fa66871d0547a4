/** Reads an answer of the Responses API, event by event or whole. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import { reasonOf } from '../../dialects/openai-responses/status.ts';
import { readUsage, responsesUsage } from '../../dialects/openai/usage.ts';
import { openaiError, urlCitation } from './openai.ts';
import type { AnswerPiece, AnswerReader, AnswerUnit } from './piece.ts';
import { objectIn, startPiece, textIn, textPiece, usagePiece, wordIn } from './reading.ts';

/** What came of an item before it was done: what its end repeats is not read again. */
interface Item {
  readonly call?: number;
  hasText: boolean;
  hasThought: boolean;
  hasCitations: boolean;
}

const terminals = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
]);

class EventReader implements AnswerReader {
  /** By `output_index`. */
  readonly #items = new Map<Json | undefined, Item>();
  #count = 0;
  #started = false;
  #refused = false;

  unit({ data }: AnswerUnit): readonly AnswerPiece[] {
    if (!isObject(data)) return [];
    const { type, output_index: at } = data;
    if (typeof type === 'string' && terminals.has(type)) return this.#ended(objectIn(data, 'response'), type);
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
        return this.#start(objectIn(data, 'response'));
      case 'response.output_item.added':
        return this.#added(at, objectIn(data, 'item'));
      case 'response.output_item.done':
        return this.#done(at, objectIn(data, 'item'));
      case 'error':
        return [{ do: 'error', error: openaiError(data['error'] ?? data) }];
      default:
        return this.#delta(data);
    }
  }

  whole(body: Json): readonly AnswerPiece[] {
    if (!isObject(body)) return [];
    if (isObject(body['error']) && body['object'] !== 'response')
      return [{ do: 'error', error: openaiError(body['error']) }];
    const output = isArray(body['output']) ? body['output'] : [];
    const items = output.flatMap((item, i) => (isObject(item) ? this.#done(i, item) : []));
    const ended = textIn(body, 'status') === undefined ? [] : this.#ended(body, '');
    return [...this.#start(body), ...items, ...ended];
  }

  #start(response: JsonObject): readonly AnswerPiece[] {
    if (this.#started) return [];
    this.#started = true;
    return [startPiece(wordIn(response, 'id'), wordIn(response, 'model'))];
  }

  #delta({ type, output_index: at, delta, annotation, arguments: text }: JsonObject): readonly AnswerPiece[] {
    switch (type) {
      case 'response.output_text.delta':
        return this.#came(at, 'hasText', textPiece('text', delta));
      case 'response.refusal.delta':
        return this.#came(at, 'hasText', this.#refusal(delta));
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
      case 'response.reasoning.delta':
        return this.#came(at, 'hasThought', textPiece('thought', delta));
      case 'response.output_text.annotation.added':
        return this.#came(at, 'hasCitations', urlCitation(annotation));
      case 'response.function_call_arguments.delta':
        return this.#arguments(at, delta);
      case 'response.function_call_arguments.done':
        return this.#items.get(at)?.hasText === true ? [] : this.#arguments(at, text);
      default:
        return [];
    }
  }

  #came(
    at: Json | undefined,
    what: 'hasText' | 'hasThought' | 'hasCitations',
    pieces: readonly AnswerPiece[],
  ): readonly AnswerPiece[] {
    const item = this.#items.get(at);
    if (item !== undefined && pieces.length > 0) item[what] = true;
    return pieces;
  }

  #refusal(text: Json | undefined): readonly AnswerPiece[] {
    this.#refused = true;
    return textPiece('refusal', text);
  }

  #arguments(at: Json | undefined, text: Json | undefined): readonly AnswerPiece[] {
    const item = this.#items.get(at);
    if (item?.call === undefined || typeof text !== 'string' || text === '') return [];
    item.hasText = true;
    return [{ do: 'arguments', call: item.call, text }];
  }

  #added(at: Json | undefined, item: JsonObject): readonly AnswerPiece[] {
    const isCall = item['type'] === 'function_call';
    const call = isCall ? this.#count++ : undefined;
    const kept = { hasText: false, hasThought: false, hasCitations: false };
    this.#items.set(at, call === undefined ? kept : { call, ...kept });
    if (call === undefined) return [{ do: 'border' }];
    const id = wordIn(item, 'call_id');
    return [{ do: 'call', call, ...(id === undefined ? {} : { id }), name: textIn(item, 'name') ?? '' }];
  }

  #done(at: Json | undefined, item: JsonObject): readonly AnswerPiece[] {
    const added = this.#items.has(at) ? [] : this.#added(at, item);
    const state = this.#items.get(at);
    if (state === undefined) return added;
    const { call } = state;
    const rest = call === undefined ? this.#parts(state, item) : this.#callDone(at, state, call, item);
    this.#items.delete(at);
    return [...added, ...rest];
  }

  #callDone(at: Json | undefined, { hasText }: Item, call: number, item: JsonObject): readonly AnswerPiece[] {
    const text = hasText ? [] : this.#arguments(at, item['arguments']);
    return item['status'] === 'incomplete' ? text : [...text, { do: 'call_end', call }];
  }

  /** The parts of a message or a thought that came in no delta. */
  #parts({ hasText, hasThought, hasCitations }: Item, item: JsonObject): readonly AnswerPiece[] {
    const { summary, content, encrypted_content: signature } = item;
    const parts = (list: Json | undefined): readonly JsonObject[] =>
      isArray(list) ? list.filter((part) => isObject(part)) : [];
    if (item['type'] === 'reasoning') {
      const texts = hasThought ? [] : [...parts(summary), ...parts(content)];
      const thoughts = texts.flatMap(({ text }) => textPiece('thought', text));
      return [...thoughts, ...signed(signature, hasThought || thoughts.length > 0)];
    }
    if (item['type'] !== 'message') return [];
    return parts(content).flatMap((part) => [
      ...(hasText ? [] : [...textPiece('text', part['text']), ...this.#refusalPart(part)]),
      ...(hasCitations ? [] : parts(part['annotations']).flatMap(urlCitation)),
    ]);
  }

  #refusalPart(part: JsonObject): readonly AnswerPiece[] {
    return part['type'] === 'refusal' ? this.#refusal(part['refusal']) : [];
  }

  #ended(response: JsonObject, type: string): readonly AnswerPiece[] {
    const { usage, error = null } = response;
    const status = textIn(response, 'status') ?? type.slice('response.'.length);
    const counts =
      isObject(usage) && typeof usage['input_tokens'] === 'number'
        ? usagePiece({ ...readUsage(usage, responsesUsage) })
        : [];
    if (status === 'failed')
      return [...counts, { do: 'error', error: openaiError(error ?? { message: 'the response failed' }) }];
    const word = wordIn(objectIn(response, 'incomplete_details'), 'reason') ?? status;
    return [...counts, { do: 'stop', reason: this.#reasonOf(status, word), word }, { do: 'terminal' }];
  }

  /** The API has no word for tool use: a call is an item. */
  #reasonOf(status: string, word: string): StopReason {
    if (status === 'incomplete') return reasonOf(word);
    if (status !== 'completed') return status === 'cancelled' ? 'cancelled' : 'unknown';
    if (this.#count > 0) return 'tool_use';
    return this.#refused ? 'refusal' : 'end_turn';
  }
}

/** The encrypted text of a thought: its signature, or all that is shown of it. */
const signed = (signature: Json | undefined, hasText: boolean): readonly AnswerPiece[] => {
  if (typeof signature !== 'string' || signature === '') return [];
  return [hasText ? { do: 'signature', signature } : { do: 'redacted', data: signature }];
};

/** Reads one answer. */
export const responsesAnswer = (): AnswerReader => new EventReader();
