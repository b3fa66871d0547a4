/** How long scenarios wait for a target: less after waits in vain, and no more for an event that it has never sent. */
import type { Scenario } from '../base/index.ts';
import { VainWaits, neededEvents } from '../scenario/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';

/** A wait for an event that the target has never sent, after the first such wait (ms). */
const briefWait = 10_000;

/** The patience of a check with its target. */
export class Patience {
  readonly #timeouts: { readonly [name: string]: number };
  readonly #waits = new VainWaits();
  #shortened: { readonly [name: string]: number } = {};

  /** @param timeouts - the timeouts of the check (ms) */
  constructor(timeouts: { readonly [name: string]: number }) {
    this.#timeouts = timeouts;
  }

  /** The timeouts that are shorter than the check's (ms). */
  get shortened(): { readonly [name: string]: number } {
    return this.#shortened;
  }

  /** Notes the waits of a scenario. */
  note(played: ScenarioEnd): void {
    this.#waits.note(played);
    const { unmet, missing } = played;
    if (unmet === 'answer' || (unmet !== undefined && this.#waits.isVain(missing))) this.#shorten(unmet);
  }

  /** The reason why a scenario need not begin; undefined when it may begin. */
  reason({ steps }: Scenario): string | undefined {
    return this.#waits.reason(neededEvents(steps));
  }

  /** After one answer that did not come, the kit does not wait so long for others: the target may be dead. */
  #shorten(name: string): void {
    const brief = name === 'step' ? briefWait : (this.#timeouts['step'] ?? briefWait);
    const whole = this.#timeouts[name];
    if (whole !== undefined) this.#shortened = { ...this.#shortened, [name]: Math.min(brief, whole) };
  }
}
