/**
 * Reads the ends and errors of OpenAI Responses: LLM-S21 (first event, output), LLM-S22 (status), LLM-S33 ([DONE]).
 * responses-items.ts reads sequence numbers, items and parts (LLM-S07), and their ids and indices (LLM-S21).
 */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { callIdentity, responsesCall } from './responses-calls.ts';
import { ItemReader } from './responses-items.ts';
import { responsesBody, responsesItem, responsesPart, responsesShapes } from './responses-shapes.ts';
import { judgeShape } from './shape.ts';

const terminals: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** Statuses of a response that is not over. */
const unfinished: ReadonlySet<unknown> = new Set(['queued', 'in_progress', 'cancelled']);

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
  #begun = false;
  /** Whether an event `error` came. OpenAI sends response.failed after it: one end in two events. */
  #erred = false;

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
    if (ended !== undefined) return this.#afterEnd(type, data);
    this.#items.numbered(data);
    this.#erred = type === 'error';
    if (type === 'error' || type === 'response.failed')
      return this.#answer.endWithError(responsesError(data), true);
    this.#first(type);
    for (const shape of responsesShapes(type, data)) judgeShape(this.#answer, data, shape, type);
    if (terminals.has(type)) this.#terminal(type, at(data, 'response'));
    else this.#items.take(type, data);
  }

  #afterEnd(type: string, data: unknown): void {
    if (type !== 'response.failed' || !this.#erred)
      return this.#answer.addLateEvent(type, terminals.has(type));
    this.#erred = false;
    this.#items.numbered(data);
  }

  #first(type: string): void {
    if (!this.#begun && type !== 'response.created')
      this.#answer.facts.violated('LLM-S21', `expected response.created as the first event; came ${type}`);
    this.#begun = true;
  }

  garbled(): void {
    this.#items.lose('an event could not be read');
  }

  #untyped(data: unknown): void {
    if (data === '[DONE]' && this.#answer.ended !== undefined)
      return this.#answer.facts.violated(
        'LLM-S33',
        'expected the stream to end with its last event; came data: [DONE], which only Chat Completions has',
      );
    if (this.#answer.ended !== undefined) this.#answer.addLateEvent(shown(data), false);
    else if (isPresent(at(data, 'error'))) this.#answer.endWithError(responsesError(data), true);
    else
      this.#answer.facts.violated('LLM-S01', `expected an event whose data has a type; came ${shown(data)}`);
  }

  #terminal(type: string, response: unknown): void {
    const { facts } = this.#answer;
    this.#items.over();
    facts.exercised('LLM-S07');
    this.#items.judgeOutput(type, at(response, 'output'));
    facts.exercised('LLM-S21');
    const [status, expected] = [at(response, 'status'), type.replace('response.', '')];
    if (status !== expected)
      facts.violated(
        'LLM-S22',
        `expected response.status to be ${shown(expected)} in ${type}; came ${shown(status)}`,
      );
    facts.exercised('LLM-S22');
    // Open Responses has [DONE]: LLM-S60.
    if (!this.#answer.followsOpenResponses) facts.exercised('LLM-S33');
    this.#ends(response, status === expected);
  }

  /** @param agrees - whether the status is that of the event. LLM-S22 judges another one. */
  #ends(response: unknown, agrees = true): void {
    const usage = at(response, 'usage');
    if (isPresent(usage))
      this.#answer.addCounts({
        input: at(usage, 'input_tokens'),
        output: at(usage, 'output_tokens'),
        total: at(usage, 'total_tokens'),
      });
    const status = at(response, 'status');
    const reason = at(response, 'incomplete_details', 'reason');
    if (status === 'incomplete')
      this.#answer.setStop(reason, entryOf(incomplete, String(reason)) ?? 'unknown');
    else if (agrees) this.#answer.setStop(status, status === 'completed' ? 'end' : 'unknown');
    else this.#answer.setStop(status, 'other');
    this.#answer.endWithTerminal();
  }

  /** The end of a whole response. Without a known status it is an answer all the same: SDKs do not read the status. */
  #wholeEnds(body: JsonObject, status: unknown): void {
    if (unfinished.has(status)) return;
    if (status === 'failed' || isPresent(body['error']))
      return this.#answer.endWithError(responsesError({ type: 'response.failed', response: body }), true);
    const known = status === 'completed' || status === 'incomplete';
    if (!known)
      this.#answer.facts.violated(
        'LLM-S22',
        `expected status to be "completed", "incomplete" or "failed"; came ${shown(status)}`,
      );
    this.#ends(body, known);
  }

  whole(body: JsonObject): void {
    const { status, output } = body;
    judgeShape(this.#answer, body, responsesBody);
    for (const [i, item] of items(output).entries()) {
      const path = `output[${i}]`;
      judgeShape(this.#answer, item, responsesItem(item), undefined, path);
      for (const [n, part] of items(at(item, 'content')).entries()) {
        judgeShape(this.#answer, part, responsesPart(part), undefined, `${path}.content[${n}]`);
        this.#answer.addContent(at(part, 'text'));
      }
      const call = responsesCall(item);
      if (call === undefined) continue;
      this.#answer.identifyCall(callIdentity(item, path));
      this.#answer.beginCall(String(i), call.custom);
      this.#answer.addArguments(String(i), textOf(call.text));
      if (call.complete) this.#answer.completeCall(String(i));
    }
    this.#wholeEnds(body, status);
  }
}
