/**
 * The steps of an answer as the next request has them. A client keeps them where some of them are the provider's own, such as
 * calls of its tools: "manage conversation history on the client by passing all previous turns (including intermediate model
 * thoughts and tool steps)" (Gemini API: Interactions, stateless conversations).
 */
import type { JsonObject, ToolCall } from '../../../kit/base/index.ts';
import { textIn } from '../shared/body-reader.ts';
import { callStep, textStep, thoughtStep } from './steps.ts';

/** A step whose content is coming. */
export class KeptStep {
  /** Its text or its summary. */
  text = '';
  signature = '';
  readonly #start: JsonObject;
  #more: JsonObject = {};

  constructor(start: JsonObject) {
    this.#start = start;
  }

  get isOwn(): boolean {
    return !neutral.has(this.#start['type']);
  }

  /** Takes a delta of a step of the provider's own: its members are final values. */
  take(delta: JsonObject): void {
    const { type: _, ...values } = delta;
    this.#more = { ...this.#more, ...values };
  }

  /** The whole step; undefined for one that no request may have: an empty text, a call that was refused or cut. */
  form(calls: readonly ToolCall[]): JsonObject | undefined {
    const { type, id } = this.#start;
    switch (type) {
      case 'model_output':
        return this.text === '' ? undefined : textStep('model_output', this.text);
      case 'thought':
        return thoughtStep({ text: this.text, ...(this.signature !== '' && { signature: this.signature }) });
      case 'function_call': {
        const call = calls.find((one) => one.id === textIn(id));
        return call && callStep(call);
      }
      default:
        return { ...this.#start, ...this.#more };
    }
  }
}

/** The steps that the neutral words of a message can say. */
const neutral: ReadonlySet<unknown> = new Set(['model_output', 'thought', 'function_call']);

/** The forms of steps; undefined where the neutral words say them all. */
export const keptForms = (
  steps: readonly KeptStep[],
  calls: readonly ToolCall[],
): readonly JsonObject[] | undefined =>
  steps.some(({ isOwn }) => isOwn)
    ? steps.map((step) => step.form(calls)).filter((form) => form !== undefined)
    : undefined;
