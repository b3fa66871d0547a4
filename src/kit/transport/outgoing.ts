/**
 * The outgoing direction of a connection, disturbed as scenarios ask: held back for a while, let through at a rate, cut
 * into small pieces, or gathered. Undisturbed, everything passes at once.
 */
import { Gathering } from '../world/index.ts';
import type { Fault } from '../world/index.ts';

/** The end of a carrier that takes bytes. */
export interface Sink {
  /** Writes bytes; `more`: the message goes on. @returns false when the carrier is full */
  write(bytes: Uint8Array, more: boolean): boolean;
  /** Nothing more will be written. */
  end(): void;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The pieces of a split write after which nothing comes for a moment. */
const pausesOfSplit = 5;

/** One direction of a connection. */
export class Outgoing {
  readonly #sink: Sink;
  readonly #queue: (Uint8Array | 'end')[] = [];
  #stalledUntil = 0;
  #rate = Infinity;
  #piece = Infinity;
  #draining = false;
  readonly #gathering = new Gathering();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Writes at once, or when the fault lets it. @returns false when the carrier is full */
  write(written: Uint8Array): boolean {
    const bytes = this.#gathering.take(written);
    return bytes === undefined || this.#write(bytes);
  }

  #write(bytes: Uint8Array): boolean {
    const free = this.#rate === Infinity && this.#piece === Infinity && this.#stalledUntil <= Date.now();
    if (free && !this.#draining) return this.#sink.write(bytes, false);
    this.#queue.push(bytes);
    void this.#drain();
    return true;
  }

  /** Ends it, after everything that was written. */
  end(): void {
    this.#release();
    if (this.#draining) this.#queue.push('end');
    else this.#sink.end();
  }

  /** Takes a fault of this direction. The connection itself takes `cut` and `reset`. */
  fault(fault: Fault): void {
    if (fault.kind === 'stall') this.#stalledUntil = Date.now() + fault.ms;
    if (fault.kind === 'slow') this.#rate = fault.rate;
    if (fault.kind === 'split') this.#piece = Math.max(1, fault.size);
    if (fault.kind === 'gather') this.#gathering.begin(fault.size);
    if (fault.kind !== 'restore') return;
    this.#release();
    this.#stalledUntil = 0;
    this.#rate = Infinity;
    this.#piece = Infinity;
  }

  /** Writes what was gathered. */
  #release(): void {
    const held = this.#gathering.end();
    if (held !== undefined) this.#write(held);
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (next === 'end') this.#sink.end();
      else await this.#pass(next);
    }
    this.#draining = false;
  }

  /**
   * Writes in pieces. The event loop turns between them, so that each leaves as a packet of its own. The first ones leave
   * with a pause, so that also a slow reader sees that bytes are missing.
   */
  async #pass(bytes: Uint8Array): Promise<void> {
    let at = 0;
    let pauses = this.#piece === Infinity ? 0 : pausesOfSplit;
    do {
      const stalled = this.#stalledUntil - Date.now();
      if (stalled > 0) await sleep(stalled);
      const free = this.#rate === Infinity;
      const size = Math.min(this.#piece, free ? Infinity : Math.max(1, Math.floor(this.#rate / 50)));
      this.#sink.write(bytes.subarray(at, at + size), at + size < bytes.length);
      at += size;
      await (free && pauses-- <= 0 ? turn() : sleep(20));
    } while (at < bytes.length);
  }
}
