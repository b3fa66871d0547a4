/**
 * Runs one role on a clock and on links: decodes what comes, steps the role, does what it asks. The same host
 * serves real transports and the simulated network.
 */
import type { Codec, Metadata, Role, RoleInput, RoleOutput, Status } from '../base/index.ts';
import type { Clock, Timer } from './clock.ts';
import { LinkListener } from './link-listener.ts';
import type { Hear } from './link-listener.ts';
import type { Dial, Link, LinkEvents } from './link.ts';

/** What a host shows of its wires, as it happens. Incoming first, then what the role answers. */
export type WireEvent = { readonly conn: string; readonly stream: string; readonly incoming: boolean } & (
  | { readonly kind: 'open' | 'headers'; readonly metadata: Metadata }
  | {
      readonly kind: 'message';
      readonly message: unknown;
      readonly bytes: Uint8Array;
      readonly note?: string;
    }
  | {
      readonly kind: 'undecodable';
      readonly bytes: Uint8Array;
      readonly note: string;
      /** The codec's word for the fault. */
      readonly code: string;
    }
  | { readonly kind: 'half_close' | 'reset' | 'ping' }
  | { readonly kind: 'end'; readonly status: Status }
);

interface Incoming {
  readonly conn: string;
  readonly stream: string;
  readonly incoming: true;
}

/** What a host needs. */
export interface HostOptions<S, In, Out, C> {
  readonly role: Role<S, In, Out, C>;
  readonly clock: Clock;
  readonly receives: Codec<In>;
  readonly sends: Codec<Out>;
  /** Codecs by a stream's metadata, where a role speaks on streams of several kinds; absent: the two above. */
  readonly wireOf?: (metadata: Metadata) => { readonly receives: Codec<In>; readonly sends: Codec<Out> };
  /** How `dial` outputs reach a listener; absent: they are told as `left`. */
  readonly dial?: Dial;
  /** Hears everything that crosses. */
  readonly tap?: (event: WireEvent) => void;
  /** Hears what the role tells its application. */
  readonly report?: (what: string, detail: string) => void;
  /** Runs an effect at once, before the outputs that follow it; what it returns is the role's `effect` input. */
  readonly effect?: (effect: unknown) => unknown;
}

/** An open link and what is spoken on it. */
interface Open<In, Out> {
  readonly link: Link;
  readonly receives: Codec<In>;
  readonly sends: Codec<Out>;
}

/** A running role. */
export class Host<S, In, Out, C> {
  readonly #options: HostOptions<S, In, Out, C>;
  readonly #links = new Map<string, Open<In, Out>>();
  readonly #timers = new Map<string, Timer>();
  readonly #inbox: RoleInput<In, C>[] = [];
  #state: S;
  #busy = false;
  #stopped = false;

  constructor(options: HostOptions<S, In, Out, C>) {
    this.#options = options;
    this.#state = options.role.start();
  }

  /** Tells the role that it begins. */
  begin(): void {
    this.#step({ type: 'started' });
  }

  /** Takes a link that the other side opened; pass this as a listener's `accept`. */
  readonly accept = (link: Link, metadata: Metadata): LinkEvents => {
    const peer = link.stream;
    this.#links.set(peer, this.#opened(link, metadata));
    this.#tap({ kind: 'open', conn: link.conn, stream: link.stream, incoming: true, metadata });
    // The transport hears of what we do to the link only after it has our events.
    const events = this.#eventsOf(peer, link);
    this.#step({ type: 'opened', peer, metadata });
    return events;
  };

  /** Gives the role an operator's or a scenario's command. */
  command(command: C): void {
    this.#step({ type: 'command', command });
  }

  /** The names under which the role knows the links that are open. */
  peers(): readonly string[] {
    return [...this.#links.keys()];
  }

  /** Ends everything: timers are called off, links closed. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    for (const { link } of this.#links.values()) link.close({ code: 14, message: 'stopped' });
    this.#timers.clear();
    this.#links.clear();
  }

  #tap(event: WireEvent): void {
    this.#options.tap?.(event);
  }

  #opened(link: Link, metadata: Metadata): Open<In, Out> {
    const { receives, sends, wireOf } = this.#options;
    const codecs = wireOf?.(metadata) ?? { receives, sends };
    return { link, receives: codecs.receives, sends: codecs.sends };
  }

  /** Steps the role; an input that comes while outputs are being done waits its turn. */
  #step(input: RoleInput<In, C>): void {
    this.#inbox.push(input);
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#inbox.shift(); next !== undefined && !this.#stopped; next = this.#inbox.shift()) {
      const { state, outputs } = this.#options.role.step(this.#state, next, this.#options.clock.now());
      this.#state = state;
      for (const output of outputs) this.#do(output);
    }
    this.#busy = false;
  }

  /** What a link hears. `link` may get its names later: a dialled one has them only when it is there. */
  #eventsOf(peer: string, link: { readonly conn: string; readonly stream: string }): LinkEvents {
    return new LinkListener(this.#hear, peer, link);
  }

  /** Takes what a link heard, if it is still one of ours. */
  readonly #hear: Hear = (peer, link, heard) => {
    const open = this.#links.get(peer);
    if (open === undefined || this.#stopped) return;
    const here: Incoming = { conn: link.conn, stream: link.stream, incoming: true };
    switch (heard.type) {
      case 'headers':
        this.#tap({ kind: 'headers', ...here, metadata: heard.metadata });
        return this.#step({ type: 'headers', peer, metadata: heard.metadata });
      case 'message':
        return this.#message(peer, here, heard.bytes, open.receives);
      case 'half_close':
        this.#tap({ kind: 'half_close', ...here });
        return this.#step({ type: 'half_close', peer });
      case 'ended':
        return this.#left(peer, here, heard.status);
      case 'drained':
        return this.#step({ type: 'drained', peer });
      case 'ping':
        return this.#tap({ kind: 'ping', ...here });
      default:
        heard satisfies never;
    }
  };

  #left(peer: string, here: Incoming, status: Status | undefined): void {
    this.#tap(status === undefined ? { kind: 'reset', ...here } : { kind: 'end', ...here, status });
    this.#links.delete(peer);
    this.#step(status === undefined ? { type: 'left', peer } : { type: 'left', peer, status });
  }

  #message(peer: string, wire: Incoming, bytes: Uint8Array, receives: Codec<In>): void {
    const decoded = receives.decode(bytes);
    if (!decoded.ok) {
      const { code, message: reason } = decoded.error;
      this.#tap({ kind: 'undecodable', ...wire, bytes, note: reason, code });
      this.#step({ type: 'undecodable', peer, reason, code });
      return;
    }
    const { message, note } = decoded.value;
    this.#tap({ kind: 'message', ...wire, message, bytes, ...(note === undefined ? {} : { note }) });
    this.#step({ type: 'message', peer, message });
  }

  #do(output: RoleOutput<Out>): void {
    switch (output.type) {
      case 'dial':
        return this.#dial(output);
      case 'start_timer':
        return this.#startTimer(output.id, output.ms);
      case 'stop_timer':
        this.#timers.get(output.id)?.cancel();
        this.#timers.delete(output.id);
        return;
      case 'tell':
        return this.#options.report?.(output.what, output.detail);
      case 'effect':
        return this.#effect(output.id, output.effect);
      default:
        return this.#toLink(output);
    }
  }

  #effect(id: string, effect: unknown): void {
    const result = this.#options.effect?.(effect);
    if (result !== undefined) this.#step({ type: 'effect', id, result });
  }

  #dial(output: Extract<RoleOutput<Out>, { type: 'dial' }>): void {
    const { peer, metadata, keepalive } = output;
    if (this.#options.dial === undefined) return this.#step({ type: 'left', peer });
    const wire = { conn: '', stream: peer };
    const events = this.#eventsOf(peer, wire);
    const link = this.#options.dial(keepalive === undefined ? { metadata } : { metadata, keepalive }, events);
    wire.conn = link.conn;
    wire.stream = link.stream;
    this.#links.set(peer, this.#opened(link, metadata));
    this.#tap({ kind: 'open', conn: link.conn, stream: link.stream, incoming: false, metadata });
    this.#step({ type: 'opened', peer, metadata });
  }

  #startTimer(id: string, ms: number): void {
    this.#timers.get(id)?.cancel();
    const timer = this.#options.clock.after(ms, () => {
      this.#timers.delete(id);
      this.#step({ type: 'timer', id });
    });
    this.#timers.set(id, timer);
  }

  #toLink(
    output: Exclude<RoleOutput<Out>, { type: 'dial' | 'start_timer' | 'stop_timer' | 'tell' | 'effect' }>,
  ): void {
    const open = this.#links.get(output.peer);
    if (open === undefined) return;
    const { link, sends } = open;
    const wire = { conn: link.conn, stream: link.stream, incoming: false } as const;
    switch (output.type) {
      case 'headers':
        this.#tap({ kind: 'headers', ...wire, metadata: output.metadata });
        return link.headers(output.metadata);
      case 'send': {
        const bytes = sends.encode(output.message);
        if (this.#options.tap !== undefined)
          this.#tap({ kind: 'message', ...wire, message: output.message, bytes });
        return this.#sent(output.peer, link.send(bytes));
      }
      case 'send_raw':
        this.#tapRaw(sends, wire, output.bytes);
        return this.#sent(output.peer, link.send(output.bytes));
      case 'pause':
        return link.pause();
      case 'resume':
        return link.resume();
      case 'half_close':
        this.#tap({ kind: 'half_close', ...wire });
        return link.halfClose();
      case 'close':
        this.#tap({ kind: 'end', ...wire, status: output.status });
        this.#links.delete(output.peer);
        return link.close(output.status, output.metadata);
      default:
        output satisfies never;
    }
  }

  #sent(peer: string, room: boolean): void {
    if (!room) this.#step({ type: 'full', peer });
  }

  #tapRaw(
    sends: Codec<Out>,
    wire: { conn: string; stream: string; incoming: false },
    bytes: Uint8Array,
  ): void {
    const decoded = sends.decode(bytes);
    if (!decoded.ok) {
      const { code, message: note } = decoded.error;
      return this.#tap({ kind: 'undecodable', ...wire, bytes, note, code });
    }
    const { message, note } = decoded.value;
    this.#tap({ kind: 'message', ...wire, message, bytes, ...(note === undefined ? {} : { note }) });
  }
}
