/** Breakpoints: shares of the context window that fire once as usage rises (TOK-32). */
import type { TokenEvent } from './events.ts';

/** The default breakpoints (TOK-32). */
export const BREAKPOINTS: readonly number[] = [0.6, 0.9];

/** The result of an observation: the breakpoints after it, and those that fired. */
export interface BreakpointStep {
  readonly breakpoints: Breakpoints;
  readonly events: readonly Extract<TokenEvent, { type: 'breakpoint' }>[];
}

/**
 * Breakpoints, some of which have fired. Each fires once; a ratio strictly below the lowest breakpoint resets all of
 * them.
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

  /** Observes a ratio. It does not change this object. */
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
