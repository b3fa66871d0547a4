/**
 * Runs one role on a clock and on links: hands it the events of its links, and does its outputs. The same host
 * serves real transports and the simulated network.
 */
import type { Codec, Metadata, Role, RoleInput, RoleOutput } from '../base/index.ts';
import type { Clock, Timer } from './clock.ts';
import { HostLink } from './host-link.ts';
import type { LinkCodecs, LinkHost, WireEvent } from './host-link.ts';
import type { Accept, Dial } from './link.ts';

/** The parts of a host. */
export interface HostOptions<S, In, Out, C> {
  readonly role: Role<S, In, Out, C>;
  readonly clock: Clock;
  readonly receives: Codec<In>;
  readonly sends: Codec<Out>;
  /** Codecs by a stream's metadata, for a role with several kinds of stream; absent: the two above. */
  readonly wireOf?: (metadata: Metadata) => LinkCodecs<In, Out>;
  /** Opens the streams of `dial` outputs; absent: each of them is reported to the role as `left`. */
  readonly dial?: Dial;
  /** Receives everything that crosses the links. */
  readonly tap?: (event: WireEvent) => void;
  /** Receives the role's `tell` outputs. */
  readonly report?: (what: string, detail: string) => void;
  /** Runs an effect at once, before the next output. Its result, unless undefined, is the role's `effect` input. */
  readonly effect?: (effect: unknown) => unknown;
}

/** A running role. */
export class Host<S, In, Out, C> {
  readonly #options: HostOptions<S, In, Out, C>;
  readonly #links = new Map<string, HostLink<In, Out>>();
  readonly #timers = new Map<string, Timer>();
  readonly #inbox: RoleInput<In, C>[] = [];
  readonly #linkHost: LinkHost<In>;
  #state: S;
  #busy = false;
  #stopped = false;

  constructor(options: HostOptions<S, In, Out, C>) {
    this.#options = options;
    this.#state = options.role.start();
    this.#linkHost = {
      tap: options.tap,
      step: (input) => this.#step(input),
      removed: (peer) => void this.#links.delete(peer),
    };
  }

  /** Gives the role its `started` input. */
  begin(): void {
    this.#step({ type: 'started' });
  }

  /** Takes a link that the other side opened; pass this as a listener's `accept`. */
  readonly accept: Accept = (link, metadata) => {
    const opened = this.#newLink(link.stream, metadata);
    this.#links.set(link.stream, opened);
    opened.open(link, true, metadata);
    this.#step({ type: 'opened', peer: link.stream, metadata });
    return opened;
  };

  /** Gives the role a command of an operator or a scenario. */
  command(command: C): void {
    this.#step({ type: 'command', command });
  }

  /** The role's names of the open links. */
  peers(): readonly string[] {
    return [...this.#links.keys()];
  }

  /** Cancels all timers and closes all links. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    for (const link of this.#links.values()) link.stop({ code: 14, message: 'stopped' });
    this.#timers.clear();
    this.#links.clear();
  }

  #newLink(peer: string, metadata: Metadata): HostLink<In, Out> {
    return new HostLink(this.#linkHost, peer, this.#options.wireOf?.(metadata) ?? this.#options);
  }

  /** Steps the role. An input that comes while outputs are being done waits its turn. */
  #step(input: RoleInput<In, C>): void {
    this.#inbox.push(input);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined && !this.#stopped; next = this.#inbox.shift()) {
        const { state, outputs } = this.#options.role.step(this.#state, next, this.#options.clock.now());
        this.#state = state;
        for (const output of outputs) this.#do(output);
      }
    } finally {
      // Where an input's fault ends one exchange only, the inputs of others must still be taken.
      this.#busy = false;
    }
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
      default: {
        const link = this.#links.get(output.peer);
        if (output.type === 'close') this.#links.delete(output.peer);
        return link?.put(output);
      }
    }
  }

  #effect(id: string, effect: unknown): void {
    const result = this.#options.effect?.(effect);
    if (result !== undefined) this.#step({ type: 'effect', id, result });
  }

  #dial({ peer, metadata, keepalive }: Extract<RoleOutput<Out>, { type: 'dial' }>): void {
    const { dial } = this.#options;
    if (dial === undefined) return this.#step({ type: 'left', peer });
    const opened = this.#newLink(peer, metadata);
    const link = dial(keepalive === undefined ? { metadata } : { metadata, keepalive }, opened);
    this.#links.set(peer, opened);
    opened.open(link, false, metadata);
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
}
