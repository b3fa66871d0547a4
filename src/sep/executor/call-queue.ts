/** Virtual time for a scripted run: calls in the order of their time; of the same time, in the order of their request. */
import type { Clock, Timer } from '../../kit/world/index.ts';

/** A call that is due later. */
interface LaterCall {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

const isBefore = (a: LaterCall, b: LaterCall): boolean => (a.at === b.at ? a.order < b.order : a.at < b.at);

/** A clock that moves only in {@link CallQueue.runNext}. A binary heap: a call costs the logarithm of those that wait. */
export class CallQueue implements Clock {
  /** No call is due before the one at half its position. The first position is not used. */
  readonly #heap: (LaterCall | undefined)[] = [undefined];
  #now = 0;
  #order = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Timer {
    const call: LaterCall = { at: this.#now + ms, order: this.#order++, run };
    let hole = this.#heap.push(call) - 1;
    for (let above = this.#heap[hole >> 1]; above !== undefined && isBefore(call, above);) {
      this.#heap[hole] = above;
      hole >>= 1;
      above = this.#heap[hole >> 1];
    }
    this.#heap[hole] = call;
    return { cancel: () => void (call.run = undefined) };
  }

  /** @returns whether there was a call left */
  runNext(): boolean {
    for (let call = this.#take(); call !== undefined; call = this.#take()) {
      if (call.run === undefined) continue;
      this.#now = call.at;
      call.run();
      return true;
    }
    return false;
  }

  /** Removes the first call. */
  #take(): LaterCall | undefined {
    const heap = this.#heap;
    const first = heap[1];
    const last = heap.length > 1 ? heap.pop() : undefined;
    if (last === undefined || last === first) return first;
    let hole = 1;
    for (let next = this.#firstOf(2, 3); next > 0; next = this.#firstOf(2 * hole, 2 * hole + 1)) {
      const call = heap[next];
      if (call === undefined || isBefore(last, call)) break;
      heap[hole] = call;
      hole = next;
    }
    heap[hole] = last;
    return first;
  }

  /** Which of two positions has the earlier call; 0: neither has one. */
  #firstOf(left: number, right: number): number {
    const [a, b] = [this.#heap[left], this.#heap[right]];
    if (a === undefined) return 0;
    return b !== undefined && isBefore(b, a) ? right : left;
  }
}
