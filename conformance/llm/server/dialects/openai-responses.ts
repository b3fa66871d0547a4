/** Reads OpenAI Responses: their ends and their errors; sequence numbers, items and parts (LLM-S07) are in responses-items.ts. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerChecker, StopKind } from '../answer-checker.ts';
import { shown } from '../notes.ts';
import { at, items, there } from './reader.ts';
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
export const openaiResponsesReader: MakeReader = (account) => new ResponsesReader(account);

class ResponsesReader implements Reader {
  readonly #account: AnswerChecker;
  readonly #items: ItemReader;

  constructor(account: AnswerChecker) {
    this.#account = account;
    this.#items = new ItemReader(account);
  }

  unit(data: unknown, event: string | undefined): void {
    const { notes, ended } = this.#account;
    const type = at(data, 'type');
    if (typeof type !== 'string') return this.#untyped(data);
    if (event !== type)
      notes.broke('LLM-S01', `expected an event named ${type}, as its data has it; came ${shown(event)}`);
    if (ended !== undefined) return this.#account.late(type, terminals.has(type));
    this.#items.numbered(data);
    if (type === 'error' || type === 'response.failed') this.#account.failed(responsesError(data), true);
    else if (terminals.has(type)) this.#terminal(at(data, 'response'));
    else this.#items.take(type, data);
  }

  garbled(): void {
    this.#items.lose('an event could not be read');
  }

  #untyped(data: unknown): void {
    if (this.#account.ended !== undefined) this.#account.late(shown(data), false);
    else if (there(at(data, 'error'))) this.#account.failed(responsesError(data), true);
    else this.#account.notes.broke('LLM-S01', `expected an event whose data has a type; came ${shown(data)}`);
  }

  #terminal(response: unknown): void {
    this.#items.over();
    this.#account.notes.held('LLM-S07');
    this.#ends(response);
  }

  #ends(response: unknown): void {
    const usage = at(response, 'usage');
    if (there(usage))
      this.#account.counted({ input: at(usage, 'input_tokens'), output: at(usage, 'output_tokens') });
    const status = at(response, 'status');
    const reason = at(response, 'incomplete_details', 'reason');
    if (status === 'incomplete') this.#account.stops(reason, incomplete[String(reason)] ?? 'unknown');
    else this.#account.stops(status, status === 'completed' ? 'end' : 'unknown');
    this.#account.terminal();
  }

  whole(body: JsonObject): void {
    const { status, output } = body;
    for (const [i, item] of items(output).entries()) {
      for (const part of items(at(item, 'content'))) this.#account.said(at(part, 'text'));
      if (at(item, 'type') !== 'function_call') continue;
      const text = at(item, 'arguments');
      this.#account.argued(String(i), typeof text === 'string' ? text : '');
      if (at(item, 'status') === 'completed') this.#account.completed(String(i));
    }
    if (status === 'completed' || status === 'incomplete') this.#ends(body);
  }
}
