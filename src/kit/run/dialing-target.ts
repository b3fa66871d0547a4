/** A target that dials the kit's gRPC server, through a proxy. All its scenarios share one session. */
import type { Scenario } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import { sidePeersOf } from '../suite/index.ts';
import type { DialingTargetKind, Suite, TargetPlan, TargetSession } from '../suite/index.ts';
import { openFaultProxy, serveGrpc } from '../transport/index.ts';
import type { FaultProxy } from '../transport/index.ts';
import { dial } from './access.ts';
import type { Endpoint } from './access.ts';
import { addressHint } from './address-hint.ts';
import type { ManualStart } from './check-options.ts';
import { Latch } from './latch.ts';
import { loopback } from './program.ts';
import { Target } from './target.ts';
import type { Failure, MakeSession } from './target.ts';

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
/** The events with which a target ends its stream. */
const streamEnds: ReadonlySet<string> = new Set(['half_close', 'end', 'reset']);

export class DialingTarget extends Target {
  readonly session: TargetSession<unknown>;
  /** Whether it is ready for work. */
  ready = false;
  readonly #options: DialingTargetOptions;
  readonly #awaited = new Latch();
  #connected = false;
  /** The scenario that began before the target was ready. */
  #begun: Promise<ScenarioEnd> | undefined;
  /** Whether a scenario was played. */
  #used = false;
  /** Whether it was awaited in vain: no scenario waits for it again. */
  #gone = false;

  constructor(options: DialingTargetOptions) {
    super();
    this.#options = options;
    this.session = options.makeSession({ fault: (fault) => this.access.endpoint?.fault(fault) });
    this.session.awaitTopic(options.kind.ready, () => this.#awaited.open());
    const sides = sidePeersOf(options.suite);
    this.session.onEvent = ({ kind, from, to }) => {
      // A request to a server next to it ends, too, and says nothing of the stream.
      const isOfStream = from === 'target' && !sides.has(to);
      if (isOfStream && streamEnds.has(kind)) this.session.hurry(options.answerAfterEnd);
    };
  }

  async start(): Promise<Failure | undefined> {
    const { scenario, target, peers, listening } = this.#options;
    const { session } = this;
    session.setPeers(needsOwnTarget(scenario) ? scenario.peers : peers);
    const sides = await this.serve(session, this.#options);
    const connector = dial({
      target,
      sides,
      scheme: 'http',
      listen: (host, port) => this.#listen(host, port),
      listening: (port) => {
        if (scenario.fresh) this.#begun = this.#play(scenario);
        if (target.kind === 'listen') listening(port, {});
      },
      onExit: (exit, signal) => this.exited(exit, signal),
    });
    await connector(this.access);
    return scenario.fresh ? undefined : this.#failure();
  }

  /** Serves gRPC behind a proxy, which disturbs and measures its connections. */
  async #listen(host: string, port: number): Promise<Endpoint> {
    const { methods, maxReceive } = this.#options;
    const { session } = this;
    let proxy: FaultProxy | undefined;
    const server = await serveGrpc({
      host: loopback,
      port: 0,
      methods,
      maxReceive,
      accept: session.accept,
      connOf: (peer) => proxy?.connOf(peer) ?? peer,
    });
    proxy = await openFaultProxy({
      host,
      port,
      behind: server.port,
      onPing: (conn, afterData) => session.ping(conn, afterData),
      onMessage: (conn, bytes) => {
        if (bytes > maxReceive) session.oversize(conn, bytes, maxReceive);
      },
      onConnect: () => (this.#connected = true),
    }).catch((error: unknown) => {
      server.close();
      throw error;
    });
    return {
      port: proxy.port,
      fault: (fault) => (fault.kind === 'goaway' ? server.goaway(fault.code) : proxy.fault(fault)),
      close() {
        proxy.close();
        server.close();
      },
    };
  }

  protected override exited(exit: number | null, signal: string | null): void {
    super.exited(exit, signal);
    this.#awaited.open();
  }

  /** Waits until the target can take work. @returns the failure; undefined when it can take work */
  async #failure(): Promise<Failure | undefined> {
    const { suite, kind, handshake, target } = this.#options;
    const { events } = this.session;
    await this.#awaited.wait(target.kind === 'listen' ? patience : handshake);
    this.ready = events.some((event) => suite.judging.topicOf(event) === kind.ready);
    if (this.ready) return undefined;
    if (events.some((event) => event.kind === 'open'))
      return { is: 'refused', why: 'the target opened a stream, and never got ready for work' };
    return { is: 'absent', why: this.#absence() };
  }

  #absence(): string {
    const { handshake, methods } = this.#options;
    const ending = this.access.ending();
    if (ending !== undefined)
      return `the target ${ending} before it opened a stream${addressHint(this.#options.target)}`;
    if (this.#connected)
      return `something connected, and opened no gRPC stream on ${methods.join(' or ')} in ${handshake} ms`;
    return `nothing connected to ${loopback}:${this.access.endpoint?.port} in ${handshake} ms; the target must dial {address} (also in WIREPROOF_ADDRESS)`;
  }

  /** Whether it runs, has a stream, and has finished all work on it. */
  #idle(): boolean {
    const { idle, connected } = this.#options.kind;
    const { view } = this.session.judge;
    return this.access.ending() === undefined && idle(view) && connected(view);
  }

  /** A target started by hand is the only one. It is always reused, and has to come back. */
  override isReusable(): boolean {
    return this.#options.target.kind === 'listen' || this.#idle();
  }

  async play(scenario: Scenario): Promise<ScenarioEnd> {
    if (this.#begun !== undefined) return this.#begun;
    const own = scenario.fresh && this.#options.target.kind === 'listen';
    if (!own && this.#used && !(await this.#back()))
      return { outcome: 'ended-early', reason: 'the target started by hand did not come back' };
    if (own) this.session.setPeers(scenario.peers);
    else if (!needsOwnTarget(scenario)) this.session.setSidePeers(scenario.peers);
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
      if (waited > shownAfter && !told) listening(this.access.endpoint?.port ?? 0, { again: reconnect });
      told ||= waited > shownAfter;
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
    this.#gone = !this.#idle();
    return !this.#gone;
  }

  #play(scenario: Scenario): Promise<ScenarioEnd> {
    this.#used = true;
    return new Promise((resolve) =>
      this.session.play(scenario, (played) => {
        this.access.endpoint?.fault({ kind: 'restore' });
        resolve(played);
      }),
    );
  }

  override interrupt(): void {
    this.#awaited.open();
    this.#gone = true;
    super.interrupt();
  }

  override async stop(): Promise<void> {
    this.#awaited.open();
    await super.stop();
  }
}
