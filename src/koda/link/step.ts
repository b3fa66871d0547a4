/** One step of a reference role on one link: the state of the link, and the outputs of the step. */
import { LinkOutputs, brief } from '../../kit/base/index.ts';
import type { PeerCommand } from '../../kit/base/index.ts';

/** The state of one link. `W` is what its role remembers of the link. */
export interface LinkState<W> {
  readonly work: W;
  /** The carrier is full: it takes no more messages. */
  full: boolean;
  /** The other side has half-closed: it sends no more messages. */
  halfClosed: boolean;
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

export class LinkStep<W, Out> extends LinkOutputs<Out> {
  readonly link: LinkState<W>;
  readonly #role: LinksState<W, Out>;

  constructor(peer: string, now: number, link: LinkState<W>, role: LinksState<W, Out>) {
    super(peer, now, link.timers);
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
  override tell(what: string, detail: string): void {
    super.tell(what, brief(detail));
  }

  /** The number of the next id of the role, from 0. */
  nextId(): number {
    return this.#role.idCount++;
  }

  /** Sends no more messages, but reads on. */
  halfClose(): void {
    if (!this.closed) this.outputs.push({ type: 'half_close', peer: this.peer });
  }
}
