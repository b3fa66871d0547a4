/**
 * Reads the ends and errors of OpenAI Responses. responses-items.ts reads sequence numbers, items and parts (LLM-S07).
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer, StopKind } from '../answer.ts';
import { shown } from '../answer.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { ItemReader } from './responses-items.ts';

const terminals: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

const incomplete: { readonly [word: string]: StopKind } = {
  max_output_tokens: 'limit',
  content_filter: 'other',
};

/** An `error` event, flat or nested, or `response.failed` with `response.error` (README.md). */
export const responsesError: ErrorForm = (data) => {
  const type = at(data, 'type');
  if (type !== 'error' && type !== 'response.failed')
    return `expected an event error or response.failed; came ${shown(data)}`;
  const places = [['message'], ['error', 'message'], ['response', 'error', 'message']];
  return places.some((path) => typeof at(data, ...path) === 'string')
    ? undefined
    : `expected an error with a message; came ${shown(data)}`;
};

/** Reads one answer of OpenAI Responses. */
export const openaiResponsesReader: MakeReader = (answer) => new ResponsesReader(answer);

class ResponsesReader implements Reader {
  readonly #answer: Answer;
  readonly #items: ItemReader;
  /** Whether the answer has just ended with an `error` event. OpenAI sends `response.failed` behind it: both are one end. */
  #failing = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#items = new ItemReader(answer);
  }

  unit(data: unknown, event: string | undefined): void {
    const { facts, ended } = this.#answer;
    const type = at(data, 'type');
    if (typeof type !== 'string') return this.#untyped(data);
    if (event !== type)
      facts.violated(
        'LLM-S01',
        `expected an event named ${type}, the type in its data; came ${shown(event)}`,
      );
    const isSameEnd = this.#failing && type === 'response.failed';
    this.#failing = ended === undefined && type === 'error';
    if (isSameEnd) return this.#items.numbered(data);
    if (ended !== undefined) return this.#answer.addLateEvent(type, terminals.has(type));
    this.#items.numbered(data);
    if (type === 'error' || type === 'response.failed') this.#answer.endWithError(responsesError(data), true);
    else if (terminals.has(type)) this.#terminal(at(data, 'response'));
    else this.#items.take(type, data);
  }

  garbled(): void {
    this.#items.lose('an event could not be read');
  }

  #untyped(data: unknown): void {
    if (this.#answer.ended !== undefined) this.#answer.addLateEvent(shown(data), false);
    else if (isPresent(at(data, 'error'))) this.#answer.endWithError(responsesError(data), true);
    else
      this.#answer.facts.violated('LLM-S01', `expected an event whose data has a type; came ${shown(data)}`);
  }

  #terminal(response: unknown): void {
    this.#items.over();
    this.#answer.facts.exercised('LLM-S07');
    this.#ends(response);
  }

  #ends(response: unknown): void {
    const usage = at(response, 'usage');
    if (isPresent(usage))
      this.#answer.addCounts({ input: at(usage, 'input_tokens'), output: at(usage, 'output_tokens') });
    const status = at(response, 'status');
    const reason = at(response, 'incomplete_details', 'reason');
    if (status === 'incomplete') this.#answer.setStop(reason, incomplete[String(reason)] ?? 'unknown');
    else this.#answer.setStop(status, status === 'completed' ? 'end' : 'unknown');
    this.#answer.endWithTerminal();
  }

  whole(body: JsonObject): void {
    const { status, output } = body;
    for (const [i, item] of items(output).entries()) {
      for (const part of items(at(item, 'content'))) this.#answer.addContent(at(part, 'text'));
      if (at(item, 'type') !== 'function_call') continue;
      const text = at(item, 'arguments');
      this.#answer.addArguments(String(i), typeof text === 'string' ? text : '');
      if (at(item, 'status') === 'completed') this.#answer.completeCall(String(i));
    }
    if (status === 'completed' || status === 'incomplete') this.#ends(body);
  }
}
