/** A comment whose end has not come. */

/** Reads a comment, and keeps no character of it. */
export class OpenComment {
  /** How much of `-->` has come. */
  #dashes = 0;
  #isClosed = false;

  /** Whether its end has come. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads characters from `from` on. @returns the position of the next one */
  read(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const char = text[at];
      if (char === '-') this.#dashes = Math.min(2, this.#dashes + 1);
      else if (char === '>' && this.#dashes === 2) {
        this.#isClosed = true;
        return at + 1;
      } else this.#dashes = 0;
    }
    return text.length;
  }
}
