/**
 * One scenario against a target that meets the kit on a plain carrier: a process of its own where the kit starts it,
 * a connection of its own, one trace and one judge. The scenario begins when the connection is there.
 */
import type { Scenario, Metadata } from '../base/index.ts';
import { listenHttp } from '../transport/index.ts';
import type { HttpServer, InTurn } from '../transport/index.ts';
import { framed, realClock } from '../world/index.ts';
import type { Accept, Random } from '../world/index.ts';
import { TargetConnector } from './target-connector.ts';
import type { TargetConnectorOptions } from './target-connector.ts';
import type { Found } from '../judge/index.ts';
import { Lane } from '../suite/index.ts';
import type { Played } from '../scenario/index.ts';
import type { Carrier, Meeting, Suite, TargetPlan } from '../suite/index.ts';

/** On pipes nothing says that a process has started but what it says: at most so long it counts as starting (ms). */
const starting = 1000;

/** After the target closed or ended, what is on its way gets so long to come (ms). */
const afterwards = 300;

/** What it needs. */
export interface CarrierTargetOptions<V> {
  readonly suite: Suite<V>;
  readonly meeting: Meeting<V>;
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  readonly random: Random;
  readonly drive: string;
  readonly timeouts: { readonly [name: string]: number };
  readonly timeoutScale: number;
  readonly redact: ((secret: string) => string) | undefined;
  readonly maxReceive: number;
  readonly only?: ReadonlySet<string>;
  /** How long to wait for the connection (ms). */
  readonly patience: number;
  /** Hears where the kit waits for a target started by hand. */
  readonly listening: (port: number) => void;
}

/** Whether a stream is an exchange with the server beside the carrier. */
const overHttp = (metadata: Metadata): boolean => metadata[':path'] !== undefined;

/** How a scenario went, or why the target did not come. */
export type CarrierOutcome = Played | { readonly absent: string };

/** See the file's head. */
export class CarrierTarget<V> {
  readonly lane: Lane<V>;
  readonly started: number = Date.now();
  readonly #options: CarrierTargetOptions<V>;
  #approach: TargetConnector | undefined;
  #server: HttpServer | undefined;
  /** Where that is. */
  #url = '';
  readonly #flushes: (() => void)[] = [];
  #met = false;
  #interrupted = false;
  #onMet: () => void = () => {};
  #onHeard: () => void = () => {};
  #begin: () => void = () => {};

  constructor(options: CarrierTargetOptions<V>) {
    this.#options = options;
    const { serves } = options.meeting;
    this.lane = new Lane({
      ...options,
      clock: realClock(),
      epoch: Date.now(),
      fault: (fault) => this.#approach?.fault(fault),
      stop: () => this.#approach?.terminate(),
      takes: (metadata) => (overHttp(metadata) ? serves?.peer : undefined),
    });
    this.lane.onEvent = ({ kind, from, to }) => {
      if (from === 'target' && kind !== 'open') this.#onHeard();
      // An exchange that the target lets go of is no end of the carrier.
      if (from === 'target' && to !== serves?.peer && (kind === 'end' || kind === 'reset')) this.#endSoon();
    };
  }

  /**
   * Meets the target and plays. `inTurn` runs its start when not too many others start.
   *
   * @throws WireproofError 'environment' when it cannot be started or reached
   */
  async play(scenario: Scenario, inTurn: InTurn): Promise<CarrierOutcome> {
    const { lane } = this;
    lane.setPeers(scenario.peers);
    const played = new Promise<CarrierOutcome>(
      (resolve) => (this.#begin = () => lane.play(scenario, resolve)),
    );
    const beside = await this.#serve();
    const approach = new TargetConnector({
      ...this.#options,
      ...(beside === undefined ? {} : { beside }),
      accept: this.#accept(),
      onExit: (exit, signal) => this.#exited(exit, signal),
    });
    this.#approach = approach;
    const why = await inTurn(() => this.#start(approach));
    return why === undefined ? played : { absent: why };
  }

  /** @returns why the target did not come; undefined when it did, and its process does not look as if it still started */
  async #start(approach: TargetConnector): Promise<string | undefined> {
    if (this.#interrupted) return 'interrupted';
    const heard = new Promise<void>((resolve) => (this.#onHeard = resolve));
    const why = (await approach.open()) ?? (await this.#awaited(approach));
    if (why !== undefined || this.#options.carrier !== 'stdio' || approach.exit !== undefined) return why;
    const timer = setTimeout(() => this.#onHeard(), starting);
    await heard;
    clearTimeout(timer);
    return undefined;
  }

  /** Opens the server beside the carrier. @returns what the target is told of it */
  async #serve(): Promise<TargetConnectorOptions['beside']> {
    const { meeting, maxReceive, carrier } = this.#options;
    if (meeting.serves === undefined) return undefined;
    const { variable, environment } = meeting.serves;
    const accept = carrier === 'http' ? this.#meets() : this.lane.accept;
    this.#server = await listenHttp({ host: '127.0.0.1', port: 0, accept, maxReceive, prefix: 'h' });
    const url = `http://127.0.0.1:${this.#server.port}`;
    this.lane.setVariable(variable, url);
    this.#url = url;
    return { places: { [variable]: url }, environment: environment(url) };
  }

  #accept(): Accept {
    const { carrier, meeting } = this.#options;
    const accept = this.#meets();
    return carrier === 'ws' ? accept : framed(accept, meeting.framing, (flush) => this.#flushes.push(flush));
  }

  /** Takes each connection; the first begins the scenario. */
  #meets(): Accept {
    return (link, metadata) => {
      const events = this.lane.accept(link, metadata);
      if (!this.#met) {
        this.#met = true;
        this.#begin();
        this.#onMet();
      }
      return events;
    };
  }

  #exited(exit: number | null, signal: string | null): void {
    this.lane.processEnded(exit, signal);
    this.#onMet();
    this.#onHeard();
    this.#endSoon();
  }

  /** Nothing more can come: the scenario ends, once what is on its way has come. */
  #endSoon(): void {
    setTimeout(() => {
      const gone = this.#approach?.exit !== undefined;
      this.lane.abort(gone ? 'the process of the target ended' : 'the target closed the connection');
    }, afterwards);
  }

  /** @returns why the target did not come; undefined when it did */
  async #awaited(approach: TargetConnector): Promise<string | undefined> {
    const { patience, target, listening } = this.#options;
    const { port } = approach;
    if (target.kind === 'listen') listening(port);
    if (!this.#met && approach.exit === undefined && !this.#interrupted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.#onMet = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#met) return undefined;
    if (this.#interrupted) return 'interrupted';
    if (approach.exit !== undefined) return `${approach.exit} before it connected`;
    if (this.#options.carrier === 'http')
      return `the program made no request in ${patience} ms; the kit is at ${this.#url}, which is in its environment (wireproof explain carriers)`;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to 127.0.0.1:${port} in ${patience} ms${hint}`;
  }

  /** Why nothing was heard on the target's pipes, where its process has ended by itself; undefined: something was. */
  unheard(): string | undefined {
    const exit = this.#approach?.exit;
    if (exit === undefined || this.#options.carrier !== 'stdio') return undefined;
    const said = this.lane.events.some(
      ({ from, kind }) => from === 'target' && (kind === 'message' || kind === 'undecodable'),
    );
    return said ? undefined : `${exit} before it said anything on its stdout`;
  }

  /** Ends a wait for the target, or the scenario in play. */
  interrupt(): void {
    this.#interrupted = true;
    this.#onMet();
    this.#onHeard();
    this.lane.abort('interrupted');
  }

  /** Watches for late events (`ms`), ends the trace, then the connection and the process. */
  async close(ms: number): Promise<ReadonlyMap<string, Found>> {
    if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms));
    for (const flush of this.#flushes) flush();
    const found = this.lane.end();
    await this.#approach?.close();
    await this.#server?.close();
    return found;
  }

  /** The end of what the target printed. */
  output(): readonly string[] {
    return this.#approach?.output() ?? [];
  }
}
