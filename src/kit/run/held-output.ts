/** Notices a target on stdio whose output comes only after its input has ended: it keeps it in a buffer. */
import type { Accept } from '../world/index.ts';

/** The sentence for the report. */
export const heldOutputNote =
  'all output of the target came only after its input ended: does it flush its output after each line?';

export class HeldOutput {
  #came: 'nothing' | 'in-time' | 'late' = 'nothing';
  #ended = false;
  readonly #delay: () => number;
  readonly #now: () => number;
  readonly #began: { readonly at: number; readonly delay: number };

  /**
   * @param delay - how long a busy machine has held up the target so far (ms)
   * @param now - milliseconds that never decrease
   */
  constructor(delay: () => number, now: () => number) {
    this.#delay = delay;
    this.#now = now;
    this.#began = { at: now(), delay: delay() };
  }

  /** Whether there was output, and all of it came after {@link inputEnds}, and the machine did not cause that. */
  get isHeld(): boolean {
    const { at, delay } = this.#began;
    return this.#came === 'late' && this.#delay() - delay <= (this.#now() - at) / 2;
  }

  /** The session is over: the kit closes the input of the target. */
  inputEnds(): void {
    this.#ended = true;
  }

  /** Watches the bytes of a connection. */
  watch(accept: Accept): Accept {
    return (link, metadata) => {
      const events = accept(link, metadata);
      return {
        headers: (headers) => events.headers(headers),
        message: (bytes, form) => {
          if (this.#came === 'nothing') this.#came = this.#ended ? 'late' : 'in-time';
          events.message(bytes, form);
        },
        halfClose: () => events.halfClose(),
        ended: (status) => events.ended(status),
        drained: () => events.drained(),
        ping: () => events.ping(),
      };
    };
  }
}
