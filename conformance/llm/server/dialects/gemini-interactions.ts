/**
 * Reads the answers of Gemini's Interactions API: LLM-S46 (the order of events, and the steps). `interaction.completed` is the
 * terminal; `[DONE]` may follow it. "Gemini API: Streaming interactions".
 */
import { entryOf, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { interactionsBody, interactionsShape } from './gemini-interactions-shapes.ts';
import { InteractionSteps, addContents } from './gemini-interactions-steps.ts';
import { at, isPresent, items } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { judgeShape } from './shape.ts';

/** `InteractionStatus` of @google/genai. */
const kinds: { readonly [word: string]: StopKind } = {
  completed: 'end',
  requires_action: 'tool',
  incomplete: 'limit',
  budget_exceeded: 'other',
  requires_continuation: 'other',
  cancelled: 'other',
  failed: 'other',
};

const terminal = 'interaction.completed';

/** `{"error":{"code", "message"}}`, before a stream and in it. */
export const interactionsError: ErrorForm = (data) =>
  typeof at(data, 'error', 'message') === 'string'
    ? undefined
    : `expected an error as {"error": {"code", "message"}}; came ${shown(data)}`;

export const interactionsReader: MakeReader = (answer) => new InteractionReader(answer);

class InteractionReader implements Reader {
  readonly #answer: Answer;
  readonly #steps: InteractionSteps;
  #created = false;
  #isDone = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#steps = new InteractionSteps(answer);
  }

  unit(data: unknown, event = ''): void {
    const { ended, facts } = this.#answer;
    if (data === '[DONE]' && !this.#isDone) return void (this.#isDone = true);
    const type = textOf(at(data, 'event_type')) || event;
    if (ended !== undefined || this.#isDone)
      return this.#answer.addLateEvent(type || shown(data), type === terminal);
    if (type === 'error') return this.#answer.endWithError(interactionsError(data), true);
    if (!isObject(data))
      return facts.violated('LLM-S01', `expected an event as an object; came ${shown(data)}`);
    this.#first(type);
    judgeShape(this.#answer, data, interactionsShape(type), type);
    this.#counts(at(data, 'metadata', 'total_usage'));
    this.#take(type, data);
  }

  #first(type: string): void {
    const { facts } = this.#answer;
    const isCreated = type === 'interaction.created';
    if (!this.#created && !isCreated)
      facts.violated('LLM-S46', `expected interaction.created first; came ${shown(type)}`);
    if (this.#created && isCreated)
      facts.violated('LLM-S46', 'expected one interaction.created; came another');
    this.#created = true;
  }

  #take(type: string, data: unknown): void {
    switch (type) {
      case 'step.start':
        return this.#steps.start(at(data, 'index'), at(data, 'step'));
      case 'step.delta':
        return this.#steps.delta(at(data, 'index'), at(data, 'delta'));
      case 'step.stop':
        return this.#steps.stop(at(data, 'index'));
      case 'interaction.created':
        return this.#counts(at(data, 'interaction', 'usage'));
      case 'interaction.status_update':
        return this.#counts(at(data, 'usage'));
      case terminal:
        this.#counts(at(data, 'interaction', 'usage'));
        return this.#completed(at(data, 'interaction', 'status'));
      default:
    }
  }

  #completed(status: unknown): void {
    if (typeof status === 'string') this.#answer.setStop(status, entryOf(kinds, status) ?? 'unknown');
    this.#steps.end(this.#answer.stop?.kind === 'limit');
    this.#answer.endWithTerminal();
  }

  /** Counts are those of the whole interaction. Output does not include thoughts. */
  #counts(usage: unknown): void {
    const [input, output, thoughts] = ['input', 'output', 'thought'].map((name) =>
      at(usage, `total_${name}_tokens`),
    );
    if (isPresent(input)) this.#answer.addCounts({ input });
    if (!isPresent(output)) return;
    const sum = typeof output === 'number' && typeof thoughts === 'number' ? output + thoughts : output;
    this.#answer.addCounts({ output: sum });
  }

  whole(body: JsonObject): void {
    const { status, usage } = body;
    judgeShape(this.#answer, body, interactionsBody);
    this.#counts(usage);
    for (const [i, step] of items(body['steps']).entries()) this.#wholeStep(step, i);
    if (typeof status !== 'string') return;
    this.#answer.setStop(status, entryOf(kinds, status) ?? 'unknown');
    this.#answer.endWithTerminal();
  }

  #wholeStep(step: unknown, i: number): void {
    addContents(this.#answer, at(step, 'content'));
    addContents(this.#answer, at(step, 'summary'));
    if (at(step, 'type') !== 'function_call') return;
    this.#steps.identify(step, `steps[${i}]`);
    this.#answer.completeCall(String(i), JSON.stringify(at(step, 'arguments') ?? null));
  }
}
