/**
 * The simulated network: streams of messages between roles in one thread, on a virtual clock. Delays are seeded.
 * Messages keep their order within one direction of a stream, not between streams. Faults cut, stall and slow them.
 */
import type { Metadata, Status } from '../base/index.ts';
import type { Clock, Timer } from './clock.ts';
import { Gathering } from './gather.ts';
import { ignoredEvents, tooManyPings } from './link.ts';
import type { Accept, Dial, Fault, GoawayCode, Link, LinkEvents } from './link.ts';
import type { Random } from './random.ts';

/** `send` returns false from this many bytes in flight in one direction on: HTTP/2's default window. */
const windowBytes = 65_535;

/** The behaviour of a network without faults. */
export interface NetworkOptions {
  /** Each delivery takes between `min` and `max` milliseconds. */
  readonly delay: { readonly min: number; readonly max: number };
  /** Whether a client, too, can close with a status, as on a socket; absent: a client that closes cancels. */
  readonly orderly?: boolean;
  /** Whether links carry bytes instead of messages, so that the fault `split` can cut them. */
  readonly bytes?: boolean;
  /** Prefix of the names of connections and streams, for a trace of several networks. */
  readonly prefix?: string;
}

/** One direction of a stream: an ordered queue of deliveries. */
class StreamDirection {
  readonly queue: { readonly deliver: () => void; readonly size: number; readonly at: number }[] = [];
  readonly net: Network;
  inFlight = 0;
  full = false;
  paused = false;
  stalledUntil = 0;
  rate = Infinity;
  piece = Infinity;
  readonly gathering = new Gathering();
  last = 0;
  #timer: Timer | undefined;
  onDrained: () => void = () => {};

  constructor(net: Network) {
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

interface End {
  events: LinkEvents;
  over: boolean;
}

/** A stream: its two ends, its two directions, and its faults. */
class Stream {
  readonly toServer: StreamDirection;
  readonly toClient: StreamDirection;
  readonly client: End;
  server: End | undefined;
  #pinger: Timer | undefined;

  constructor(net: Network, events: LinkEvents, keepalive: number | undefined, sent: () => void) {
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

  #notify(end: End | undefined, event: (events: LinkEvents) => void): void {
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

  /** Queues a message: in pieces, under the fault `split`; behind others, under the fault `gather`. */
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

/** A network with one listener; see {@link Network.dial}. */
export class Network {
  readonly clock: Clock;
  /** Called for each keepalive ping that a dialling side sends. */
  onPing: ((conn: string) => void) | undefined;
  readonly #random: Random;
  readonly #options: NetworkOptions;
  readonly #streams = new Map<string, Stream>();
  #accept: Accept | undefined;
  #count = 0;

  constructor(clock: Clock, random: Random, options: NetworkOptions = { delay: { min: 0.05, max: 1 } }) {
    this.clock = clock;
    this.#random = random;
    this.#options = options;
  }

  /** A seeded delivery delay in ms. */
  delay(): number {
    const { min, max } = this.#options.delay;
    return min + this.#random.next() * (max - min);
  }

  /** Gives streams that are dialled from now on to `accept`; undefined: dials fail. */
  listen(accept: Accept | undefined): void {
    this.#accept = accept;
  }

  /** Opens a stream on a connection of its own. */
  readonly dial: Dial = (options, events) => {
    const { prefix = '' } = this.#options;
    const n = String(++this.#count);
    const [conn, name] = [`${prefix}c${n}`, `${prefix}s${n}`];
    const stream = new Stream(this, events, options.keepalive, () => this.onPing?.(conn));
    if (this.#accept === undefined) {
      stream.carry('client', 0, (e) => {
        stream.client.over = true;
        e.ended({ code: 14, message: 'nobody listens' });
      });
    } else {
      this.#streams.set(name, stream);
      this.#open(stream, conn, name, options.metadata);
    }
    return this.#link(stream, 'client', conn, name);
  };

  #open(stream: Stream, conn: string, name: string, metadata: Metadata): void {
    stream.toServer.put(0, () => {
      const accept = this.#accept;
      if (accept === undefined) {
        this.#vanish(stream);
        return;
      }
      const server: End = { events: ignoredEvents, over: false };
      stream.server = server;
      server.events = accept(this.#link(stream, 'server', conn, name), metadata);
    });
  }

  #link(stream: Stream, side: 'server' | 'client', conn: string, name: string): Link {
    const other = side === 'server' ? 'client' : 'server';
    const own = side === 'server' ? stream.toServer : stream.toClient;
    const { orderly = false } = this.#options;
    const over = (): boolean => (side === 'server' ? stream.server : stream.client)?.over ?? false;
    return {
      conn,
      stream: name,
      headers: (metadata) => void stream.carry(other, 0, (e) => e.headers(metadata)),
      send: (bytes) => over() || stream.send(other, bytes),
      halfClose: () => void (over() || stream.carry(other, 0, (e) => e.halfClose())),
      close: (status) => stream.finish(side, orderly || side === 'server' ? status : undefined),
      pause: () => own.pause(true),
      resume: () => own.pause(false),
    };
  }

  /** Applies a fault to one stream's connection, or to all. Unknown and ended streams are ignored. */
  fault(name: string | undefined, fault: Fault): void {
    for (const [key, stream] of this.#streams) {
      if (name !== undefined && name !== key) continue;
      if (stream.over()) this.#streams.delete(key);
      else this.#apply(stream, fault);
    }
  }

  #vanish(stream: Stream, message = 'connection lost'): void {
    stream.vanish(this.#options.orderly === true ? undefined : { code: 14, message });
  }

  #goaway(stream: Stream, code: GoawayCode): void {
    if (code === 'NO_ERROR') stream.goaway();
    else this.#vanish(stream, `GOAWAY with ${code}: ${tooManyPings}`);
  }

  #apply(stream: Stream, fault: Fault): void {
    if (fault.kind === 'cut' || fault.kind === 'reset') this.#vanish(stream);
    if (fault.kind === 'goaway') this.#goaway(stream, fault.code);
    for (const direction of [stream.toServer, stream.toClient]) {
      if (fault.kind === 'stall') direction.stall(this.clock.now() + fault.ms);
      if (fault.kind === 'slow') direction.rate = fault.rate;
      if (fault.kind === 'split' && this.#options.bytes === true) direction.piece = fault.size;
      if (fault.kind === 'restore') direction.rate = direction.piece = Infinity;
    }
    // The listener of a network of bytes is the kit.
    if (fault.kind === 'gather' && this.#options.bytes === true) stream.toClient.gathering.begin(fault.size);
    if (fault.kind === 'restore') stream.release('client');
  }
}
