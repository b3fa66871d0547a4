/** Virtual time: a queue of calls, run in order of their time, then of their request. A timeout takes no real time. */
import type { Clock, Timer } from './clock.ts';

interface ScheduledCall {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

const before = (a: ScheduledCall, b: ScheduledCall): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** A clock that moves only in {@link VirtualClock.run}. */
export class VirtualClock implements Clock {
  #now = 0;
  #scheduled = 0;
  readonly #heap: ScheduledCall[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Timer {
    const due: ScheduledCall = { at: this.#now + Math.max(0, ms), order: this.#scheduled++, run };
    this.#push(due);
    return { cancel: () => void (due.run = undefined) };
  }

  /**
   * Runs calls in order until `until()` is true, no call is left, or `steps` calls have run.
   *
   * @returns whether `until()` is true
   */
  run(until: () => boolean, steps: number = 1_000_000): boolean {
    for (let i = 0; i < steps && !until();) {
      const due = this.#pop();
      if (due === undefined) return until();
      if (due.run === undefined) continue;
      this.#now = due.at;
      due.run();
      i++;
    }
    return until();
  }

  #push(due: ScheduledCall): void {
    const heap = this.#heap;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(due, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = due;
  }

  #pop(): ScheduledCall | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      let least = left;
      if (right !== undefined && before(right, left)) {
        least = right;
        child++;
      }
      if (!before(least, last)) break;
      heap[i] = least;
      i = child;
    }
    heap[i] = last;
    return top;
  }
}
