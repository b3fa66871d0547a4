/**
 * One scenario against a target on a plain carrier, with its own connection and, if the kit starts it, its own process.
 * The scenario begins with the connection.
 */
import type { Scenario } from '../base/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import type { Carrier, CarrierTargetKind, TargetPlan, TargetSession } from '../suite/index.ts';
import { fileWatch, machineDelay, rethrowKitFault, scratchFolder } from '../transport/index.ts';
import type { FileWatch, InTurn } from '../transport/index.ts';
import { framed } from '../world/index.ts';
import type { Accept } from '../world/index.ts';
import { HeldOutput, heldOutputNote } from './held-output.ts';
import { Latch } from './latch.ts';
import { Printed } from './printed.ts';
import { addressHint } from './address-hint.ts';
import { endNote, hangText } from './program-end.ts';
import { openSideServer } from './side-server.ts';
import type { OpenSideServer } from './side-server.ts';
import { isAnswer, isMessage, isText } from './target-output.ts';
import type { Failure, MakeSession, Target } from './target.ts';
import type { Connector, SharedProcess } from './shared-process.ts';
import { TargetConnector } from './target-connector.ts';
import type { TargetConnectorOptions } from './target-connector.ts';

/** A process on stdio gives no start signal. Treat it as starting for at most this long (ms). */
const startupMs = 1000;

/** How long the kit waits for late events after the target closed or ended (ms). */
const lateEventsMs = 300;

/** A scenario, and how the target is reached. */
export interface CarrierTargetOptions {
  readonly kind: CarrierTargetKind<unknown>;
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  readonly scenario: Scenario;
  readonly makeSession: MakeSession;
  readonly maxReceive: number;
  /** Limits the number of targets that start at the same time. */
  readonly inTurn: InTurn;
  /** The time limit of the answer to a hello (ms). */
  readonly handshake: number;
  /** The time limit of the connection (ms). */
  readonly patience: number;
  /** Called with the port where the kit waits for a target started by hand. */
  readonly listening: (port: number) => void;
  /** Takes the features that the target has shown. */
  readonly shown: Set<string>;
  /** Takes the reason why the suite does not judge this target. */
  readonly notJudged: Set<string>;
  /** A process that also serves other scenarios; absent: the target has a process of its own. */
  readonly shared?: SharedProcess | undefined;
  /** Takes a sentence for the report. */
  readonly note: (text: string) => void;
  /** Called when the target has connected. */
  readonly reached: () => void;
}

export class CarrierTarget implements Target {
  readonly session: TargetSession<unknown>;
  readonly #options: CarrierTargetOptions;
  /** Opens when the target has connected or can no longer connect. */
  readonly #connection = new Latch();
  /** Opens when the target has sent a message or can no longer send one. */
  readonly #firstOutput = new Latch();
  readonly #flushes: (() => void)[] = [];
  readonly #ended: Promise<ScenarioEnd>;
  #begin: () => void = () => {};
  #connector: Connector | undefined;
  /** The kit's HTTP server. */
  #server: OpenSideServer | undefined;
  #watch: FileWatch | undefined;
  #removeScratch: () => void = () => {};
  readonly #printed = new Printed((data) => this.session.mark(data));
  readonly #held = new HeldOutput(machineDelay, () => performance.now());
  #connected = false;
  #interrupted = false;
  #played: ScenarioEnd | undefined;
  /** Whether it left hello unanswered. Then its stdout is shown as its output. */
  #ignoredHello = false;
  /** Whether the target ended after text that is no message. */
  #printedText = false;

  constructor(options: CarrierTargetOptions) {
    const { kind, makeSession, scenario } = options;
    this.#options = options;
    this.session = makeSession({
      epoch: Date.now(),
      fault: (fault) => this.#connector?.fault(fault),
      stop: () => this.#connector?.terminate(),
      side: kind.sideServer?.peer,
    });
    this.#ended = new Promise((resolve) => (this.#begin = () => this.session.play(scenario, resolve)));
    this.session.onEvent = ({ kind: event, from, to }) => {
      if (from !== 'target') return;
      if (event !== 'open') this.#firstOutput.open();
      // The end of an HTTP exchange does not end the carrier.
      if (to !== kind.sideServer?.peer && (event === 'end' || event === 'reset')) this.#endSoon();
    };
  }

  async start(): Promise<Failure | undefined> {
    const { inTurn, kind, scenario, carrier, shared } = this.#options;
    const tmp = scratchFolder();
    this.#removeScratch = tmp.remove;
    this.session.setVariable('tmp', tmp.path);
    this.#watch = fileWatch(scenario.watches, { tmp: tmp.path }, (made) => this.session.mark({ made }));
    this.session.setPeers(scenario.peers);
    const sideServer = await this.#serve();
    const accept = this.#beginning(this.session.accept);
    const onExit = this.#exited;
    const own = (): Connector =>
      new TargetConnector({
        kitFault: rethrowKitFault,
        ...this.#options,
        ...(sideServer === undefined ? {} : { sideServer }),
        places: { tmp: tmp.path },
        ...(kind.messages === undefined ? {} : { messages: kind.messages }),
        accept:
          carrier === 'ws'
            ? accept
            : this.#held.watch(framed(accept, kind.framing, (flush) => this.#flushes.push(flush))),
        onExit,
        onOutput: (stream, text) => this.#printed.onOutput(stream, text),
      });
    const connector = shared?.connector(accept, onExit, sideServer) ?? own();
    this.#connector = connector;
    const why = await inTurn(() => this.#reach(connector));
    return why === undefined ? undefined : { is: 'absent', why };
  }

  /** The process of the target ended by itself. */
  readonly #exited: TargetConnectorOptions['onExit'] = (exit, signal) => {
    this.#watch?.look();
    this.#printed.end();
    if (exit !== 0) this.#noteEnd();
    this.session.processEnded(exit, signal);
    this.#connection.open();
    this.#firstOutput.open();
    this.#endSoon();
  };

  /** @returns the reason why the target was not reached; undefined when it seems to have started */
  async #reach(connector: Connector): Promise<string | undefined> {
    const { patience, target, listening, carrier } = this.#options;
    if (this.#interrupted) return 'interrupted';
    const why = await connector.open();
    if (why !== undefined) return why;
    if (target.kind === 'listen') listening(connector.port);
    await this.#connection.wait(patience);
    if (!this.#connected) return this.#absence(connector);
    // A process on stdio is there only once it speaks the protocol.
    if (carrier === 'stdio') await this.#firstOutput.wait(startupMs);
    else this.#options.reached();
    return undefined;
  }

  #absence(connector: Connector): string {
    const { patience, target, carrier } = this.#options;
    const ending = connector.ending();
    if (this.#interrupted) return 'interrupted';
    if (ending !== undefined && carrier === 'http') return `the target ${ending} before it made a request`;
    if (ending !== undefined) return `the target ${ending} before it connected${addressHint(target)}`;
    if (carrier === 'http')
      return `the program made no request in ${patience} ms (a slow start needs --timeout handshake=60s); the kit is at ${this.#server?.url}, which is in its environment (wireproof explain carriers)`;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to 127.0.0.1:${connector.port} in ${patience} ms${hint}`;
  }

  /** Notes how the program of a carrier without its own pipes ended, with the end of its output. */
  #noteEnd(how = this.#connector?.ending() ?? 'ended'): void {
    const { carrier, scenario, note } = this.#options;
    if (carrier === 'http' && this.#connector !== undefined)
      note(endNote(scenario, how, this.#connector.output()));
  }

  /** Notes that the kit ends a program that should have ended by itself. */
  #noteHang(): void {
    const { target, scenario } = this.#options;
    const hangs = this.#connected && this.#connector?.ending() === undefined && !this.#interrupted;
    if (target.kind === 'command' && hangs) this.#noteEnd(hangText(scenario));
  }

  /** Opens the kit's HTTP server. @returns its placeholders and variables for the target */
  async #serve(): Promise<TargetConnectorOptions['sideServer']> {
    const { kind, maxReceive, carrier } = this.#options;
    if (kind.sideServer === undefined) return undefined;
    const { acceptBeside } = this.session;
    const accept = carrier === 'http' ? this.#beginning(acceptBeside) : acceptBeside;
    this.#server = await openSideServer({ kind: kind.sideServer, session: this.session, accept, maxReceive });
    return this.#server;
  }

  /** Accepts each connection; the first one begins the scenario. */
  #beginning(accept: Accept): Accept {
    return (link, metadata) => {
      const events = accept(link, metadata);
      if (!this.#connected) {
        this.#connected = true;
        this.#begin();
        this.#connection.open();
      }
      return events;
    };
  }

  /** The target can send no more. Ends the scenario after the time for late events. */
  #endSoon(): void {
    setTimeout(() => {
      if (this.session.leave()) return;
      const ended = this.#connector?.ending() !== undefined;
      this.session.abort(ended ? 'the process of the target ended' : 'the target closed the connection');
    }, lateEventsMs);
  }

  async play(): Promise<ScenarioEnd> {
    this.#played = await this.#ended;
    return this.#played;
  }

  absenceReason(): string | undefined {
    const { kind, scenario, carrier } = this.#options;
    const ending = this.#connector?.ending();
    if (kind.hello?.scenario === scenario.name) {
      const { events, judge } = this.session;
      this.#ignoredHello = kind.hello.of(judge.view) === undefined && !events.some(isAnswer);
      return this.#ignoredHello ? this.#unanswered(ending) : undefined;
    }
    if (carrier !== 'stdio' || ending === undefined) return undefined;
    const lines = this.#outputLines();
    if (lines.length === 0) return `the target ${ending} without output on its stdout`;
    this.#printedText = !this.session.events.some(isMessage) && lines.every(isText);
    return this.#printedText
      ? `the target ${ending}; its stdout had text, and no message of the protocol (logs belong on stderr)`
      : undefined;
  }

  #unanswered(ending: string | undefined): string {
    const waited = this.#played?.outcome === 'ended-early' ? ` in ${this.#options.handshake} ms` : '';
    const how = ending === undefined ? waited : `: it ${ending}`;
    return `the program did not answer hello${how}; it must answer one JSON object a line on its stdout${this.#otherCarrier()}`;
  }

  /** The commonest slip: a program without a protocol on its pipes was meant. */
  #otherCarrier(): string {
    return this.#options.kind.carriers.includes('http')
      ? '; is it a whole program? Then add --carrier http'
      : '';
  }

  /** The target's messages, as lines. */
  #outputLines(): readonly string[] {
    return this.session.events.flatMap(({ from, kind, data, bytes }) => {
      if (from !== 'target') return [];
      if (kind === 'message') return [JSON.stringify(data)];
      return kind === 'undecodable' ? [Buffer.from(bytes ?? '', 'base64').toString('utf8')] : [];
    });
  }

  settle(): void {
    this.#watch?.look();
    for (const flush of this.#flushes) flush();
    const { kind, shown, notJudged, note } = this.#options;
    const { view } = this.session.judge;
    for (const feature of kind.advertised(view)) shown.add(feature);
    const reason = kind.notJudged?.(view);
    if (reason !== undefined) notJudged.add(reason);
    const fact = kind.note?.(view);
    if (fact !== undefined) note(fact);
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#connection.open();
    this.#firstOutput.open();
    this.session.interrupt();
  }

  async stop(): Promise<void> {
    this.#noteHang();
    this.#printed.end();
    this.session.end();
    this.#watch?.stop();
    this.#held.inputEnds();
    await this.#connector?.close();
    if (this.#options.carrier === 'stdio' && this.#held.isHeld) this.#options.note(heldOutputNote);
    await this.#server?.close();
    this.#removeScratch();
  }

  output(): readonly string[] {
    return [
      ...(this.#ignoredHello || this.#printedText ? this.#outputLines() : []),
      ...(this.#connector?.output() ?? []),
    ];
  }
}
