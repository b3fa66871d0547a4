/** Writes of one direction that a scenario gathers, so that they arrive as one (the fault `gather`). */
export class Gathering {
  #wanted = 0;
  #held: Uint8Array[] = [];

  /** Gathers the next writes, this many. */
  begin(writes: number): void {
    this.#wanted = writes;
  }

  /** Takes a write. Returns the bytes to send now; undefined while it waits for further writes. */
  take(written: Uint8Array): Uint8Array | undefined {
    if (this.#wanted === 0) return written;
    this.#held.push(written);
    return this.#held.length < this.#wanted ? undefined : this.end();
  }

  /** Gathers no more. Returns the bytes that waited; undefined without any. */
  end(): Uint8Array | undefined {
    const held = this.#held;
    this.#held = [];
    this.#wanted = 0;
    return held.length === 0 ? undefined : whole(held);
  }
}

function whole(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
