/**
 * Reads answers of OpenAI Responses by the Open Responses specification (2026-04-24): the end of a stream (LLM-S60), ids of events
 * (LLM-S61) and responses that are continued (LLM-S65). open-items.ts reads items, types and calls.
 */
import { forgetOldest } from '../../../../src/kit/judge/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { OpenItems } from './open-items.ts';
import { openaiResponsesReader } from './openai-responses.ts';
import { at, items } from './reader.ts';
import type { Reader } from './reader.ts';

/** The most stored responses that are known. */
const storedKept = 64;

/**
 * Reads one answer.
 *
 * @param stored - the ids of responses that the server was asked to store, and answered; it adds this one
 */
export function openResponsesReader(answer: Answer, stored: Set<string>): Reader {
  answer.followsOpenResponses = true;
  return new OpenResponsesReader(answer, stored);
}

class OpenResponsesReader implements Reader {
  readonly #answer: Answer;
  readonly #stored: Set<string>;
  readonly #inner: Reader;
  readonly #items: OpenItems;
  /** The last event. */
  #last: unknown;

  constructor(answer: Answer, stored: Set<string>) {
    this.#answer = answer;
    this.#stored = stored;
    this.#inner = openaiResponsesReader(answer);
    this.#items = new OpenItems(answer);
  }

  unit(data: unknown, event: string | undefined, id: string | undefined): void {
    this.#last = data;
    const { facts, ended } = this.#answer;
    if (id !== undefined)
      facts.violated('LLM-S61', `expected an event without the SSE field id; came id: ${shown(id)}`);
    if (data === '[DONE]') return;
    this.#inner.unit(data, event);
    if (ended !== undefined) return;
    this.#items.take(data);
    if (this.#answer.ended !== 'terminal') return;
    facts.exercised('LLM-S61');
    this.#answered(at(data, 'response'));
  }

  /** The end of a stream without a terminal is LLM-S02's. */
  streamEnded(): void {
    const { facts, ended } = this.#answer;
    if (ended === undefined) return;
    if (this.#last === '[DONE]') facts.exercised('LLM-S60');
    else facts.violated('LLM-S60', `expected data: [DONE] as the last event; came ${shown(this.#last)}`);
  }

  whole(body: JsonObject): void {
    this.#inner.whole(body);
    if (this.#answer.ended !== 'terminal') return;
    this.#items.whole(items(body['output']), body['status']);
    this.#answered(body);
  }

  garbled(): void {
    this.#inner.garbled?.();
  }

  /** A response that the server stored is known to it. */
  refused(status: number, body: unknown): void {
    const previous = this.#continued();
    if (previous !== undefined)
      this.#answer.facts.violated(
        'LLM-S65',
        `expected the request with previous_response_id ${shown(previous)}, of a response that the server was asked to store, to be answered; came ${status} ${shown(body)}`,
      );
  }

  /** The stored response that the request continues. */
  #continued(): string | undefined {
    const previous = at(this.#answer.asked, 'previous_response_id');
    return typeof previous === 'string' && this.#stored.has(previous) ? previous : undefined;
  }

  #answered(response: unknown): void {
    if (this.#continued() !== undefined) this.#answer.facts.exercised('LLM-S65');
    const id = at(response, 'id');
    if (at(this.#answer.asked, 'store') !== true || typeof id !== 'string') return;
    this.#stored.add(id);
    forgetOldest(this.#stored, storedKept);
  }
}
