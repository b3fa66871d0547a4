/** A fetch of a feed that is under way: its source has answered, will answer later, or is too slow. */
import type { Clock, Timer } from '../../kit/world/index.ts';
import type { FeedOutcome } from '../feeds/feed.ts';
import { thrownText } from './thrown.ts';
import { lateFeed } from './sources.ts';
import type { FetchAnswer } from './sources.ts';

/** It calls its function once, unless it is cancelled. */
export class RunningFetch {
  readonly #clock: Clock;
  readonly #end: (outcome: FeedOutcome) => void;
  readonly #abort = new AbortController();
  #timer: Timer | undefined;
  #isOver = false;

  /** @param end - takes the outcome */
  constructor(clock: Clock, end: (outcome: FeedOutcome) => void) {
    this.#clock = clock;
    this.#end = end;
  }

  /** Aborted when the time of the fetch is over, or it is cancelled. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Waits for an answer, `timeout` seconds at most. An outcome at the end of the time counts. */
  begin(answer: FetchAnswer | Promise<FeedOutcome>, timeout: number): void {
    if ('then' in answer) return this.#await(answer, timeout);
    const { after = 0, ...outcome } = answer;
    if (after > timeout) this.#endAfter(timeout, { error: lateFeed(timeout) });
    else this.#endAfter(after, outcome);
  }

  /** Ends it without an outcome. */
  cancel(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    this.#abort.abort();
  }

  #await(answer: Promise<FeedOutcome>, timeout: number): void {
    this.#timer = this.#clock.after(timeout * 1000, () => {
      this.#settle({ error: lateFeed(timeout) });
      this.#abort.abort();
    });
    answer.then(
      (outcome) => this.#settle(outcome),
      (error: unknown) => this.#settle({ error: thrownText(error) }),
    );
  }

  #endAfter(seconds: number, outcome: FeedOutcome): void {
    this.#timer = this.#clock.after(seconds * 1000, () => this.#settle(outcome));
  }

  #settle(outcome: FeedOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#end(outcome);
  }
}
