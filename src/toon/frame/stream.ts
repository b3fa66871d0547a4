/**
 * Splits a stream of bytes into frames, and decodes them. Sockets and pipes carry frames one after the other, and may cut
 * the stream anywhere (TOON-38). Only the declared length is used, so that frames of an unknown version or type can be
 * skipped (TOON-39).
 */
import { allocate } from './bytes.ts';
import { decodeFrame, resolveOptions } from './decoder.ts';
import type { ResolvedOptions, TOONDecoded, TOONDecoderOptions } from './decoder.ts';
import { HEADER_SIZE, readPayloadLength } from './header.ts';

/** A frame, decoded. */
export interface StreamItem {
  /** It may share the memory of a chunk. */
  readonly bytes: Uint8Array;
  readonly decoded: TOONDecoded;
}

/** Splits one direction of one connection into frames, for carriers without messages. */
export interface TOONFramer {
  /** Takes a chunk. Returns the frames that it completes; they may share the memory of the chunk. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Ends the stream. Returns the rest, if it ends within a frame. */
  end(): Uint8Array | undefined;
}

/** Makes framers with another limit of the payload. */
export const toonFramingWith =
  (options: TOONDecoderOptions): (() => TOONFramer) =>
  () =>
    new FrameSplitter(resolveOptions(options).maxPayload);

/** Makes a framer with the default limit. A header with a length over the limit is its last frame. */
export const toonFraming: () => TOONFramer = toonFramingWith({});

/**
 * Decodes a stream. The messages do not depend on how it is cut into chunks.
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
  readonly #splitter: FrameSplitter;

  constructor(options: TOONDecoderOptions = {}) {
    this.#options = resolveOptions(options);
    this.#splitter = new FrameSplitter(this.#options.maxPayload);
  }

  /** Takes a chunk. Returns the frames that it completes, each decoded or refused. Never throws. */
  push(chunk: Uint8Array): readonly StreamItem[] {
    return this.#splitter.push(chunk).map((bytes) => this.#item(bytes));
  }

  /** Ends the stream. Returns the rest, refused, if it ends within a frame. */
  end(): StreamItem | undefined {
    const rest = this.#splitter.end();
    return rest && this.#item(rest);
  }

  /** The bytes of an incomplete frame so far. */
  get pending(): number {
    return this.#splitter.pending;
  }

  /** Whether it ignores further chunks: after its end, or after a length over the limit, which cannot be skipped. */
  get closed(): boolean {
    return this.#splitter.closed;
  }

  #item(bytes: Uint8Array): StreamItem {
    return { bytes, decoded: decodeFrame(bytes, this.#options) };
  }
}

/** Keeps the bytes of an incomplete frame. The cost is linear in the number of bytes, for chunks of any size. */
class FrameSplitter implements TOONFramer {
  readonly #maxPayload: number;
  /** Grows with the received bytes, not to the length that a header declares. */
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
      const whole = this.#size === 0 ? this.#lengthAt(chunk, at, chunk.length) : Infinity;
      if (at + whole <= chunk.length) {
        this.#emit(chunk.subarray(at, at + whole), frames);
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

  /** The length of the frame at this offset; only its header while that is incomplete, or when it is over the limit. */
  #lengthAt(bytes: Uint8Array, at: number, end: number): number {
    if (end - at < HEADER_SIZE) return HEADER_SIZE;
    const length = readPayloadLength(bytes, at);
    return length > this.#maxPayload ? HEADER_SIZE : HEADER_SIZE + length;
  }

  /** Keeps the next bytes of a frame: first up to the end of its header, then up to its end. Returns their number. */
  #hold(chunk: Uint8Array, at: number, frames: Uint8Array[]): number {
    const length = this.#lengthAt(this.#held, 0, this.#size);
    const part = chunk.subarray(at, at + length - this.#size);
    this.#reserve(this.#size + part.length, length);
    this.#held.set(part, this.#size);
    this.#size += part.length;
    if (this.#size >= this.#lengthAt(this.#held, 0, this.#size)) {
      this.#emit(this.#held.subarray(0, this.#size), frames);
      this.#drop();
    }
    return part.length;
  }

  /** Doubles the room, at most to the length of the frame, so that the total cost of copying is linear. */
  #reserve(size: number, length: number): void {
    if (size <= this.#held.length) return;
    const held = allocate(Math.min(length, Math.max(size, this.#held.length * 2)));
    held.set(this.#held.subarray(0, this.#size));
    this.#held = held;
  }

  #emit(frame: Uint8Array, frames: Uint8Array[]): void {
    frames.push(frame);
    this.#closed = readPayloadLength(frame, 0) > this.#maxPayload;
  }

  #drop(): void {
    this.#held = new Uint8Array(0);
    this.#size = 0;
  }
}
