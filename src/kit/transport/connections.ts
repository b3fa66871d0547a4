/**
 * Plain carriers: TCP and the pipes of a process carry bytes, WebSocket carries messages. Each connection, dialled or
 * accepted, becomes a link named c1, c2 and so on, with `:carrier` in its metadata.
 */
import type { Accept, Fault, Link, LinkEvents } from '../world/index.ts';
import type { Status } from '../base/index.ts';
import { Outgoing } from './outgoing.ts';
import type { Sink } from './outgoing.ts';

/** The kit's end of a carrier: its connections, and what may be done to them. */
export interface ByteEndpoint {
  /** The bound port; 0 for an endpoint that dials. */
  readonly port: number;
  /** Disturbs every open connection. */
  fault(fault: Fault): void;
  /** Ends everything at once. */
  close(): void;
}

/** One connection of a carrier. */
export interface ByteWire extends Sink {
  /** Stops reading until it is resumed. */
  pause(): void;
  resume(): void;
  /** Ends the connection at once; with `reset` the other side gets an error. */
  destroy(reset: boolean): void;
  /** Calls the listener from now on; `ended` has a status when the end was orderly. */
  hear(listener: {
    readonly message: (bytes: Uint8Array, form?: 'binary') => void;
    readonly ended: (status: Status | undefined) => void;
    readonly drained: () => void;
  }): void;
}

/** The status of an orderly end, for carriers without statuses. */
export const orderly: Status = { code: 0, message: '' };

/** One end of a connection. */
class WireLink implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly outgoing: Outgoing;
  readonly #wire: ByteWire;
  #closed = false;

  constructor(wire: ByteWire, name: number) {
    this.#wire = wire;
    this.conn = `c${name}`;
    this.stream = `s${name}`;
    this.outgoing = new Outgoing(wire);
  }

  /** These carriers have no headers. */
  headers(): void {}

  send(bytes: Uint8Array): boolean {
    return this.#closed || this.outgoing.write(bytes);
  }

  halfClose(): void {
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.outgoing.end();
  }

  pause(): void {
    this.#wire.pause();
  }

  resume(): void {
    this.#wire.resume();
  }
}

/** The connections of one endpoint. */
export class Connections {
  readonly #open = new Map<ByteWire, Outgoing>();
  readonly #accept: Accept;
  readonly #carrier: string;
  readonly #faults: Fault[] = [];
  #count = 0;

  constructor(carrier: string, accept: Accept) {
    this.#carrier = carrier;
    this.#accept = accept;
  }

  /** Takes a connection. */
  add(wire: ByteWire): void {
    const link = new WireLink(wire, ++this.#count);
    this.#open.set(wire, link.outgoing);
    for (const fault of this.#faults) link.outgoing.fault(fault);
    const events: LinkEvents = this.#accept(link, { ':carrier': this.#carrier });
    wire.hear({
      message: (bytes, form) => events.message(bytes, form),
      drained: () => events.drained(),
      ended: (status) => {
        if (this.#open.delete(wire)) events.ended(status);
      },
    });
  }

  /** Disturbs every open connection; `split` and `slow` apply to later ones too. */
  fault(fault: Fault): void {
    if (fault.kind === 'restore') this.#faults.length = 0;
    if (fault.kind === 'split' || fault.kind === 'slow') this.#faults.push(fault);
    for (const [wire, outgoing] of this.#open) {
      // A WebSocket carries messages, not bytes. These carriers are not HTTP/2.
      if ((fault.kind === 'gather' && this.#carrier === 'ws') || fault.kind === 'goaway') continue;
      if (fault.kind === 'cut' || fault.kind === 'reset') wire.destroy(fault.kind === 'reset');
      else outgoing.fault(fault);
    }
  }

  /** Ends all connections at once. */
  close(): void {
    for (const wire of this.#open.keys()) wire.destroy(false);
  }
}
