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
import { Latch } from './latch.ts';
import type { Failure, MakeSession, Target } from './target.ts';
import { TargetConnector } from './target-connector.ts';
import type { TargetConnectorOptions } from './target-connector.ts';

/** A process on stdio gives no start signal. Treat it as starting for at most this long (ms). */
const starting = 1000;

/** After the target closed or ended, events on their way get this long to come (ms). */
const afterwards = 300;

/** The scenario, and how the target is reached. */
export interface CarrierTargetOptions {
  readonly kind: CarrierTargetKind<unknown>;
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  readonly scenario: Scenario;
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

/** Whether a stream is an exchange with the server beside the carrier. */
const overHttp = (metadata: Metadata): boolean => metadata[':path'] !== undefined;

/** Whether a testee's line is an answer: what was asked for, an error, or word that it has no such operation. */
const isAnswer = ({ from, kind, data }: TraceEvent): boolean =>
  from === 'target' &&
  kind === 'message' &&
  ['ok', 'error', 'unsupported'].some((member) => data[member] !== undefined);

/** See the file's head. */
export class CarrierTarget implements Target {
  readonly session: TargetSession<unknown>;
  readonly #options: CarrierTargetOptions;
  /** Opens when the target has connected, or cannot any more. */
  readonly #awaited = new Latch();
  /** Opens when the target has said something, or cannot any more. */
  readonly #heard = new Latch();
  readonly #flushes: (() => void)[] = [];
  readonly #ended: Promise<Played>;
  #begin: () => void = () => {};
  #connector: TargetConnector | undefined;
  /** The server beside the carrier, and where it is. */
  #server: HttpServer | undefined;
  #url = '';
  #met = false;
  #interrupted = false;
  #played: Played | undefined;
  /** Whether it left hello unanswered: then its words are shown as what it printed. */
  #deaf = false;

  constructor(options: CarrierTargetOptions) {
    const { kind, session, scenario } = options;
    this.#options = options;
    this.session = session({
      epoch: Date.now(),
      fault: (fault) => this.#connector?.fault(fault),
      stop: () => this.#connector?.terminate(),
      takes: (metadata) => (overHttp(metadata) ? kind.serves?.peer : undefined),
    });
    this.#ended = new Promise((resolve) => (this.#begin = () => this.session.play(scenario, resolve)));
    this.session.onEvent = ({ kind: event, from, to }) => {
      if (from !== 'target') return;
      if (event !== 'open') this.#heard.open();
      // The end of an exchange with the server is no end of the carrier.
      if (to !== kind.serves?.peer && (event === 'end' || event === 'reset')) this.#endSoon();
    };
  }

  async start(): Promise<Failure | undefined> {
    const { inTurn, kind, scenario, carrier } = this.#options;
    this.session.setPeers(scenario.peers);
    const beside = await this.#serve();
    const accept = this.#meets();
    const connector = new TargetConnector({
      ...this.#options,
      ...(beside === undefined ? {} : { beside }),
      ...(kind.messages === undefined ? {} : { messages: kind.messages }),
      accept: carrier === 'ws' ? accept : framed(accept, kind.framing, (flush) => this.#flushes.push(flush)),
      onExit: (exit, signal) => {
        this.session.processEnded(exit, signal);
        this.#awaited.open();
        this.#heard.open();
        this.#endSoon();
      },
    });
    this.#connector = connector;
    const why = await inTurn(() => this.#reach(connector));
    return why === undefined ? undefined : { is: 'absent', why };
  }

  /** @returns why the target did not come; undefined when it did, and seems to have started */
  async #reach(connector: TargetConnector): Promise<string | undefined> {
    const { patience, target, listening, carrier } = this.#options;
    if (this.#interrupted) return 'interrupted';
    const why = await connector.open();
    if (why !== undefined) return why;
    if (target.kind === 'listen') listening(connector.port);
    await this.#awaited.wait(patience);
    if (!this.#met) return this.#absence(connector);
    if (carrier === 'stdio') await this.#heard.wait(starting);
    return undefined;
  }

  #absence(connector: TargetConnector): string {
    const { patience, target, carrier } = this.#options;
    const ending = connector.ending();
    if (this.#interrupted) return 'interrupted';
    if (ending !== undefined) return `the target ${ending} before it connected`;
    if (carrier === 'http')
      return `the program made no request in ${patience} ms; the kit is at ${this.#url}, which is in its environment (wireproof explain carriers)`;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to 127.0.0.1:${connector.port} in ${patience} ms${hint}`;
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

  /** Takes each connection; the first begins the scenario. */
  #meets(): Accept {
    return (link, metadata) => {
      const events = this.session.accept(link, metadata);
      if (!this.#met) {
        this.#met = true;
        this.#begin();
        this.#awaited.open();
      }
      return events;
    };
  }

  /** Nothing more can come: the scenario ends, once events on their way have come. */
  #endSoon(): void {
    setTimeout(() => {
      const ended = this.#connector?.ending() !== undefined;
      this.session.abort(ended ? 'the process of the target ended' : 'the target closed the connection');
    }, afterwards);
  }

  async play(): Promise<Played> {
    this.#played = await this.#ended;
    return this.#played;
  }

  unheard(): string | undefined {
    const { kind, scenario, carrier } = this.#options;
    const ending = this.#connector?.ending();
    if (kind.hello?.scenario === scenario.name) {
      const { events, judge } = this.session;
      this.#deaf = kind.hello.of(judge.view) === undefined && !events.some(isAnswer);
      return this.#deaf ? this.#unanswered(ending) : undefined;
    }
    const silent = carrier === 'stdio' && ending !== undefined && this.#said().length === 0;
    return silent ? `the target ${ending} before it said anything on its stdout` : undefined;
  }

  #unanswered(ending: string | undefined): string {
    const waited = this.#played?.outcome === 'ended-early' ? ` in ${this.#options.handshake} ms` : '';
    const how = ending === undefined ? waited : `: it ${ending}`;
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

  settle(): void {
    for (const flush of this.#flushes) flush();
    const { kind, shown } = this.#options;
    for (const feature of kind.advertised(this.session.judge.view)) shown.add(feature);
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#awaited.open();
    this.#heard.open();
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
