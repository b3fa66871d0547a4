/** A stream of the simulated network: its two ends, and an ordered queue of deliveries in each direction. */
import type { Status } from '../base/index.ts';
import type { Clock, Timer } from './clock.ts';
import { Gathering } from './gather.ts';
import type { LinkEvents } from './link.ts';

/** `send` returns false from this many bytes in flight in one direction on: HTTP/2's default window. */
const windowBytes = 65_535;

/** The clock and the delays of a network. */
interface Delays {
  readonly clock: Clock;
  /** The time that the next delivery takes (ms). */
  delay(): number;
}

/** One direction of a stream: an ordered queue of deliveries. */
class StreamDirection {
  readonly queue: { readonly deliver: () => void; readonly size: number; readonly at: number }[] = [];
  readonly net: Delays;
  inFlight: number = 0;
  full: boolean = false;
  paused: boolean = false;
  stalledUntil: number = 0;
  rate: number = Infinity;
  piece: number = Infinity;
  readonly gathering: Gathering = new Gathering();
  last: number = 0;
  #timer: Timer | undefined;
  onDrained: () => void = () => {};

  constructor(net: Delays) {
    this.net = net;
  }

  put(size: number, deliver: () => void): boolean {
    const { clock } = this.net;
    this.last = Math.max(this.last, clock.now()) + (this.rate === Infinity ? 0 : (size / this.rate) * 1000);
    this.last = Math.max(this.last, clock.now() + this.net.delay(), this.stalledUntil);
    this.queue.push({ deliver, size, at: this.last });
    this.inFlight += size;
    if (this.inFlight > windowBytes) this.full = true;
    this.#schedule();
    return !this.full;
  }

  /** Delays every delivery until then, also of messages in flight. */
  stall(until: number): void {
    this.stalledUntil = until;
    this.#schedule();
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.#schedule();
  }

  drop(): void {
    this.queue.length = 0;
    this.#timer?.cancel();
  }

  #schedule(): void {
    this.#timer?.cancel();
    const next = this.queue[0];
    if (next === undefined || this.paused) return;
    const at = Math.max(next.at, this.stalledUntil);
    this.#timer = this.net.clock.after(at - this.net.clock.now(), () => this.#deliver());
  }

  #deliver(): void {
    const next = this.queue.shift();
    if (next === undefined) return;
    this.inFlight -= next.size;
    next.deliver();
    if (this.full && this.inFlight <= windowBytes / 2) {
      this.full = false;
      this.onDrained();
    }
    this.#schedule();
  }
}

/** One end of a stream. */
export interface StreamEnd {
  events: LinkEvents;
  over: boolean;
}

/** A stream: its two ends, its two directions, and its faults. */
export class SimulatedStream {
  readonly toServer: StreamDirection;
  readonly toClient: StreamDirection;
  readonly client: StreamEnd;
  server: StreamEnd | undefined;
  #pinger: Timer | undefined;

  constructor(net: Delays, events: LinkEvents, keepalive: number | undefined, sent: () => void) {
    this.toServer = new StreamDirection(net);
    this.toClient = new StreamDirection(net);
    this.client = { events, over: false };
    this.toServer.onDrained = () => this.#notify(this.client, (e) => e.drained());
    this.toClient.onDrained = () => this.#notify(this.server, (e) => e.drained());
    if (keepalive !== undefined) this.#ping(net.clock, keepalive, sent);
  }

  #ping(clock: Clock, every: number, sent: () => void): void {
    this.#pinger = clock.after(every, () => {
      if (this.client.over) return;
      sent();
      this.toServer.put(0, () => this.#notify(this.server, (e) => e.ping()));
      this.#ping(clock, every, sent);
    });
  }

  #notify(end: StreamEnd | undefined, event: (events: LinkEvents) => void): void {
    if (end !== undefined && !end.over) event(end.events);
  }

  /** Queues an event for the server or the client. */
  carry(to: 'server' | 'client', size: number, event: (events: LinkEvents) => void): boolean {
    const direction = to === 'server' ? this.toServer : this.toClient;
    return direction.put(size, () => this.#notify(to === 'server' ? this.server : this.client, event));
  }

  /** Ends the stream by one side. The other side is notified after all earlier messages. */
  finish(by: 'server' | 'client', status: Status | undefined): void {
    this.#pinger?.cancel();
    const own = by === 'server' ? this.server : this.client;
    if (own === undefined || own.over) return;
    const to = by === 'server' ? 'client' : 'server';
    this.release(to);
    own.over = true;
    this.carry(to, 0, (events) => {
      const other = to === 'server' ? this.server : this.client;
      if (other !== undefined) other.over = true;
      (to === 'server' ? this.toClient : this.toServer).drop();
      events.ended(status);
    });
  }

  /** Whether the stream has ended for both ends. */
  over(): boolean {
    return this.client.over && (this.server?.over ?? true);
  }

  /** Queues a message: in pieces, under the fault `split`; after others, under the fault `gather`. */
  send(to: 'server' | 'client', written: Uint8Array): boolean {
    const direction = to === 'server' ? this.toServer : this.toClient;
    const bytes = direction.gathering.take(written);
    return bytes === undefined || this.#pass(to, bytes, direction.piece);
  }

  /** Queues what the fault `gather` has held back. */
  release(to: 'server' | 'client'): void {
    const direction = to === 'server' ? this.toServer : this.toClient;
    const held = direction.gathering.end();
    if (held !== undefined) this.#pass(to, held, direction.piece);
  }

  #pass(to: 'server' | 'client', bytes: Uint8Array, piece: number): boolean {
    let room = true;
    for (let at = 0; at < bytes.length || at === 0; at += piece) {
      const part = piece === Infinity ? bytes : bytes.subarray(at, at + piece);
      room = this.carry(to, part.length + 5, (events) => events.message(part));
    }
    return room;
  }

  /** The server takes no further stream on the connection of this one. */
  goaway(): void {
    this.toClient.put(0, () => {
      if (!this.client.over) this.client.events.goaway?.();
    });
  }

  /** Loses the connection: both ends are notified at once, and messages in flight are dropped. */
  vanish(lost: Status | undefined): void {
    this.#pinger?.cancel();
    this.toServer.drop();
    this.toClient.drop();
    for (const [end, status] of [
      [this.server, undefined],
      [this.client, lost],
    ] as const) {
      if (end === undefined || end.over) continue;
      end.over = true;
      end.events.ended(status);
    }
  }
}
