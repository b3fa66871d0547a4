/** The outputs of one step of a role on one link. */
import type { RoleOutput } from './role.ts';

const maxBrief = 200;

/**
 * A text, or the beginning of a long one. It is well-formed: half of a character becomes U+FFFD.
 *
 * @example
 * brief('short'); // 'short'
 */
export const brief = (text: string): string =>
  text.length > maxBrief ? `${text.slice(0, maxBrief).replaceAll(/\p{Surrogate}/gu, '\uFFFD')}…` : text;

/** The outputs of one step on one link. A role adds its own messages. */
export class LinkOutputs<Out> {
  /** In the order in which the host obeys them. */
  readonly outputs: RoleOutput<Out>[] = [];
  /** The name of the link. */
  readonly peer: string;
  /** The time of the step (ms on the host's clock). */
  readonly now: number;
  /** The link is over: nothing more can be sent. */
  closed = false;
  readonly #timers: Set<string>;

  /** @param timers - the names of the timers of the link that are set; kept between steps */
  constructor(peer: string, now: number, timers: Set<string>) {
    this.peer = peer;
    this.now = now;
    this.#timers = timers;
  }

  /** Tells the application. */
  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }

  /** Starts a timer of the link. Its id is `<name>:<link>`. */
  startTimer(name: string, ms: number): void {
    if (this.closed) return;
    this.#timers.add(name);
    this.outputs.push({ type: 'start_timer', id: `${name}:${this.peer}`, ms });
  }

  stopTimers(names: Iterable<string>): void {
    for (const name of names)
      if (this.#timers.delete(name)) this.outputs.push({ type: 'stop_timer', id: `${name}:${this.peer}` });
  }

  /** Closes the link with a gRPC status code, as every close in the kit has one; 0 is a normal end. */
  close(code: number, message: string): void {
    if (this.closed) return;
    this.outputs.push({ type: 'close', peer: this.peer, status: { code, message } });
    this.end();
  }

  /** Ends the link: no timer is left. */
  end(): void {
    this.stopTimers(this.#timers);
    this.closed = true;
  }
}
