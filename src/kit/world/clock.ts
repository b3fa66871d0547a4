/** A timer that can be called off. */
export interface Timer {
  /** Calls it off; without effect once it has run. */
  cancel(): void;
}

/** Time as an argument: Node's in the real world, virtual in the simulated one. */
export interface Clock {
  /** Milliseconds since this clock began; never falls. */
  now(): number;
  /** Calls `then` once, `ms` from now (0: after what is already due). */
  after(ms: number, then: () => void): Timer;
}
