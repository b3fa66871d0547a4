/** Bytes that come in pieces of any size. A million pieces of one byte take a megabyte, not an object each. */

/** The size of the first allocation. */
const first = 4096;

export class GrowingBytes {
  readonly #most: number;
  #held: Uint8Array = new Uint8Array(0);
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a piece. @returns false, and takes none of it, when there would be more than the most bytes */
  push(bytes: Uint8Array): boolean {
    const size = this.#size + bytes.length;
    if (size > this.#most) return false;
    if (size > this.#held.length) {
      const grown = new Uint8Array(Math.min(this.#most, Math.max(first, 2 * this.#held.length, size)));
      grown.set(this.#held.subarray(0, this.#size));
      this.#held = grown;
    }
    this.#held.set(bytes, this.#size);
    this.#size = size;
    return true;
  }

  /** The bytes so far. */
  bytes(): Uint8Array {
    return this.#held.subarray(0, this.#size);
  }
}
