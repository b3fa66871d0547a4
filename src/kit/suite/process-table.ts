/** The processes of a simulated machine. Peers whose tools start processes enter them here. */
export class ProcessTable {
  readonly #lines = new Map<number, string>();
  #next = 1;

  /** Enters a process by its command line. @returns a function that ends it */
  start(line: string): () => void {
    const id = this.#next++;
    this.#lines.set(id, line);
    return () => void this.#lines.delete(id);
  }

  /** The command lines of the processes that run. */
  readonly lines = (): readonly string[] => [...this.#lines.values()];
}
