/**
 * One scenario against a target on a plain carrier, with its own connection and, if the kit starts it, its own process.
 * The scenario begins with the connection.
 */
import type { Scenario } from '../base/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import { sidePeersOf } from '../suite/index.ts';
import type { Carrier, CarrierTargetKind, TargetSession } from '../suite/index.ts';
import { fileWatch, machineDelay, rethrowKitFault, scratchFolder } from '../transport/index.ts';
import type { FileWatch, InTurn } from '../transport/index.ts';
import { framed } from '../world/index.ts';
import type { Accept } from '../world/index.ts';
import type { Connector } from './access.ts';
import { addressHint } from './address-hint.ts';
import type { CheckRun } from './check-run.ts';
import { HeldOutput, heldOutputNote } from './held-output.ts';
import { Latch } from './latch.ts';
import { meet } from './meet.ts';
import type { MeetOptions } from './meet.ts';
import { Printed } from './printed.ts';
import { endNote, hangText } from './program-end.ts';
import type { SharedProcess } from './shared-process.ts';
import type { SideServers } from './side-servers.ts';
import { isAnswer, isMessage, isText } from './target-output.ts';
import { Target } from './target.ts';
import type { Failure } from './target.ts';

/** A process on stdio gives no start signal. Treat it as starting for at most this long (ms). */
const startupMs = 1000;

/** A scenario, and how the target is reached. */
export interface CarrierTargetOptions {
  readonly run: CheckRun;
  readonly kind: CarrierTargetKind<unknown>;
  readonly carrier: Carrier;
  readonly scenario: Scenario;
  /** Limits the number of targets that start at the same time. */
  readonly inTurn: InTurn;
  /** The time limit of the connection (ms). */
  readonly patience: number;
  /** Called with the port where the kit waits for a target started by hand. */
  readonly listening: (port: number) => void;
  /** Takes the features that the target has shown. */
  readonly shown: Set<string>;
  /** Takes the reason why the suite does not judge this target. */
  readonly notJudged: Set<string>;
  /** A process that also serves other scenarios; absent: the target has a process of its own. */
  readonly shared: SharedProcess | undefined;
  /** Takes a sentence for the report. */
  readonly note: (text: string) => void;
}

export class CarrierTarget extends Target {
  readonly session: TargetSession<unknown>;
  readonly #options: CarrierTargetOptions;
  /** Opens when the target has connected or can no longer connect. */
  readonly #connection = new Latch();
  /** Opens when the target has sent a message or can no longer send one. */
  readonly #firstOutput = new Latch();
  readonly #flushes: (() => void)[] = [];
  readonly #ended: Promise<ScenarioEnd>;
  #begin: () => void = () => {};
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
    super();
    const { run, scenario } = options;
    this.#options = options;
    this.session = run.makeSession({
      epoch: Date.now(),
      fault: (fault) => this.access.endpoint?.fault(fault),
      stop: () => this.access.process?.terminate(),
    });
    this.#ended = new Promise((resolve) => (this.#begin = () => this.session.play(scenario, resolve)));
    const sides = sidePeersOf(run.options.suite);
    this.session.onEvent = ({ kind: event, from, to }) => {
      if (from !== 'target') return;
      if (event !== 'open') this.#firstOutput.open();
      // The end of an HTTP exchange does not end the carrier.
      if (!sides.has(to) && (event === 'end' || event === 'reset')) this.endSoon();
    };
  }

  async start(): Promise<Failure | undefined> {
    const { run, inTurn, scenario, carrier } = this.#options;
    const tmp = scratchFolder();
    this.#removeScratch = tmp.remove;
    this.session.setVariable('tmp', tmp.path);
    this.#watch = fileWatch(scenario.watches, { tmp: tmp.path }, (made) => this.session.mark({ made }));
    this.session.setPeers(scenario.peers);
    // The first exchange of a program without another carrier begins the scenario.
    const begins = carrier === 'http' ? (accept: Accept) => this.#beginning(accept) : undefined;
    const sides = await this.serve(this.session, run.options, begins);
    const why = await inTurn(() => this.#reach(tmp.path, sides));
    return why === undefined ? undefined : { is: 'absent', why };
  }

  #connector(tmp: string, sides: SideServers): Connector {
    const { run, kind, carrier, patience, listening, shared } = this.#options;
    const { target, maxReceive } = run.options;
    const accept = this.#beginning(this.session.accept);
    const onExit: MeetOptions['onExit'] = (exit, signal) => this.exited(exit, signal);
    if (shared !== undefined) return shared.connector(accept, { onExit, sides });
    const flush = (one: () => void): void => void this.#flushes.push(one);
    return meet({
      target,
      carrier,
      maxReceive,
      patience,
      sides,
      onExit,
      places: { tmp },
      kitFault: rethrowKitFault,
      accept: carrier === 'ws' ? accept : this.#held.watch(framed(accept, kind.framing, flush)),
      onOutput: (stream, text) => this.#printed.onOutput(stream, text),
      ...(kind.messages === undefined ? {} : { messages: kind.messages }),
      listening: target.kind === 'listen' ? listening : undefined,
    });
  }

  protected override exited(exit: number | null, signal: string | null): void {
    this.#watch?.look();
    this.#printed.end();
    if (exit !== 0) this.#noteEnd();
    super.exited(exit, signal);
    this.#connection.open();
    this.#firstOutput.open();
  }

  /** @returns the reason why the target was not reached; undefined when it seems to have started */
  async #reach(tmp: string, sides: SideServers): Promise<string | undefined> {
    const { run, patience, carrier } = this.#options;
    if (this.#interrupted) return 'interrupted';
    const why = await this.#connector(tmp, sides)(this.access);
    if (why !== undefined) return why;
    await this.#connection.wait(patience);
    if (!this.#connected) return this.#absence(sides);
    // A process on stdio is there only once it speaks the protocol.
    if (carrier === 'stdio') await this.#firstOutput.wait(startupMs);
    else run.reached();
    return undefined;
  }

  #absence({ places }: SideServers): string {
    const { run, patience, carrier } = this.#options;
    const { target } = run.options;
    const ending = this.access.ending();
    if (this.#interrupted) return 'interrupted';
    if (ending !== undefined && carrier === 'http') return `the target ${ending} before it made a request`;
    if (ending !== undefined) return `the target ${ending} before it connected${addressHint(target)}`;
    if (carrier === 'http')
      return `the program made no request in ${patience} ms (a slow start needs --timeout handshake=60s); the kit is at ${Object.values(places).join(' and ')}, which is in its environment (wireproof explain carriers)`;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to 127.0.0.1:${this.access.endpoint?.port} in ${patience} ms${hint}`;
  }

  /** Notes how the program of a carrier without its own pipes ended, with the end of its output. */
  #noteEnd(how = this.access.ending() ?? 'ended'): void {
    const { carrier, scenario, note } = this.#options;
    if (carrier === 'http') note(endNote(scenario, how, this.access.output()));
  }

  /** Notes that the kit ends a program that should have ended by itself. */
  #noteHang(): void {
    const { run, scenario } = this.#options;
    const hangs = this.#connected && this.access.ending() === undefined && !this.#interrupted;
    if (run.options.target.kind === 'command' && hangs) this.#noteEnd(hangText(scenario));
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

  async play(): Promise<ScenarioEnd> {
    this.#played = await this.#ended;
    return this.#played;
  }

  override absenceReason(): string | undefined {
    const { kind, scenario, carrier } = this.#options;
    const ending = this.access.ending();
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
    const waited =
      this.#played?.outcome === 'ended-early' ? ` in ${this.#options.run.time('handshake', 5000)} ms` : '';
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

  override settle(): void {
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

  override interrupt(): void {
    this.#interrupted = true;
    this.#connection.open();
    this.#firstOutput.open();
    super.interrupt();
  }

  override async stop(): Promise<void> {
    this.#noteHang();
    this.#printed.end();
    this.session.end();
    this.#watch?.stop();
    this.#held.inputEnds();
    await super.stop();
    if (this.#options.carrier === 'stdio' && this.#held.isHeld) this.#options.note(heldOutputNote);
    this.#removeScratch();
  }

  override output(): readonly string[] {
    return [...(this.#ignoredHello || this.#printedText ? this.#outputLines() : []), ...super.output()];
  }
}
