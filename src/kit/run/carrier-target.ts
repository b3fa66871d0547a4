/**
 * One scenario against a target on a plain carrier, with a process of its own where the kit starts it, and a connection
 * of its own. The scenario begins when the connection is there.
 */
import type { Metadata, Scenario, TraceEvent } from '../base/index.ts';
import type { Played } from '../scenario/index.ts';
import type { Carrier, CarrierTargetKind, TargetPlan, TargetSession } from '../suite/index.ts';
import { listenHttp } from '../transport/index.ts';
import type { HttpServer, InTurn } from '../transport/index.ts';
import { framed } from '../world/index.ts';
import type { Accept } from '../world/index.ts';
import type { EndedTrace, MakeSession, Readiness, Target } from './target.ts';
import { TargetConnector } from './target-connector.ts';
import type { TargetConnectorOptions } from './target-connector.ts';

/** A process on stdio gives no start signal. Treat it as starting for at most this long (ms). */
const starting = 1000;

/** After the target closed or ended, events on their way get this long to come (ms). */
const afterwards = 300;

/** How it is reached. */
export interface CarrierTargetOptions {
  readonly kind: CarrierTargetKind<unknown>;
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  readonly session: MakeSession;
  readonly maxReceive: number;
  /** Runs its start when not too many others start. */
  readonly inTurn: InTurn;
  /** How long to wait for the answer to a hello (ms). */
  readonly handshake: number;
  /** How long to wait for the connection (ms). */
  readonly patience: number;
  /** Called with the port where the kit waits for a target started by hand. */
  readonly listening: (port: number) => void;
  /** Takes the features that the target has shown. */
  readonly shown: Set<string>;
}

/** Whether a testee's line answers a request: with what it wanted, with an error, or by saying that it cannot. */
const isAnswer = ({ from, kind, data }: TraceEvent): boolean =>
  from === 'target' &&
  kind === 'message' &&
  ['ok', 'error', 'unsupported'].some((member) => data[member] !== undefined);

/** Whether a stream is an exchange with the server beside the carrier. */
const overHttp = (metadata: Metadata): boolean => metadata[':path'] !== undefined;

/** See the file's head. */
export class CarrierTarget implements Target {
  readonly session: TargetSession<unknown>;
  readonly #options: CarrierTargetOptions;
  readonly #started = Date.now();
  readonly #flushes: (() => void)[] = [];
  #connector: TargetConnector | undefined;
  /** The server beside the carrier, and where it is. */
  #server: HttpServer | undefined;
  #url = '';
  #scenario: Scenario | undefined;
  readonly #ended: Promise<Played>;
  #end: (played: Played) => void = () => {};
  /** Whether its scenario waited in vain for an answer. */
  #waited = false;
  /** Whether it left hello unanswered: then its words are shown as what it printed. */
  #deaf = false;
  #met = false;
  #interrupted = false;
  #begin: () => void = () => {};
  #onMet: () => void = () => {};
  #onHeard: () => void = () => {};

  constructor(options: CarrierTargetOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
    const { serves } = options.kind;
    this.session = options.session({
      epoch: Date.now(),
      fault: (fault) => this.#connector?.fault(fault),
      stop: () => this.#connector?.terminate(),
      takes: (metadata) => (overHttp(metadata) ? serves?.peer : undefined),
    });
    this.session.onEvent = ({ kind, from, to }) => {
      if (from === 'target' && kind !== 'open') this.#onHeard();
      // The end of an exchange with the server is no end of the carrier.
      if (from === 'target' && to !== serves?.peer && (kind === 'end' || kind === 'reset')) this.#endSoon();
    };
  }

  async start(scenario: Scenario): Promise<Readiness> {
    const { session } = this;
    const { inTurn, kind } = this.#options;
    this.#scenario = scenario;
    session.setPeers(scenario.peers);
    this.#begin = () => session.play(scenario, this.#end);
    const beside = await this.#serve();
    const connector = new TargetConnector({
      ...this.#options,
      ...(beside === undefined ? {} : { beside }),
      ...(kind.messages === undefined ? {} : { messages: kind.messages }),
      accept: this.#accept(),
      onExit: (exit, signal) => this.#exited(exit, signal),
    });
    this.#connector = connector;
    const why = await inTurn(() => this.#reach(connector));
    return why === undefined ? { is: 'ready' } : { is: 'absent', why };
  }

  /** @returns why the target did not come; undefined when it did, and seems to have started */
  async #reach(connector: TargetConnector): Promise<string | undefined> {
    if (this.#interrupted) return 'interrupted';
    const heard = new Promise<void>((resolve) => (this.#onHeard = resolve));
    const why = (await connector.open()) ?? (await this.#awaited(connector));
    if (why !== undefined || this.#options.carrier !== 'stdio' || connector.ending() !== undefined)
      return why;
    const timer = setTimeout(() => this.#onHeard(), starting);
    await heard;
    clearTimeout(timer);
    return undefined;
  }

  /** Opens the server beside the carrier. @returns what the target is told of it */
  async #serve(): Promise<TargetConnectorOptions['beside']> {
    const { kind, maxReceive, carrier } = this.#options;
    if (kind.serves === undefined) return undefined;
    const { variable, environment } = kind.serves;
    const accept = carrier === 'http' ? this.#meets() : this.session.accept;
    this.#server = await listenHttp({ host: '127.0.0.1', port: 0, accept, maxReceive, prefix: 'h' });
    this.#url = `http://127.0.0.1:${this.#server.port}`;
    this.session.setVariable(variable, this.#url);
    return { places: { [variable]: this.#url }, environment: environment(this.#url) };
  }

  #accept(): Accept {
    const { carrier, kind } = this.#options;
    const accept = this.#meets();
    return carrier === 'ws' ? accept : framed(accept, kind.framing, (flush) => this.#flushes.push(flush));
  }

  /** Takes each connection; the first begins the scenario. */
  #meets(): Accept {
    return (link, metadata) => {
      const events = this.session.accept(link, metadata);
      if (!this.#met) {
        this.#met = true;
        this.#begin();
        this.#onMet();
      }
      return events;
    };
  }

  #exited(exit: number | null, signal: string | null): void {
    this.session.processEnded(exit, signal);
    this.#onMet();
    this.#onHeard();
    this.#endSoon();
  }

  /** Nothing more can come: the scenario ends, once events on their way have come. */
  #endSoon(): void {
    setTimeout(() => {
      const ended = this.#connector?.ending() !== undefined;
      this.session.abort(ended ? 'the process of the target ended' : 'the target closed the connection');
    }, afterwards);
  }

  /** @returns why the target did not come; undefined when it did */
  async #awaited(connector: TargetConnector): Promise<string | undefined> {
    const { patience, target, listening, carrier } = this.#options;
    const { port } = connector;
    if (target.kind === 'listen') listening(port);
    if (!this.#met && connector.ending() === undefined && !this.#interrupted) {
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
    if (connector.ending() !== undefined) return `the target ${connector.ending()} before it connected`;
    if (carrier === 'http')
      return `the program made no request in ${patience} ms; the kit is at ${this.#url}, which is in its environment (wireproof explain carriers)`;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to 127.0.0.1:${port} in ${patience} ms${hint}`;
  }

  /** Waits for the end of the scenario. */
  async play(): Promise<Played> {
    const played = await this.#ended;
    this.#waited = played.outcome === 'ended-early';
    return played;
  }

  fit(): boolean {
    return false;
  }

  unheard(): string | undefined {
    const { hello } = this.#options.kind;
    if (hello !== undefined && hello.scenario === this.#scenario?.name) {
      this.#deaf = hello.of(this.session.judge.view) === undefined && !this.session.events.some(isAnswer);
      return this.#deaf ? this.#unanswered() : undefined;
    }
    const ending = this.#connector?.ending();
    if (ending === undefined || this.#options.carrier !== 'stdio') return undefined;
    return this.#said().length > 0 ? undefined : `the target ${ending} before it said anything on its stdout`;
  }

  #unanswered(): string {
    const ending = this.#connector?.ending();
    const timedOut = this.#waited ? ` in ${this.#options.handshake} ms` : '';
    const how = ending === undefined ? timedOut : `: it ${ending}`;
    return `the program did not answer hello${how}; it must answer one JSON object a line on its stdout`;
  }

  /** What the target said on its stdout, as lines. */
  #said(): readonly string[] {
    return this.session.events.flatMap(({ from, kind, data, bytes }) => {
      if (from !== 'target') return [];
      if (kind === 'message') return [JSON.stringify(data)];
      return kind === 'undecodable' ? [Buffer.from(bytes ?? '', 'base64').toString('utf8')] : [];
    });
  }

  async finish(ms: number): Promise<EndedTrace> {
    if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms));
    for (const flush of this.#flushes) flush();
    const found = this.session.end();
    const { events, judge } = this.session;
    for (const feature of this.#options.kind.advertised(judge.view)) this.#options.shown.add(feature);
    return { events, found, started: this.#started, scenarios: [this.#scenario?.name ?? ''] };
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#onMet();
    this.#onHeard();
    this.session.abort('interrupted');
  }

  async stop(): Promise<void> {
    this.session.end();
    await this.#connector?.close();
    await this.#server?.close();
  }

  output(): readonly string[] {
    return [...(this.#deaf ? this.#said() : []), ...(this.#connector?.output() ?? [])];
  }
}
