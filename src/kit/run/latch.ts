/** Something that happens once, and that can be waited for. */
export class Latch {
  #open = false;
  #onOpen: () => void = () => {};

  /** It has happened; whoever waits goes on. */
  open(): void {
    this.#open = true;
    this.#onOpen();
  }

  /** Waits until it has happened, for `ms` at most. One waits at a time. */
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
