/** A target that dials the kit's gRPC server, through a proxy. All its scenarios share one session. */
import type { Scenario } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import type { DialingTargetKind, Suite, TargetPlan, TargetSession } from '../suite/index.ts';
import { openFaultProxy, serveGrpc } from '../transport/index.ts';
import type { FaultProxy, GrpcServer, TargetProcess } from '../transport/index.ts';
import { loopback, placesOf, startProgram } from './program.ts';
import { addressHint } from './address-hint.ts';
import { Latch } from './latch.ts';
import type { ManualStart } from './check-options.ts';
import { openSideServer } from './side-server.ts';
import type { OpenSideServer } from './side-server.ts';
import type { Failure, MakeSession, Target } from './target.ts';

/** How the target is reached. */
export interface DialingTargetOptions {
  readonly suite: Suite;
  readonly kind: DialingTargetKind<unknown>;
  readonly target: TargetPlan;
  readonly methods: readonly string[];
  readonly maxReceive: number;
  /** Its first scenario. */
  readonly scenario: Scenario;
  /** The peers of scenarios that share a target. */
  readonly peers: Scenario['peers'];
  readonly makeSession: MakeSession;
  /** How long an answer may take after the target has ended its stream (ms). */
  readonly answerAfterEnd: number;
  /** The time limit until the target is ready (ms). */
  readonly handshake: number;
  /** The time limit until a target started by hand has come back (ms). */
  readonly reconnect: number;
  /** Called with the port where the kit waits for a target started by hand. `again`: its stream ended; how long (ms). */
  readonly listening: (port: number, about: ManualStart) => void;
}

/** How long the kit waits for a target started by hand (ms). */
const patience = 3_600_000;
/** A wait for a target to come back is shown when it lasts longer (ms). */
const shownAfter = 1000;
/** How long a scenario continues after the end of the target's process (ms). */
const afterExit = 200;

/** The events with which a target ends its stream. */
const streamEnds: ReadonlySet<string> = new Set(['half_close', 'end', 'reset']);

export class DialingTarget implements Target {
  readonly session: TargetSession<unknown>;
  /** Whether it is ready for work. */
  ready = false;
  readonly #options: DialingTargetOptions;
  readonly #awaited = new Latch();
  #process: TargetProcess | undefined;
  #proxy: FaultProxy | undefined;
  #server: GrpcServer | undefined;
  /** The kit's HTTP server. */
  #side: OpenSideServer | undefined;
  #connected = false;
  /** The scenario that began before the target was ready. */
  #begun: Promise<ScenarioEnd> | undefined;
  #playing = false;
  /** Whether a scenario was played. */
  #used = false;
  /** Whether it was awaited in vain: no scenario waits for it again. */
  #gone = false;

  constructor(options: DialingTargetOptions) {
    this.#options = options;
    this.session = options.makeSession({
      fault: (fault) =>
        fault.kind === 'goaway' ? this.#server?.goaway(fault.code) : this.#proxy?.fault(fault),
      side: options.kind.sideServer?.peer,
    });
    this.session.awaitTopic(options.kind.ready, () => this.#awaited.open());
    this.session.onEvent = ({ kind, from, to }) => {
      // A request to the server next to it ends, too, and says nothing of the stream.
      const isOfStream = from === 'target' && to !== options.kind.sideServer?.peer;
      if (isOfStream && streamEnds.has(kind)) this.session.hurry(options.answerAfterEnd);
    };
  }

  async start(): Promise<Failure | undefined> {
    const { scenario, target, peers, listening } = this.#options;
    this.session.setPeers(needsOwnTarget(scenario) ? scenario.peers : peers);
    const port = await this.#listen();
    if (scenario.fresh) this.#begun = this.#play(scenario);
    if (target.kind === 'listen') listening(port, {});
    if (target.kind === 'command') await this.#spawn(target, port);
    return scenario.fresh ? undefined : this.#failure(port);
  }

  /** @returns the port where the target is awaited */
  async #listen(): Promise<number> {
    const { target, methods, maxReceive } = this.#options;
    await this.#serveBeside();
    this.#server = await serveGrpc({
      host: loopback,
      port: 0,
      methods,
      maxReceive,
      accept: this.session.accept,
      connOf: (peer) => this.#proxy?.connOf(peer) ?? peer,
    });
    const { host, port } = target.kind === 'command' ? { host: loopback, port: 0 } : target;
    this.#proxy = await openFaultProxy({
      host,
      port,
      behind: this.#server.port,
      onPing: (conn, afterData) => this.session.ping(conn, afterData),
      onMessage: (conn, bytes) => {
        if (bytes > maxReceive) this.session.oversize(conn, bytes, maxReceive);
      },
      onConnect: () => (this.#connected = true),
    });
    return this.#proxy.port;
  }

  async #serveBeside(): Promise<void> {
    const { kind, maxReceive } = this.#options;
    const { sideServer } = kind;
    if (sideServer === undefined) return;
    const { session } = this;
    const accept = session.acceptBeside;
    this.#side = await openSideServer({ kind: sideServer, session, accept, maxReceive });
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>, port: number): Promise<void> {
    this.#process = await startProgram({
      target,
      places: { ...placesOf(port, 'http'), ...this.#side?.places },
      ...(this.#side === undefined ? {} : { environment: this.#side.environment }),
      onExit: (exit, signal) => {
        this.session.processEnded(exit, signal);
        this.#awaited.open();
        if (this.#playing) setTimeout(() => this.session.abort('the process of the target ended'), afterExit);
      },
    });
  }

  /** Waits until the target can take work. @returns the failure; undefined when it can take work */
  async #failure(port: number): Promise<Failure | undefined> {
    const { suite, kind, handshake, target } = this.#options;
    const { events } = this.session;
    await this.#awaited.wait(target.kind === 'listen' ? patience : handshake);
    this.ready = events.some((event) => suite.judging.topicOf(event) === kind.ready);
    if (this.ready) return undefined;
    if (events.some((event) => event.kind === 'open'))
      return { is: 'refused', why: 'the target opened a stream, and never got ready for work' };
    return { is: 'absent', why: this.#absence(port) };
  }

  #absence(port: number): string {
    const { handshake, methods } = this.#options;
    const ending = this.#process?.ending();
    if (ending !== undefined)
      return `the target ${ending} before it opened a stream${addressHint(this.#options.target)}`;
    if (this.#connected)
      return `something connected, and opened no gRPC stream on ${methods.join(' or ')} in ${handshake} ms`;
    return `nothing connected to ${loopback}:${port} in ${handshake} ms; the target must dial {address} (also in WIREPROOF_ADDRESS)`;
  }

  /** Whether it runs, has a stream, and has finished all work on it. */
  #idle(): boolean {
    const { idle, connected } = this.#options.kind;
    const { view } = this.session.judge;
    return this.#process?.ending() === undefined && idle(view) && connected(view);
  }

  /** A target started by hand is the only one. It is always reused, and has to come back. */
  isReusable(): boolean {
    return this.#options.target.kind === 'listen' || this.#idle();
  }

  async play(scenario: Scenario): Promise<ScenarioEnd> {
    if (this.#begun !== undefined) return this.#begun;
    const own = scenario.fresh && this.#options.target.kind === 'listen';
    if (!own && this.#used && !(await this.#back()))
      return { outcome: 'ended-early', reason: 'the target started by hand did not come back' };
    if (own) this.session.setPeers(scenario.peers);
    else if (!needsOwnTarget(scenario)) this.session.setSidePeer(scenario.peers);
    const played = await this.#play(scenario);
    if (own) this.session.setPeers(this.#options.peers);
    return played;
  }

  /** Waits until the target has come back. @returns whether it came back */
  async #back(): Promise<boolean> {
    const { reconnect, listening } = this.#options;
    const began = Date.now();
    let told = false;
    while (!this.#idle() && !this.#gone) {
      const waited = Date.now() - began;
      this.#gone = waited > reconnect;
      if (waited > shownAfter && !told) listening(this.#proxy?.port ?? 0, { again: reconnect });
      told ||= waited > shownAfter;
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
    this.#gone = !this.#idle();
    return !this.#gone;
  }

  #play(scenario: Scenario): Promise<ScenarioEnd> {
    this.#used = true;
    this.#playing = true;
    return new Promise((resolve) =>
      this.session.play(scenario, (played) => {
        this.#playing = false;
        this.#proxy?.fault({ kind: 'restore' });
        resolve(played);
      }),
    );
  }

  interrupt(): void {
    this.#awaited.open();
    this.#gone = true;
    this.session.interrupt();
  }

  async stop(): Promise<void> {
    this.#awaited.open();
    this.session.end();
    await this.#process?.stop();
    this.#proxy?.close();
    this.#server?.close();
    await this.#side?.close();
  }

  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }
}
