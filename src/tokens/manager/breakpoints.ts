/** Breakpoints: shares of the context window at which something is to be done, once as usage rises (TOK-32). */
import type { TokenEvent } from './events.ts';

/** The shares at which breakpoints are (TOK-32). */
export const BREAKPOINTS: readonly number[] = [0.6, 0.9];

/** What fired, and the breakpoints after it. */
export interface BreakpointStep {
  readonly breakpoints: Breakpoints;
  readonly events: readonly Extract<TokenEvent, { type: 'breakpoint' }>[];
}

/**
 * Breakpoints of which some have fired. Each fires once per ascent; all are armed again when the ratio falls strictly
 * below the lowest.
 *
 * @example
 * const { breakpoints, events } = new Breakpoints().observe(0.7);
 * events.map(({ at }) => at); // [0.6]
 * breakpoints.observe(0.95).events.map(({ at }) => at); // [0.9]
 * breakpoints.observe(0.65).events; // []
 */
export class Breakpoints {
  readonly #shares: readonly number[];
  readonly #fired: ReadonlySet<number>;

  constructor(shares: readonly number[] = BREAKPOINTS, fired: ReadonlySet<number> = new Set()) {
    this.#shares = shares.toSorted((a, b) => a - b);
    this.#fired = fired;
  }

  /** The breakpoints after a ratio was seen; the one it was asked of stays as it is. */
  observe(ratio: number): BreakpointStep {
    const [lowest = Infinity] = this.#shares;
    if (ratio < lowest) return { breakpoints: new Breakpoints(this.#shares), events: [] };
    const reached = this.#shares.filter((at) => ratio >= at && !this.#fired.has(at));
    return {
      breakpoints: new Breakpoints(this.#shares, new Set([...this.#fired, ...reached])),
      events: reached.map((at) => ({ type: 'breakpoint', at, ratio })),
    };
  }
}
