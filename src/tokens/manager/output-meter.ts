/** Estimates the tokens of a response while it streams (the plan's "Early detection of approaching token limits"). */
import { UNITS_PER_TOKEN } from './estimate.ts';
import type { TokenWarning } from './events.ts';

/** The options of a meter. */
export interface OutputMeterOptions {
  /** The most tokens of the response: the output limit, or what the window leaves, whichever is less. */
  readonly limit: number;
  /** The limit is near from this share of it, 0 to 1; default 0.8. */
  readonly threshold?: number;
}

/**
 * The meter of one response.
 *
 * @example
 * const meter = new OutputMeter({ limit: 10 });
 * meter.add('twenty units of text'); // undefined
 * meter.add('and sixteen more'); // { code: 'near-output-limit', percent: 90 }
 */
export class OutputMeter {
  readonly #limit: number;
  readonly #threshold: number;
  #units = 0;
  #warned = false;

  constructor({ limit, threshold = 0.8 }: OutputMeterOptions) {
    this.#limit = limit;
    this.#threshold = threshold;
  }

  /** The tokens so far, as estimated. */
  get tokens(): number {
    return Math.ceil(this.#units / UNITS_PER_TOKEN);
  }

  /** Adds a part of the response. Returns the warning at the part that reaches the threshold, once a response. */
  add(part: string): TokenWarning | undefined {
    this.#units += part.length;
    if (this.#warned || this.tokens < this.#threshold * this.#limit) return undefined;
    this.#warned = true;
    const share = this.tokens / Math.max(1, this.#limit);
    return { code: 'near-output-limit', percent: Math.round(share * 100) };
  }
}
