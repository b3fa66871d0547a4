/**
 * The memory of answers that clients do not read. All servers of the process share it. Senders hold back when a carrier is
 * full, so it fills only with whole answers that are large; then the largest is dropped, and the others go on.
 */

/** The most bytes of all unread answers; one that is alone may be larger. */
export const unreadBytes: number = 96 << 20;

/** An answer, or a connection, with bytes that wait for its client. */
export interface Unread {
  /** Ends it at once. It is called once. */
  drop(): void;
}

/** Unread answers and their bytes. */
export class UnreadMemory {
  readonly #most: number;
  readonly #sizes = new Map<Unread, number>();
  #held = 0;

  constructor(most: number = unreadBytes) {
    this.#most = most;
  }

  /** Notes that this number of bytes waits. May drop an answer, the largest. */
  waits(answer: Unread, bytes: number): void {
    this.#held += bytes - (this.#sizes.get(answer) ?? 0);
    this.#sizes.set(answer, bytes);
    while (this.#held > this.#most && this.#sizes.size > 1) {
      let largest: [Unread, number] = [answer, bytes];
      for (const one of this.#sizes) if (one[1] > largest[1]) largest = one;
      this.read(largest[0]);
      largest[0].drop();
    }
  }

  /** Notes that an answer was read, or is gone. */
  read(answer: Unread): void {
    this.#held -= this.#sizes.get(answer) ?? 0;
    this.#sizes.delete(answer);
  }
}

/** The unread answers of this process. */
export const unreadAnswers: UnreadMemory = new UnreadMemory();
