/**
 * Keeps the latest bytes in memory that is used again: buffers that are kept for a while and then dropped would stay until
 * the next full garbage collection ("LLM simulator, peak memory" of `npm run bench`).
 */

/** Bytes of one slab. */
const slabSize = 1 << 18;

/** The place of bytes in a ring. */
export interface RingPlace {
  /** The number of its slab, counted from the first one that was written. */
  readonly slab: number;
  readonly from: number;
  readonly length: number;
}

/** A ring of slabs, which are allocated when they are needed. */
export class ByteRing {
  readonly #slabs: Uint8Array[] = [];
  readonly #count: number;
  #slab = 0;
  #at = 0;

  /** @param size - the bytes that are kept, at most */
  constructor(size: number) {
    this.#count = Math.max(1, Math.floor(size / slabSize));
  }

  /** Copies bytes. @returns their place; undefined when they are larger than a slab */
  put(bytes: Uint8Array): RingPlace | undefined {
    const { length } = bytes;
    if (length > slabSize) return undefined;
    if (this.#at + length > slabSize) {
      this.#slab++;
      this.#at = 0;
    }
    const place = { slab: this.#slab, from: this.#at, length };
    this.#slabAt(place.slab).set(bytes, place.from);
    this.#at += length;
    return place;
  }

  /** Whether the bytes of a place are still there. */
  has({ slab }: RingPlace): boolean {
    return slab > this.#slab - this.#count;
  }

  /** The bytes of a place that is still there. They change with later bytes. */
  bytes({ slab, from, length }: RingPlace): Uint8Array {
    return this.#slabAt(slab).subarray(from, from + length);
  }

  #slabAt(slab: number): Uint8Array {
    const index = slab % this.#count;
    return (this.#slabs[index] ??= new Uint8Array(slabSize));
  }
}
