/**
 * The memory of bodies in flight: parts of requests and messages whose rest has not come. All servers of the process share
 * it. When it is full, the largest body is refused, so that small requests go on.
 */

/** The most bytes of all bodies in flight. */
export const bodiesInFlight: number = 48 << 20;

/** A body in flight. */
export interface Body {
  /** The bytes so far. */
  readonly size: number;
  /** Refuses the body, and drops its bytes. It is called once. */
  refuse(): void;
}

/** Bodies in flight and their bytes. */
export class Bodies {
  readonly #most: number;
  readonly #inFlight = new Set<Body>();
  readonly #refused = new WeakSet<Body>();
  #held = 0;

  constructor(most: number = bodiesInFlight) {
    this.#most = most;
  }

  /** Notes that this number of further bytes of a body came. May refuse a body. A refused body no longer counts. */
  grew(body: Body, bytes: number): void {
    if (this.#refused.has(body)) return;
    this.#inFlight.add(body);
    this.#held += bytes;
    while (this.#held > this.#most) {
      let largest = body;
      for (const other of this.#inFlight) if (other.size > largest.size) largest = other;
      this.done(largest);
      this.#refused.add(largest);
      largest.refuse();
    }
  }

  /** Notes that a body is complete, or gone. */
  done(body: Body): void {
    if (this.#inFlight.delete(body)) this.#held -= body.size;
  }
}

/** The bodies of this process. */
export const bodies: Bodies = new Bodies();
