/**
 * The simulated network: streams of messages between roles in one thread, on a virtual clock. Delays are seeded;
 * order holds within a stream and direction, not between streams. It cuts, stalls and slows like a real one.
 */
import type { Metadata, Status } from '../base/index.ts';
import type { Clock, Timer } from './clock.ts';
import type { Accept, Dial, Fault, Link, LinkEvents } from './link.ts';
import type { Random } from './random.ts';

/** Bytes in flight in one direction before `send` answers false: HTTP/2's default window. */
const windowBytes = 65_535;

/** How the network behaves when nothing disturbs it. */
export interface NetworkOptions {
  /** Each delivery takes between `min` and `max` ms. */
  readonly delay: { readonly min: number; readonly max: number };
  /** Whether either side may close in an orderly way, as on a socket; absent: a client that closes cancels. */
  readonly orderly?: boolean;
  /** Whether links carry bytes, and not messages: a split cuts what is sent. */
  readonly bytes?: boolean;
  /** Stands before the names of connections and streams, where a trace has those of several networks. */
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

  /** Holds everything back until then, also what is on its way. */
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

/** A stream: two ends, two lanes, and what can befall it. */
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
    this.toServer.onDrained = () => this.#tell(this.client, (e) => e.drained());
    this.toClient.onDrained = () => this.#tell(this.server, (e) => e.drained());
    if (keepalive !== undefined) this.#ping(net.clock, keepalive, sent);
  }

  #ping(clock: Clock, every: number, sent: () => void): void {
    this.#pinger = clock.after(every, () => {
      if (this.client.over) return;
      sent();
      this.toServer.put(0, () => this.#tell(this.server, (e) => e.ping()));
      this.#ping(clock, every, sent);
    });
  }

  #tell(end: End | undefined, what: (events: LinkEvents) => void): void {
    if (end !== undefined && !end.over) what(end.events);
  }

  /** Queues an event for the server's or the client's end. */
  carry(to: 'server' | 'client', size: number, what: (events: LinkEvents) => void): boolean {
    const lane = to === 'server' ? this.toServer : this.toClient;
    return lane.put(size, () => this.#tell(to === 'server' ? this.server : this.client, what));
  }

  /** Ends the stream for one side once all before it has arrived; the other side has ended it already. */
  finish(by: 'server' | 'client', status: Status | undefined): void {
    this.#pinger?.cancel();
    const own = by === 'server' ? this.server : this.client;
    if (own === undefined || own.over) return;
    own.over = true;
    const to = by === 'server' ? 'client' : 'server';
    this.carry(to, 0, (events) => {
      const other = to === 'server' ? this.server : this.client;
      if (other !== undefined) other.over = true;
      (to === 'server' ? this.toClient : this.toServer).drop();
      events.ended(status);
    });
  }

  /** Whether both ends know that it is over. */
  over(): boolean {
    return this.client.over && (this.server?.over ?? true);
  }

  /** Queues what was sent: in pieces, where the connection is split. */
  send(to: 'server' | 'client', bytes: Uint8Array): boolean {
    const { piece } = to === 'server' ? this.toServer : this.toClient;
    let room = true;
    for (let at = 0; at < bytes.length || at === 0; at += piece) {
      const part = piece === Infinity ? bytes : bytes.subarray(at, at + piece);
      room = this.carry(to, part.length + 5, (events) => events.message(part));
    }
    return room;
  }

  /** The connection is gone: both ends hear it at once, what was in flight is lost. */
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

/** A network of one listener; see {@link Network.dial}. */
export class Network {
  readonly clock: Clock;
  /** Hears each keepalive ping that a dialling side sends. */
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

  /** From now on dialled streams reach `accept`; `undefined`: nobody listens. */
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
      const server: End = { events: silent, over: false };
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

  /** Disturbs a stream's connection, or all of them. Unknown or ended streams are left alone. */
  fault(name: string | undefined, fault: Fault): void {
    for (const [key, stream] of this.#streams) {
      if (name !== undefined && name !== key) continue;
      if (stream.over()) this.#streams.delete(key);
      else this.#disturb(stream, fault);
    }
  }

  #vanish(stream: Stream): void {
    stream.vanish(this.#options.orderly === true ? undefined : { code: 14, message: 'connection lost' });
  }

  #disturb(stream: Stream, fault: Fault): void {
    if (fault.kind === 'cut' || fault.kind === 'reset') this.#vanish(stream);
    for (const lane of [stream.toServer, stream.toClient]) {
      if (fault.kind === 'stall') lane.stall(this.clock.now() + fault.ms);
      if (fault.kind === 'slow') lane.rate = fault.rate;
      if (fault.kind === 'split' && this.#options.bytes === true) lane.piece = fault.size;
      if (fault.kind === 'restore') lane.rate = Infinity;
      if (fault.kind === 'restore') lane.piece = Infinity;
    }
  }
}

const silent: LinkEvents = {
  headers: () => {},
  message: () => {},
  halfClose: () => {},
  ended: () => {},
  drained: () => {},
  ping: () => {},
};
