/**
 * Cuts the body of an answer into what it is made of: events of SSE, lines of NDJSON, or all of it. Works on bytes,
 * so that a fault in their UTF-8 is seen, and not mended; every byte is looked at once, however the body is cut.
 */

/** How a body is cut. */
export type Cutting = 'sse' | 'ndjson' | 'whole';

/** A cutter of one body. */
export interface BlockCutter {
  /** The blocks that these bytes complete. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** What is left at the end of the body; undefined when nothing is. */
  end(): Uint8Array | undefined;
  /** Whether a block went beyond the limit; nothing is cut from then on. */
  readonly overflowed: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/** Bytes that are kept until their block is whole: grows as it must, by doubling. */
class Kept {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(more: Uint8Array): void {
    const length = this.#length + more.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(more, this.#length);
    this.#length = length;
  }

  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

/**
 * Makes a cutter. A block of SSE goes up to and with the line end of its empty line, one of NDJSON up to its line
 * feed; empty ones are left out.
 *
 * @param limit - the most bytes that one block may hold
 *
 * @example
 * const cutter = blockCutter('ndjson', 100);
 * cutter.push(Buffer.from('{"a":1}\n\n{"b"')).length; // 1
 */
export function blockCutter(cutting: Cutting, limit: number): BlockCutter {
  return new Cutter(cutting, limit);
}

class Cutter implements BlockCutter {
  readonly #cutting: Cutting;
  readonly #limit: number;
  readonly #kept = new Kept();
  /** Bytes of the line at hand that are no line ends. */
  #line = 0;
  /** The last byte was a CR: a LF that follows belongs to it. */
  #afterReturn = false;
  overflowed = false;

  constructor(cutting: Cutting, limit: number) {
    this.#cutting = cutting;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const blocks: Uint8Array[] = [];
    let from = 0;
    if (this.#cutting !== 'whole')
      for (let i = 0; i < chunk.length; i++) {
        if (!this.#ends(chunk[i] ?? 0)) continue;
        this.#keep(chunk.subarray(from, i + 1));
        from = i + 1;
        this.#give(blocks);
      }
    this.#keep(chunk.subarray(from));
    return blocks;
  }

  end(): Uint8Array | undefined {
    const blocks: Uint8Array[] = [];
    this.#give(blocks);
    return blocks[0];
  }

  /** Whether a block ends with this byte. */
  #ends(byte: number): boolean {
    const second = this.#afterReturn && byte === LF;
    const lineEnd = byte === LF || (byte === CR && this.#cutting === 'sse');
    this.#afterReturn = byte === CR && this.#cutting === 'sse';
    if (second) return false;
    if (!lineEnd) {
      this.#line++;
      return false;
    }
    const empty = this.#line === 0;
    this.#line = 0;
    return this.#cutting === 'ndjson' || empty;
  }

  #keep(bytes: Uint8Array): void {
    if (this.overflowed) return;
    if (this.#kept.length + bytes.length > this.#limit) this.overflowed = true;
    else this.#kept.add(bytes);
  }

  /** Gives what is kept, unless it is nothing but line ends and white space. */
  #give(blocks: Uint8Array[]): void {
    const block = this.#kept.take();
    if (!this.overflowed && block.some((byte) => byte > 0x20)) blocks.push(block);
  }
}
