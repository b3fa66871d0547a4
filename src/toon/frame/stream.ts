/**
 * Messages out of a stream of bytes: sockets and pipes carry them one after the other, cut anywhere (TOON-38). Frames
 * are cut by their declared length; what is in them is the decoder's business, so that those of an unknown version or
 * type are skipped whole (TOON-39).
 */
import { allocate } from './bytes.ts';
import { decodeFrame, resolveOptions } from './decoder.ts';
import type { ResolvedOptions, TOONDecoded, TOONDecoderOptions } from './decoder.ts';
import { HEADER_SIZE, readPayloadLength } from './header.ts';

/** A frame and what it decodes to. */
export interface StreamItem {
  /** May be a part of the chunk that it came in. */
  readonly bytes: Uint8Array;
  readonly decoded: TOONDecoded;
}

/** Cuts one direction of one connection into frames. Fits the kit's framing of carriers that know no messages. */
export interface TOONFramer {
  /** The frames that are whole with this chunk; parts of the chunk, where they can be. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Nothing more will come: what is left of a frame that was cut off. */
  end(): Uint8Array | undefined;
}

/** A framer with a cap of its own on the payload. */
export const toonFramingWith =
  (options: TOONDecoderOptions): (() => TOONFramer) =>
  () =>
    new Cutter(resolveOptions(options).maxPayload);

/** A framer with the default limits. A length over the cap gives its header as the last frame, and then no more. */
export const toonFraming: () => TOONFramer = toonFramingWith({});

/**
 * Decodes a stream, whatever its chunks: at every cut the same messages.
 *
 * @example
 * import { TOONEncoder } from './encoder.ts';
 *
 * const stream = new TOONStreamDecoder();
 * const bytes = TOONEncoder.encodeHeartbeat(1);
 * stream.push(bytes.subarray(0, 7)).length; // 0
 * stream.pending; // 7
 * stream.push(bytes.subarray(7)).length; // 1
 */
export class TOONStreamDecoder {
  readonly #options: ResolvedOptions;
  readonly #cutter: Cutter;

  constructor(options: TOONDecoderOptions = {}) {
    this.#options = resolveOptions(options);
    this.#cutter = new Cutter(this.#options.maxPayload);
  }

  /** The frames that are whole with this chunk, each decoded or refused. Never throws. */
  push(chunk: Uint8Array): readonly StreamItem[] {
    return this.#cutter.push(chunk).map((bytes) => this.#item(bytes));
  }

  /** Nothing more will come: what is left of a frame that was cut off, refused. */
  end(): StreamItem | undefined {
    const rest = this.#cutter.end();
    return rest && this.#item(rest);
  }

  /** Bytes of a frame that is not whole yet. */
  get pending(): number {
    return this.#cutter.pending;
  }

  /** Whether it takes nothing more: after a length over the cap, which nobody may skip, or after the end. */
  get closed(): boolean {
    return this.#cutter.closed;
  }

  #item(bytes: Uint8Array): StreamItem {
    return { bytes, decoded: decodeFrame(bytes, this.#options) };
  }
}

/** Keeps what came of a frame that is not whole. Cost is linear in the bytes, however they come. */
class Cutter implements TOONFramer {
  readonly #maxPayload: number;
  /** Grows as bytes come, never to what a header merely promises. */
  #held: Uint8Array = new Uint8Array(0);
  #size = 0;
  #closed = false;

  constructor(maxPayload: number) {
    this.#maxPayload = maxPayload;
  }

  get pending(): number {
    return this.#size;
  }

  get closed(): boolean {
    return this.#closed;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const frames: Uint8Array[] = [];
    let at = 0;
    while (!this.#closed && at < chunk.length) {
      const whole = this.#size === 0 ? this.#needed(chunk, at, chunk.length) : Infinity;
      if (at + whole <= chunk.length) {
        this.#give(chunk.subarray(at, at + whole), frames);
        at += whole;
      } else at += this.#hold(chunk, at, frames);
    }
    return frames;
  }

  end(): Uint8Array | undefined {
    const rest = this.#size > 0 ? this.#held.subarray(0, this.#size) : undefined;
    this.#drop();
    this.#closed = true;
    return rest;
  }

  /** How long the frame at this place is, as far as is known. Of one over the cap only the header is wanted. */
  #needed(bytes: Uint8Array, at: number, end: number): number {
    if (end - at < HEADER_SIZE) return HEADER_SIZE;
    const length = readPayloadLength(bytes, at);
    return length > this.#maxPayload ? HEADER_SIZE : HEADER_SIZE + length;
  }

  /** Keeps what the frame lacks: first up to its header, then up to its end. Returns how much it took. */
  #hold(chunk: Uint8Array, at: number, frames: Uint8Array[]): number {
    const needed = this.#needed(this.#held, 0, this.#size);
    const part = chunk.subarray(at, at + needed - this.#size);
    this.#reserve(this.#size + part.length, needed);
    this.#held.set(part, this.#size);
    this.#size += part.length;
    if (this.#size >= this.#needed(this.#held, 0, this.#size)) {
      this.#give(this.#held.subarray(0, this.#size), frames);
      this.#drop();
    }
    return part.length;
  }

  /** Doubles the room, so that all copying together is linear, up to what the frame needs. */
  #reserve(size: number, needed: number): void {
    if (size <= this.#held.length) return;
    const held = allocate(Math.min(needed, Math.max(size, this.#held.length * 2)));
    held.set(this.#held.subarray(0, this.#size));
    this.#held = held;
  }

  #give(frame: Uint8Array, frames: Uint8Array[]): void {
    frames.push(frame);
    this.#closed = readPayloadLength(frame, 0) > this.#maxPayload;
  }

  #drop(): void {
    this.#held = new Uint8Array(0);
    this.#size = 0;
  }
}
