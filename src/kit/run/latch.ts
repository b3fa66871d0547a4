/** A one-time signal that one caller can wait for. */
export class Latch {
  #open = false;
  #onOpen: () => void = () => {};

  /** Gives the signal. */
  open(): void {
    this.#open = true;
    this.#onOpen();
  }

  /** Waits for the signal, at most `ms`. Only one caller may wait at a time. */
  async wait(ms: number): Promise<void> {
    if (this.#open) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onOpen = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
