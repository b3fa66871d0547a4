/**
 * The simulated network: streams of messages between roles in one thread, on a virtual clock. Delays are seeded.
 * Messages keep their order within one direction of a stream, not between streams. Faults cut, stall and slow them.
 */
import type { Metadata } from '../base/index.ts';
import type { Clock } from './clock.ts';
import { ignoredEvents, tooManyPings } from './link.ts';
import type { Accept, Dial, Fault, GoawayCode, Link } from './link.ts';
import { SimulatedStream } from './simulated-stream.ts';
import type { StreamEnd } from './simulated-stream.ts';
import type { Random } from './random.ts';

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

/** A network with one listener; see {@link Network.dial}. */
export class Network {
  readonly clock: Clock;
  /** Called for each keepalive ping that a dialling side sends. */
  onPing: ((conn: string) => void) | undefined;
  readonly #random: Random;
  readonly #options: NetworkOptions;
  readonly #streams = new Map<string, SimulatedStream>();
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
    const stream = new SimulatedStream(this, events, options.keepalive, () => this.onPing?.(conn));
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

  #open(stream: SimulatedStream, conn: string, name: string, metadata: Metadata): void {
    stream.toServer.put(0, () => {
      const accept = this.#accept;
      if (accept === undefined) {
        this.#vanish(stream);
        return;
      }
      const server: StreamEnd = { events: ignoredEvents, over: false };
      stream.server = server;
      server.events = accept(this.#link(stream, 'server', conn, name), metadata);
    });
  }

  #link(stream: SimulatedStream, side: 'server' | 'client', conn: string, name: string): Link {
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

  #vanish(stream: SimulatedStream, message = 'connection lost'): void {
    stream.vanish(this.#options.orderly === true ? undefined : { code: 14, message });
  }

  #goaway(stream: SimulatedStream, code: GoawayCode): void {
    if (code === 'NO_ERROR') stream.goaway();
    else this.#vanish(stream, `GOAWAY with ${code}: ${tooManyPings}`);
  }

  #apply(stream: SimulatedStream, fault: Fault): void {
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
