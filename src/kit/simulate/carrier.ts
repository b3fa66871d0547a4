/**
 * Plays a peer on a plain carrier: listens, dials, starts a program, or uses its own stdin and stdout. Each connection
 * has its own peer, trace and judge.
 */
import { addressText, WireproofError } from '../base/index.ts';
import type { JsonObject, Scenario } from '../base/index.ts';
import { Access, meet } from '../run/index.ts';
import { TargetSession, shownCarrier } from '../suite/index.ts';
import type {
  Carrier,
  CarrierTargetKind,
  MakePeer,
  SimulatorEnd,
  SimulatorRun,
  Suite,
  TargetPlan,
} from '../suite/index.ts';
import { Connections, byteWire } from '../transport/index.ts';
import { framed } from '../world/index.ts';
import type { Accept, Framing } from '../world/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import { Flags } from './flags.ts';
import { hasPerson, inputLines, longestLine } from './input.ts';
import { scenarioOf } from './scenario.ts';
import { LiveSession } from './session.ts';
import type { SessionOptions } from './session.ts';
import { standardStreams } from './standard-streams.ts';

/** A simulated peer on a carrier. Its simulator has the name of its role, such as `toon/orchestrator`. */
export interface CarrierPeer extends Pick<SessionOptions, 'textOf'> {
  /** The suite that judges the other side. Its peers play the scenarios. */
  readonly suite: Suite;
  /** The peer's name for people. */
  readonly title: string;
  /** Makes the peer of a session without a scenario. @throws WireproofError 'usage' on wrong flags */
  make(flags: Flags): MakePeer;
  /**
   * Turns a line of stdin into the peer's next message; undefined for a line that is no message. Absent or undefined: the
   * peer does not read stdin.
   */
  lineMessage?(flags: Flags): LineMessage | undefined;
  /** The sentence that tells a person at the terminal the lines that the peer takes. */
  readonly hint?: string;
  /** The reports of the peer (a role's `tell`) that a person reads among the traffic. */
  readonly spoken?: readonly string[];
}

type LineMessage = (line: string) => JsonObject | undefined;

/** The largest accepted WebSocket message (bytes). It exceeds the protocol's limit, so that rules see larger messages. */
const maxReceive = 32 << 20;
/** The time limit until a program listens (ms). */
const patience = 5000;
/** How long the session waits for late events after the end of a scenario or a program (ms). */
const late = 300;

/** Plays a peer until it is stopped, or until the end of its only connection. */
export const playOnCarrier = async (run: SimulatorRun, peer: CarrierPeer): Promise<SimulatorEnd> =>
  new CarrierSessions(run, peer).play();

class CarrierSessions {
  readonly #run: SimulatorRun;
  readonly #peer: CarrierPeer;
  readonly #carrier: Carrier;
  readonly #framing: Framing;
  /** The type of WebSocket messages. */
  readonly #messages: CarrierTargetKind<unknown>['messages'];
  /** Whether the messages go over the kit's own stdin and stdout. */
  readonly #ownPipes: boolean;
  readonly #scenario: Scenario | undefined;
  readonly #live: LiveSession;
  readonly #make: MakePeer;
  /** The open sessions, with the function that ends each. */
  readonly #open = new Map<TargetSession<unknown>, () => void>();
  #played: ScenarioEnd | undefined;

  constructor(run: SimulatorRun, peer: CarrierPeer) {
    const flags = new Flags(run);
    const { target: kind } = peer.suite;
    if (kind.kind !== 'meets')
      throw new WireproofError('internal', `the target of ${peer.suite.id} is not on a carrier`);
    this.#run = run;
    this.#peer = peer;
    this.#framing = kind.framing;
    this.#messages = kind.messages;
    this.#carrier = carrierOf(flags, run.command, kind.carriers);
    this.#ownPipes = this.#carrier === 'stdio' && run.command.length === 0;
    this.#scenario = scenarioOf(peer.suite, flags.text('scenario'));
    this.#make = peer.make(flags);
    const scenario = this.#scenario?.name ?? 'simulate';
    const target = 'the other side of the simulated peer';
    this.#live = new LiveSession(run, { ...peer, target, scenario, stdoutTaken: this.#ownPipes });
  }

  async play(): Promise<SimulatorEnd> {
    const live = this.#live;
    const messageOf = this.#peer.lineMessage?.(live.flags);
    if (messageOf !== undefined && this.#ownPipes)
      throw new WireproofError(
        'usage',
        '--carrier stdio: stdin has the messages of the other side, so it has no prompts; use --listen or --connect, or name a program after --',
      );
    const close = await (this.#ownPipes ? this.#overOwnPipes() : this.#meet());
    if (messageOf !== undefined) {
      if (hasPerson(this.#run) && this.#peer.hint !== undefined) live.notify(this.#peer.hint);
      void this.#hear(messageOf);
    }
    await live.ended;
    for (const end of this.#open.values()) end();
    await close();
    return this.#scenario === undefined
      ? live.sumUp()
      : live.playedScenario(this.#scenario.name, this.#played);
  }

  /** Takes the lines of stdin; after the last one the peer goes on. */
  async #hear(messageOf: LineMessage): Promise<void> {
    for await (const line of inputLines(this.#run)) {
      const message = line === undefined ? undefined : messageOf(line);
      if (line === undefined)
        this.#live.print(`? a line of stdin was dropped: it has more than ${longestLine} characters`);
      else if (message !== undefined)
        for (const session of this.#open.keys()) session.tell(this.#name, message);
    }
  }

  async #meet(): Promise<() => Promise<void>> {
    const carrier = this.#carrier;
    const target = this.#plan();
    const onExit = (): void => void setTimeout(() => this.#live.stop(), late);
    const connector = meet({
      target,
      carrier,
      accept: this.#accept,
      maxReceive,
      patience,
      onExit,
      ...(this.#messages === undefined ? {} : { messages: this.#messages }),
    });
    const access = new Access();
    const why = await connector(access);
    if (why !== undefined) throw new WireproofError('environment', why);
    const listens = target.kind === 'listen';
    const where = listens
      ? `on ${addressText({ host: target.host, port: access.endpoint?.port ?? 0 })} (${carrier})`
      : `over ${carrier}`;
    this.#live.notify(`${this.#peer.title} ${where}; Ctrl-C stops`);
    return () => access.close();
  }

  #overOwnPipes(): Promise<() => Promise<void>> {
    const { stdin: readable, stdout: writable } = standardStreams(this.#run);
    new Connections('stdio', this.#accept).add(byteWire({ readable, writable }));
    return Promise.resolve(() => Promise.resolve());
  }

  /** How the other side is reached: a program to start, an address to dial, or an address to listen on. */
  #plan(): TargetPlan {
    const { command } = this.#run;
    const { flags } = this.#live;
    if (command.length > 0) return { kind: 'command', command, env: {} };
    const dialled = flags.hostPort('connect');
    if (dialled === undefined) return { kind: 'listen', ...flags.address('listen') };
    const url = flags.text('connect') ?? '';
    return { kind: 'connect', ...dialled, ...(url.startsWith('ws:') ? { url } : {}) };
  }

  readonly #accept: Accept = (link, metadata) => {
    const scenario = this.#scenario;
    const session = this.#session();
    session.setPeers(scenario?.peers ?? { [this.#name]: { role: this.#run.simulator.name, options: {} } });
    const isFramed = this.#carrier !== 'ws';
    const accept = isFramed ? framed(session.accept, this.#framing) : session.accept;
    const events = accept(link, metadata);
    if (scenario !== undefined)
      session.play(scenario, (played) => {
        this.#played ??= played;
        setTimeout(() => this.#open.get(session)?.(), late);
      });
    return {
      headers: (headers) => events.headers(headers),
      message: (bytes, form) => events.message(bytes, form),
      halfClose: () => events.halfClose(),
      drained: () => events.drained(),
      ping: () => events.ping(),
      ended: (status) => {
        events.ended(status);
        if (scenario === undefined) this.#open.get(session)?.();
        else setTimeout(() => session.abort('the other side closed the connection'), late);
      },
    };
  };

  #session(): TargetSession<unknown> {
    const { suite } = this.#peer;
    const live = this.#live;
    const keeps = this.#scenario !== undefined;
    const free = { ...suite, peers: { [this.#run.simulator.name]: () => this.#speaking } };
    const session = new TargetSession<unknown>({ ...live.settings(keeps ? suite : free), keeps });
    live.follow(session);
    this.#open.set(session, () => {
      this.#open.delete(session);
      session.end();
      if (this.#once()) live.stop();
    });
    return session;
  }

  /** Makes the peer; its {@link CarrierPeer.spoken} reports are printed. */
  readonly #speaking: MakePeer = (world) =>
    this.#make({
      ...world,
      report: (topic, detail) => {
        if (this.#peer.spoken?.includes(topic) === true) this.#live.print(`? ${detail}`);
        world.report?.(topic, detail);
      },
    });

  /** The peer's name in the trace. */
  get #name(): string {
    return this.#run.simulator.name.replace(/^.*\//, '');
  }

  /** Whether the session ends with its first connection. */
  #once(): boolean {
    const { command } = this.#run;
    const dials = this.#live.flags.text('connect') !== undefined;
    return command.length > 0 || this.#ownPipes || dials || this.#scenario !== undefined;
  }
}

/** The carrier of `--carrier`, or the carrier that the command shows. */
function carrierOf(flags: Flags, command: readonly string[], carriers: readonly Carrier[]): Carrier {
  const named = flags.text('carrier');
  const found = carriers.find(
    (name) => name === (named ?? shownCarrier(command, flags.text('connect'), carriers)),
  );
  if (found !== undefined) return found;
  throw new WireproofError('usage', `--carrier ${named ?? ''}: there are ${carriers.join(', ')}`);
}
