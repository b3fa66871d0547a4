import type { Violation } from './violation.ts';

/**
 * A protocol session as one total function: every (state, input) pair is defined, and an input that is wrong
 * in a state yields violations, not an exception.
 *
 * The state is handed over: `step` may change it in place and return it, and the caller uses only the returned state.
 * `start` makes a fresh state, so the same inputs repeat a run.
 */
export interface Machine<S, I> {
  /** The state of a new session. */
  start(): S;
  /** The state after one more input, and the violations of that input. */
  step(state: S, input: I): { readonly state: S; readonly violations: readonly Violation[] };
}
