/** The steps of a streamed interaction: each starts, grows and stops once, under an index of its own (LLM-S46). */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { at, items } from './reader.ts';
import { described } from './shape.ts';

/** The most steps of one answer that are kept. */
const stepsKept = 10_000;

/** The deltas of the steps that every SDK knows. Steps and deltas of other types are not judged. */
const deltasOf: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['model_output', ['text']],
  ['thought', ['thought_summary', 'thought_signature']],
  ['function_call', ['arguments_delta']],
]);

const knownDeltas: ReadonlySet<unknown> = new Set([...deltasOf.values()].flat());

/** A step that has begun. */
interface Step {
  readonly type: unknown;
  /** The key of its call. Two steps may wrongly have one index. */
  readonly key: string;
  /** The arguments in its start. They hold where no delta comes. */
  readonly given: unknown;
  open: boolean;
}

/** The texts of contents. */
export function addContents(answer: Answer, contents: unknown): void {
  for (const content of items(contents)) answer.addContent(at(content, 'text'));
}

export class InteractionSteps {
  readonly #answer: Answer;
  readonly #steps = new Map<number, Step>();
  #begun = 0;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  #violated(message: string): void {
    this.#answer.facts.violated('LLM-S46', message);
  }

  start(index: unknown, step: unknown): void {
    addContents(this.#answer, at(step, 'content'));
    addContents(this.#answer, at(step, 'summary'));
    const type = at(step, 'type');
    const begun: Step = { type, key: `call ${++this.#begun}`, given: at(step, 'arguments'), open: true };
    if (type === 'function_call') {
      this.identify(step, 'step');
      this.#answer.beginCall(begun.key);
    }
    if (typeof index !== 'number') return;
    const known = this.#steps.get(index);
    if (known !== undefined)
      this.#violated(`expected step.start with the index of a new step; came index ${index} again`);
    if (known !== undefined || this.#steps.size < stepsKept) this.#steps.set(index, begun);
    else this.#answer.facts.unknowable('LLM-S46', `more than ${stepsKept} steps are not kept`);
  }

  identify(step: unknown, path: string): void {
    this.#answer.identifyCall({
      id: { path: `${path}.id`, value: at(step, 'id') },
      name: { path: `${path}.name`, value: at(step, 'name') },
      idOwed: true,
    });
  }

  /** The open step of an index. */
  #openAt(index: unknown, event: string): Step | undefined {
    if (typeof index !== 'number') return undefined;
    const step = this.#steps.get(index);
    if (step?.open === true) return step;
    const came = step === undefined ? 'has not begun' : 'is over';
    this.#violated(
      `expected ${event} with the index of an open step; came index ${index}, and that step ${came}`,
    );
    return undefined;
  }

  delta(index: unknown, delta: unknown): void {
    this.#answer.addContent(at(delta, 'text'));
    this.#answer.addContent(at(delta, 'content', 'text'));
    const step = this.#openAt(index, 'step.delta');
    const type = at(delta, 'type');
    const own = deltasOf.get(step?.type);
    if (step !== undefined && own !== undefined && knownDeltas.has(type) && !own.includes(String(type)))
      this.#violated(`expected deltas of a ${String(step.type)} step; came ${shown(delta)}`);
    if (step === undefined || type !== 'arguments_delta') return;
    const given = at(delta, 'arguments');
    if (typeof given === 'string') this.#answer.addArguments(step.key, given);
    else if (given !== undefined)
      this.#answer.facts.violated(
        'LLM-S11',
        `expected delta.arguments of step.delta to be a string; ${described(given)}`,
      );
  }

  stop(index: unknown): void {
    const step = this.#openAt(index, 'step.stop');
    if (step === undefined) return;
    step.open = false;
    this.#answer.facts.exercised('LLM-S46');
    if (step.type !== 'function_call') return;
    const { key, given } = step;
    this.#answer.completeCall(key);
    if (this.#answer.argumentsOf(key).trim() === '')
      this.#answer.completeCall(key, JSON.stringify(isObject(given) ? given : {}));
  }

  /** The interaction is over. The step that a limit cut need not stop, as no source says so. */
  end(isLimit: boolean): void {
    const open = [...this.#steps].filter(([, step]) => step.open).map(([index]) => index);
    const last = Math.max(...this.#steps.keys());
    if (open.length > 0 && !(isLimit && open.every((index) => index === last)))
      this.#violated(
        `expected step.stop for every step before interaction.completed; the step of index ${open[0]} has none`,
      );
  }
}
