/** Marks the delays of a busy machine in a trace, so that rules lengthen their time limits. */
import type { JsonObject } from '../base/index.ts';

/** A delay is marked when it has grown by this much (ms). */
const marked = 100;

export class DelayMarks {
  readonly #delay: () => number;
  readonly #mark: (data: JsonObject) => void;
  #before: number;

  /**
   * @param delay - how long a busy machine has held up the kit and the target so far (ms)
   * @param mark - puts a mark of the kit into the trace
   */
  constructor(delay: () => number, mark: (data: JsonObject) => void) {
    this.#delay = delay;
    this.#mark = mark;
    this.#before = delay();
  }

  /** Marks the delay since the last mark, unless it is small. */
  note(): void {
    const delay = this.#delay();
    const busy = Math.round(delay - this.#before);
    if (busy < marked) return;
    this.#before = delay;
    this.#mark({ busy });
  }
}
