/** Long work in slices of time. Between two slices, timers, signals and other clients have their turn. */

/** The longest time of a slice (ms). A timer is late by no more than this, and one step of the work. */
const sliceTime = 10;

/**
 * Slices that several pieces of work share: each in its turn, one slice in a turn of the event loop.
 *
 * @example
 * const slices = new Slices();
 * let sum = 0;
 * for (let i = 0; i < 1000; i++) {
 *   if (slices.isOver) await slices.next();
 *   sum += i;
 * }
 * sum; // 499500
 */
export class Slices {
  readonly #waiting: (() => void)[] = [];
  #end = -Infinity;

  /** Whether the time of the slice is used up: the work must await the next one. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for the next slice. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#begin());
    });
  }

  /** One piece of work goes on. The others wait for a further turn: Node runs no timer between two immediates of one turn. */
  #begin(): void {
    this.#end = performance.now() + sliceTime;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#begin());
  }
}
