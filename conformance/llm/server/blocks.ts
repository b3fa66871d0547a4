/**
 * Splits the body of an answer into blocks: events of SSE, lines of NDJSON, messages of an event stream, or the whole body. It
 * works on bytes, so that invalid UTF-8 stays visible. It reads every byte once, however the body is chunked.
 */

import { EventStreamReader } from '../../../src/llm/index.ts';

/** How a body is split. */
export type Framing = 'sse' | 'ndjson' | 'eventstream' | 'whole';

/** Splits one body. */
export interface BlockSplitter {
  /** Takes bytes. @returns the blocks that they complete */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** A copy of the incomplete block. */
  peek(): Uint8Array;
  /** The incomplete block at the end of the body. Undefined when there is none. */
  end(): Uint8Array | undefined;
  /** Whether a block was longer than the limit. After that, no more blocks are returned. */
  readonly overflowed: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/** The bytes of an incomplete block. The buffer grows by doubling. */
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

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  take(): Uint8Array {
    const taken = this.copy();
    this.#length = 0;
    return taken;
  }
}

/**
 * Makes a splitter. A block of SSE ends with the line end of its empty line. A block of NDJSON ends before its line
 * feed. Empty blocks are left out.
 *
 * @param limit - the most bytes that one block may hold
 *
 * @example
 * const splitter = blockSplitter('ndjson', 100);
 * splitter.push(Buffer.from('{"a":1}\n\n{"b"')).length; // 1
 */
export function blockSplitter(cutting: Framing, limit: number): BlockSplitter {
  return cutting === 'eventstream' ? new MessageCutter(limit) : new Cutter(cutting, limit);
}

/** Cuts an event stream into its messages. The bytes of a fault are the last block. */
class MessageCutter implements BlockSplitter {
  readonly #reader: EventStreamReader;
  readonly overflowed = false;

  constructor(limit: number) {
    this.#reader = new EventStreamReader(limit);
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.#reader.cut(chunk).map(({ bytes }) => bytes);
  }

  peek(): Uint8Array {
    return this.#reader.rest;
  }

  end(): Uint8Array | undefined {
    const { rest } = this.#reader;
    return rest.length === 0 ? undefined : rest;
  }
}

class Cutter implements BlockSplitter {
  readonly #cutting: Framing;
  readonly #limit: number;
  readonly #kept = new Kept();
  /** The length of the current line, without its line end (bytes). */
  #line = 0;
  /** Whether the last byte was a CR. A LF after it belongs to the same line end. */
  #afterReturn = false;
  overflowed = false;

  constructor(cutting: Framing, limit: number) {
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

  peek(): Uint8Array {
    return this.#kept.copy();
  }

  end(): Uint8Array | undefined {
    const blocks: Uint8Array[] = [];
    this.#give(blocks);
    return blocks[0];
  }

  /** Whether this byte ends a block. */
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

  /** Returns the kept bytes, unless they are only line ends and white space. */
  #give(blocks: Uint8Array[]): void {
    const block = this.#kept.take();
    if (!this.overflowed && block.some((byte) => byte > 0x20)) blocks.push(block);
  }
}
