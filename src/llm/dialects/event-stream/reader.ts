/** Cuts an event stream into messages, however its bytes are cut. */
import type { Result, Violation } from '../../../kit/base/index.ts';
import { HeaderReader } from './headers.ts';
import type { decodeHeaders } from './headers.ts';
import { readMessage, readPrelude } from './message.ts';
import type { EventMessage, Prelude } from './message.ts';
import { refuseAt, sizes } from './violation.ts';

/** A message, or the fault that ends the stream. */
export type EventItem = Result<EventMessage, Violation>;

/** A message with its place in the stream. */
export interface CutMessage {
  /** The offset of its first byte. */
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly item: EventItem;
}

/**
 * Reads an event stream. After a fault it reads nothing more. Memory is bounded by the limit, and cost linear in the input.
 *
 * @example
 * const reader = new EventStreamReader();
 * reader.push(encodeMessage({ headers: [], payload: new Uint8Array(0) })).length; // 1
 */
export class EventStreamReader {
  readonly #limit: number;
  /** Bytes of a message that is not complete; the array is larger. */
  #held = new Uint8Array(1024);
  #length = 0;
  /** The offset in the stream of the message that comes. */
  #at = 0;
  #prelude: Prelude | undefined;
  #broken = false;
  readonly #readHeaders: typeof decodeHeaders;

  /** @param limit - the most bytes of a message */
  constructor(limit: number = sizes.message) {
    this.#limit = Math.min(limit, sizes.message);
    const headers = new HeaderReader();
    this.#readHeaders = (bytes, from) => headers.read(bytes, from);
  }

  /** The messages that these bytes complete, and the fault if there is one. */
  push(bytes: Uint8Array): readonly EventItem[] {
    const items: EventItem[] = [];
    this.#read(bytes, (item) => items.push(item));
    return items;
  }

  /** The same, with the bytes of each message. Of a fault these are the bytes that show it. */
  cut(bytes: Uint8Array): readonly CutMessage[] {
    const cut: CutMessage[] = [];
    this.#read(bytes, (item, at, of) => cut.push({ at, bytes: of.slice(), item }));
    return cut;
  }

  /** Gives each message, its place and its bytes, which change with later ones. */
  #read(bytes: Uint8Array, give: (item: EventItem, at: number, of: Uint8Array) => void): void {
    let rest = bytes;
    while (!this.#broken && rest.length > 0) {
      const taken = this.#take(rest);
      rest = rest.subarray(taken);
      const item = this.#next();
      if (item === undefined) continue;
      give(item, this.#at, this.#held.subarray(0, this.#length));
      this.#broken = !item.ok;
      this.#at += this.#length;
      this.#length = 0;
      this.#prelude = undefined;
    }
  }

  /** The fault of a stream that ends within a message; undefined: it ends after one. */
  end(): Violation | undefined {
    if (this.#broken || this.#length === 0) return undefined;
    const due = this.#prelude?.total;
    const expected = `${due === undefined ? 'a message' : `${due} bytes`}; came ${this.#length}`;
    return refuseAt('truncated', this.#at + this.#length, expected).error;
  }

  /** The bytes of a message that is not complete. */
  get rest(): Uint8Array {
    return this.#held.slice(0, this.#length);
  }

  /** Keeps what the prelude, or the message, lacks. @returns the number of bytes */
  #take(bytes: Uint8Array): number {
    const due = this.#prelude?.total ?? sizes.prelude;
    const part = bytes.subarray(0, due - this.#length);
    const length = this.#length + part.length;
    if (length > this.#held.length) {
      // What is declared is not allocated before it comes.
      const larger = new Uint8Array(Math.max(length, Math.min(due, this.#held.length * 2)));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(part, this.#length);
    this.#length = length;
    return part.length;
  }

  /** The message that is complete, or the fault. */
  #next(): EventItem | undefined {
    if (this.#prelude === undefined) {
      if (this.#length < sizes.prelude) return undefined;
      const prelude = readPrelude(this.#held, this.#at, this.#limit);
      if (!prelude.ok) return prelude;
      this.#prelude = prelude.value;
    }
    const { total } = this.#prelude;
    if (this.#length < total) return undefined;
    return readMessage(this.#held.subarray(0, total), this.#prelude, this.#at, this.#readHeaders);
  }
}
