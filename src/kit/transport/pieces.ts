/** Bytes that come in pieces of any size: a million pieces of one byte take some megabytes, not an object each. */

/** This many pieces are joined to one. */
const together = 1024;

export class Pieces {
  #joined: Uint8Array[] = [];
  #last: Uint8Array[] = [];

  push(piece: Uint8Array): void {
    this.#last.push(piece);
    if (this.#last.length < together) return;
    this.#joined.push(Buffer.concat(this.#last));
    this.#last = [];
  }

  /** Takes all bytes out. A single piece is not copied. */
  take(): Uint8Array {
    const all = [...this.#joined, ...this.#last];
    this.drop();
    return joinedBytes(all);
  }

  /** Forgets the bytes. */
  drop(): void {
    this.#joined = [];
    this.#last = [];
  }
}

/** The bytes of all pieces. One piece is not copied. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}
