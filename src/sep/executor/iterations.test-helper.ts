/** Waits for the outputs of a run in real time. */

/** What the model sees before each output, and a wait for the next one. */
export class Iterations {
  /** The transcript before each output. */
  readonly seen: string[] = [];
  #ready = (): void => {};

  /** The option `onIteration` of a run. */
  readonly onIteration = (transcript: string): void => {
    this.seen.push(transcript);
    this.#ready();
  };

  /** Begins something, and waits until the model may speak. */
  next(begin: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#ready = resolve;
      begin();
    });
  }
}
