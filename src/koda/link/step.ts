/** One step of a reference role on one link: the state of the link, and the outputs of the step. */
import type { PeerCommand, RoleOutput } from '../../kit/base/index.ts';

/** The state of one link. `W` is what its role remembers of the link. */
export interface LinkState<W> {
  readonly work: W;
  /** The carrier is full: it takes no more messages. */
  full: boolean;
  /** The other side has half-closed: it sends no more messages. */
  halfClosed: boolean;
  /** The timers that are set. */
  readonly timers: Set<string>;
}

/** The state of a reference role; handed over at each step. */
export interface LinksState<W, Out> {
  /** The open links by their names. The newest is the last. */
  readonly open: Map<string, LinkState<W>>;
  /** The commands from before a link opened. */
  readonly waiting: PeerCommand<Out>[];
  /** The ids that the role has made. */
  idCount: number;
}

const maxBrief = 200;

/**
 * A text, or the beginning of a long one.
 *
 * @example
 * brief('short'); // 'short'
 */
export const brief = (text: string): string =>
  text.length > maxBrief ? `${text.slice(0, maxBrief).toWellFormed()}…` : text;

/** The outputs of one step on one link. */
export class LinkStep<W, Out> {
  readonly outputs: RoleOutput<Out>[] = [];
  readonly peer: string;
  readonly now: number;
  readonly link: LinkState<W>;
  readonly #role: LinksState<W, Out>;
  /** The link is over: nothing more can be sent. */
  closed = false;

  constructor(peer: string, now: number, link: LinkState<W>, role: LinksState<W, Out>) {
    this.peer = peer;
    this.now = now;
    this.link = link;
    this.#role = role;
  }

  get work(): W {
    return this.link.work;
  }

  send(message: Out): void {
    if (!this.closed) this.outputs.push({ type: 'send', peer: this.peer, message });
  }

  /** Sends bytes that may be no message. */
  sendRaw(bytes: Uint8Array): void {
    if (!this.closed) this.outputs.push({ type: 'send_raw', peer: this.peer, bytes });
  }

  /** Tells the application. */
  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail: brief(detail) });
  }

  /** The number of the next id of the role, from 0. */
  nextId(): number {
    return this.#role.idCount++;
  }

  startTimer(name: string, ms: number): void {
    if (this.closed) return;
    this.link.timers.add(name);
    this.outputs.push({ type: 'start_timer', id: `${name}:${this.peer}`, ms });
  }

  stopTimers(names: Iterable<string>): void {
    for (const name of names)
      if (this.link.timers.delete(name))
        this.outputs.push({ type: 'stop_timer', id: `${name}:${this.peer}` });
  }

  /** Sends no more messages, but reads on. */
  halfClose(): void {
    if (!this.closed) this.outputs.push({ type: 'half_close', peer: this.peer });
  }

  /** Closes the link with a gRPC status code, as every close in the kit has one; 0 is a normal end. */
  close(code: number, message: string): void {
    if (this.closed) return;
    this.outputs.push({ type: 'close', peer: this.peer, status: { code, message } });
    this.end();
  }

  /** Ends the link: no timer is left. */
  end(): void {
    this.stopTimers(this.link.timers);
    this.closed = true;
  }
}
