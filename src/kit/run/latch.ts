/** A one-time signal that one caller can wait for. */
import { waitPatiently } from '../transport/index.ts';

export class Latch {
  #open = false;
  #onOpen: () => void = () => {};

  /** Gives the signal. */
  open(): void {
    this.#open = true;
    this.#onOpen();
  }

  /** Waits for the signal, at most `ms`, and longer on a busy machine. Only one caller may wait at a time. */
  async wait(ms: number): Promise<void> {
    await waitPatiently(ms, (most) => this.#within(most));
  }

  async #within(ms: number): Promise<boolean> {
    if (this.#open) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.#onOpen = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
