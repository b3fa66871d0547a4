/** Time as an argument. */

/** A timer that can be cancelled. */
export interface Timer {
  /** Cancels it; without effect once it has run. */
  cancel(): void;
}

/** A clock: Node's in the real world, virtual in the simulated one. */
export interface Clock {
  /** Milliseconds since this clock began; never decreases. */
  now(): number;
  /** Calls `then` once, `ms` milliseconds from now; with 0, after all calls that are already due. */
  after(ms: number, then: () => void): Timer;
}
