import type { Violation } from './violation.ts';

/**
 * A protocol session as one total function: every (state, input) pair is defined, and an input that is wrong
 * in a state yields violations, not an exception.
 *
 * The state is handed over: `step` may change it in place and return it, and the caller goes on with the
 * returned one only. Fresh states come from `start`, so a run is repeated by feeding the same inputs again.
 */
export interface Machine<S, I> {
  /** A fresh state: a session in which nothing has happened. */
  start(): S;
  /** The state after one more input, and what was wrong with it. */
  step(state: S, input: I): { readonly state: S; readonly violations: readonly Violation[] };
}
