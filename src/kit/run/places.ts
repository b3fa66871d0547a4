/**
 * The places for scenarios that are played at the same time. A busy machine has fewer: many programs that share few
 * processors hold each other up until their answers are late. A quiet machine has all of them.
 */

/** How often the number of places changes (ms). */
export const placesPeriod = 1000;
/** A machine is busy when it holds up the run for more than this part of a period. */
const busyPart = 0.5;
/** A machine is quiet when it holds up the run for less than this part of a period. */
const quietPart = 0.25;
/** The fewest places: one scenario may wait for a long time while another one is played. */
const fewest = 2;
/** How many places a quiet period adds. */
const more = 2;

export class Places {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #open: number;
  #taken = 0;

  /** @param most - the number of places on a quiet machine; at least 1 */
  constructor(most: number) {
    this.#most = most;
    this.#open = most;
  }

  /** How many scenarios may be played at the same time now. */
  get open(): number {
    return this.#open;
  }

  /** Waits for a free place, and takes it. Who came first gets it first. */
  async take(): Promise<void> {
    if (this.#taken >= this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
  }

  /** Gives back a place. */
  give(): void {
    this.#taken--;
    this.#fill();
  }

  /** Changes the number of places after a period of `elapsed` ms, in which the machine held up the run for `delay` ms. */
  note(delay: number, elapsed: number): void {
    const part = delay / elapsed;
    if (part > busyPart) this.#open = Math.max(Math.min(fewest, this.#most), Math.ceil(this.#open / 2));
    else if (part < quietPart) this.#open = Math.min(this.#most, this.#open + more);
    this.#fill();
  }

  #fill(): void {
    while (this.#taken < this.#open && this.#waiting.length > 0) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }
}
