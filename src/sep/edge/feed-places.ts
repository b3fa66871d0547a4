/** What the requests to a feed server share: places of fetches, and memory for answers. */

/** The places of fetches. */
export class FeedPlaces {
  readonly most: number;
  #taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Takes a place. @returns whether there was one */
  take(): boolean {
    if (this.#taken >= this.most) return false;
    this.#taken++;
    return true;
  }

  giveBack(): void {
    this.#taken--;
  }
}

/** From this size on (bytes), an answer counts until its client has read it. */
export const largeAnswer: number = 64 << 10;

/** The most bytes of large answers that clients have not read. */
export const mostUnreadBytes: number = 64 << 20;

/** The memory of large answers. When it is full, a further one is refused, so that small answers go on. */
export class UnreadAnswers {
  #held = 0;

  /** Takes memory. @returns whether there was enough */
  take(bytes: number): boolean {
    if (this.#held + bytes > mostUnreadBytes) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
