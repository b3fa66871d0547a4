/**
 * A session with one target: its simulated peers, one trace and one judge. Scenarios play in it one after another. The
 * options give it a clock, and a network or sockets.
 */
import { jsonOrText, MemoryLimit, unsentTopic, WireproofError } from '../base/index.ts';
import type { JsonObject, Scenario, TraceEvent, UnknownField } from '../base/index.ts';
import { Recorder } from '../world/index.ts';
import type { Accept, Fault } from '../world/index.ts';
import { Judge } from '../judge/index.ts';
import type { OpenWait, RequirementFindings } from '../judge/index.ts';
import { Player, faultMeasure } from '../scenario/index.ts';
import type { ScenarioEnd, ScenarioWait, Stage } from '../scenario/index.ts';
import type { TargetSessionOptions } from './target-session-options.ts';
import { DelayMarks } from './delay-marks.ts';
import { KeptTrace, traceMemory } from './kept-trace.ts';
import { makePeer } from './peer-maker.ts';
import type { PeerHost } from './peer-maker.ts';
import { runMark } from './run-mark.ts';
import { SessionPeers } from './session-peers.ts';
import { sidePeersOf } from './suite.ts';
import { TargetPatience } from './target-patience.ts';
import { ToolProcesses } from './tool-processes.ts';
import { TopicWaits } from './topic-waits.ts';

/** Plays scenarios with one target, and judges them in one trace. */
export class TargetSession<V> {
  readonly judge: Judge<V>;
  /** Called with every event of the trace, before the judge. */
  onEvent: ((event: TraceEvent) => void) | undefined;
  readonly #options: TargetSessionOptions<V>;
  readonly #recorder: Recorder;
  readonly #topicWaits: TopicWaits = new TopicWaits();
  readonly #timeouts: { readonly [name: string]: number };
  readonly #variables: Record<string, unknown>;
  readonly #peers: SessionPeers;
  readonly #tools: ToolProcesses;
  #player: Player | undefined;
  readonly #trace: KeptTrace;
  #over = false;
  readonly #delays: DelayMarks;
  readonly #patience: TargetPatience<V>;
  /** Whether the target's process has ended. */
  #gone = false;
  /** Whether the target's process ended with an exit code other than 0, or by a signal. */
  #failed = false;

  constructor(options: TargetSessionOptions<V>) {
    this.#options = options;
    this.#delays = new DelayMarks(options.delay ?? (() => 0), (data) => this.mark(data));
    const { suite, clock, redact, memory = new MemoryLimit(traceMemory) } = options;
    this.#trace = new KeptTrace(memory, suite.longestText);
    this.#peers = new SessionPeers(
      (name, part) => makePeer(name, part, options, this.#peerHost()),
      sidePeersOf(suite),
    );
    this.judge = new Judge(suite.judging, options.only);
    this.#patience = new TargetPatience(this.judge, options);
    this.#recorder = new Recorder({
      clock,
      wire: suite.protocol,
      secrets: { ...suite.secrets, values: Object.values(suite.keys ?? {}) },
      redact,
      sink: (event) => this.#record(event),
    });
    const { random, timeouts, timeoutScale } = options;
    const nonce = `n${random.uuid().slice(0, 8)}`;
    this.#timeouts = { ...suite.timeouts, ...timeouts };
    const { tools: named = suite.referenceTools ?? {}, model = suite.referenceModel ?? {} } = options;
    const mark = this.mark.bind(this);
    this.#tools = new ToolProcesses({ clock, list: options.processes, tools: named, prefix: nonce, mark });
    const { variable: tools } = this.#tools.words;
    const own = { ...suite.variables?.(options.drive), ...suite.keys };
    this.#variables = { ...own, timeouts: this.#timeouts, timeout_scale: timeoutScale, nonce, tools, model };
    this.markDrive(options.drive);
  }

  /** The events of its trace so far. */
  get events(): readonly TraceEvent[] {
    return this.#trace.events;
  }

  /** Sets a variable of scenarios. */
  setVariable(name: string, value: string): void {
    this.#variables[name] = value;
  }

  /** Makes the simulated peers of a scenario. The streams of earlier peers end. */
  setPeers(peers: Scenario['peers']): void {
    this.#tools.words.forget();
    this.#peers.set(peers);
  }

  /** Replaces the peers behind the kit's HTTP servers by those of a scenario. Their exchanges end. */
  setSidePeers(peers: Scenario['peers']): void {
    this.#tools.words.forget();
    this.#peers.setSides(peers);
  }

  #peerHost(): PeerHost {
    return {
      recorder: this.#recorder,
      variables: this.#variables,
      opened: (peer, stream) => this.#peers.noteOpened(peer, stream),
      before: () => this.noteDelay(),
      report: (peer, topic, detail) => this.#markReport(peer, topic, detail),
    };
  }

  /** Accepts a stream that the target opened. */
  get accept(): Accept {
    return this.#peers.accept;
  }

  /** Accepts the exchanges with the kit's HTTP server of a peer. Scenarios without this peer ignore them. */
  acceptBeside(peer: string): Accept {
    return (link, metadata) => this.#peers.acceptBeside(peer, link, metadata);
  }

  /** Plays a scenario; `ended` is called once. */
  play(scenario: Scenario, ended: (played: ScenarioEnd) => void): void {
    const { clock, random } = this.#options;
    const stage: Stage = {
      clock,
      events: this.events,
      send: (peer, message, unknown) => this.#send(peer, message, unknown),
      raw: (peer, bytes) => this.#peers.get(peer).command({ do: 'raw', bytes }),
      end: (peer, code, message) => this.#peers.get(peer).command({ do: 'end', status: { code, message } }),
      fault: (peer, fault) => this.#fault(fault, peer),
      stop: () => {
        this.#recorder.mark({ stop: 'target' });
        this.#options.stop?.();
      },
      mark: (data) => this.#recorder.mark(data),
      openWait: () => this.openWait?.ms ?? 0,
      delay: () => this.#options.delay?.() ?? 0,
    };
    this.#player = new Player({
      scenario,
      stage,
      random,
      variables: { ...this.#variables, timeouts: { ...this.#timeouts, ...this.#options.shortened?.() } },
      ...(this.#options.suite.forms === undefined ? {} : { forms: this.#options.suite.forms }),
      ended: (played) => {
        this.#player = undefined;
        this.#tools.stop();
        ended(played);
      },
    });
    this.#player.start();
    if (this.#player !== undefined) this.#tools.watch(scenario.processes);
  }

  /** Puts a mark of the kit into the trace. */
  mark(data: JsonObject): void {
    this.#recorder.mark(data);
  }

  /** Marks a delay of a busy machine, unless it is small. Rules widen their time limits by it. */
  noteDelay(): void {
    this.#delays.note();
  }

  /** Makes a peer send a message outside of any scenario. */
  tell(peer: string, message: JsonObject): void {
    this.#peers.get(peer).command({ do: 'send', message });
  }

  /** The longest present wait of the scenario in play, and its time so far (ms). */
  get waiting(): (ScenarioWait & { readonly waited: number }) | undefined {
    const wait = this.#player?.waiting;
    return wait === undefined ? undefined : { ...wait, waited: this.#options.clock.now() - wait.since };
  }

  /**
   * The requirements that await an event of the target, and for how long; undefined when none does. A trace that ends
   * before this time hides that an event is missing.
   */
  get openWait(): OpenWait | undefined {
    if (this.#over || this.#gone) return undefined;
    return this.#patience.wait();
  }

  /** Ends long waits of the scenario in play after at most `ms`. */
  hurry(ms: number): void {
    this.#player?.hurry(ms);
  }

  /** Ends the scenario in play, for example because the target is gone. */
  abort(reason: string): void {
    this.#player?.abort(reason);
  }

  /** Ends the scenario in play because the user interrupts the check. */
  interrupt(): void {
    this.#player?.abort('interrupted', { interrupted: true });
  }

  /** Ends the scenario in play when the target has left lawfully. @returns whether it has */
  leave(): boolean {
    const { target } = this.#options.suite;
    const lawful = target.kind === 'meets' && !this.#failed && target.mayLeave?.(this.judge.view) === true;
    if (lawful) this.#player?.leave('the target left when its work was done');
    return lawful;
  }

  /** Calls `call` once, at the next event of a topic, after the trace has the event. */
  awaitTopic(topic: string, call: () => void): void {
    this.#topicWaits.add(topic, call);
  }

  /** Records that the target's process ended. */
  processEnded(exit: number | null, signal: string | null): void {
    this.#gone = true;
    this.#failed = exit !== 0;
    this.#recorder.process(exit, signal);
  }

  /**
   * Records a keepalive ping of the peer that opened the connection, or else of the target.
   *
   * @param afterData - whether the other side sent DATA or HEADERS frames since the last ping
   */
  ping(conn: string, afterData = false): void {
    const by = this.#peers.peerOn(conn);
    const data = afterData ? { after_data: true } : {};
    if (by === undefined) this.#recorder.ping(conn, 'target', this.#peers.first, data);
    else this.#recorder.ping(conn, by, 'target', data);
  }

  /** The newest connection of a peer; '' when it opened none. */
  connOf(peer: string): string {
    return this.#peers.openedBy(peer).at(-1)?.conn ?? '';
  }

  /** Records that a message above the limit began on a connection, and cuts the connection. */
  oversize(conn: string, size: number, limit: number): void {
    const stream = this.events.findLast((event) => event.conn === conn && event.stream !== '')?.stream ?? '';
    this.#recorder.oversize(conn, stream, this.#peers.first, size, limit);
    this.#fault({ kind: 'cut' }, this.#peers.names[0] ?? '');
  }

  /** Marks in the trace how the target is driven, and the timeouts that rules use. */
  markDrive(drive: string): void {
    this.#recorder.mark(runMark(drive, this.#options));
  }

  /** Reports overdue events, which rules otherwise notice at the next event. The trace does not change. */
  tick(): void {
    if (!this.#over) this.judge.tick(this.#options.clock.now());
  }

  /** Ends the trace: rules report missing events, then the peers stop. Later events are not the target's fault. */
  end(): ReadonlyMap<string, RequirementFindings> {
    if (this.#over) return this.judge.found;
    this.#tools.stop();
    this.noteDelay();
    this.#recorder.mark({ end: true });
    this.#over = true;
    const found = this.judge.end();
    this.#peers.stop();
    return found;
  }

  #send(name: string, message: JsonObject, unknown: readonly UnknownField[]): void {
    const peer = this.#peers.get(name);
    if (unknown.length === 0) return peer.command({ do: 'send', message });
    const { id, encodeUnknown } = this.#options.suite;
    if (encodeUnknown === undefined)
      throw new WireproofError('usage', `${id} has no unknown fields: leave unknown out of the scenario`);
    peer.command({ do: 'raw', bytes: Buffer.concat([peer.encode(message), encodeUnknown(unknown)]) });
  }

  #fault(fault: Fault, peer: string): void {
    // A target that dials has one network; one that listens has a connection for each peer.
    const on = this.#options.dial === undefined ? {} : { on: peer };
    this.#recorder.mark({ fault: fault.kind, ...faultMeasure(fault), ...on });
    this.#options.fault(
      fault,
      peer,
      this.#peers.openedBy(peer).map(({ stream }) => stream),
    );
  }

  /** Marks a peer's report on its own work, if the suite's rules use it. */
  #markReport(peer: string, topic: string, detail: string): void {
    if (topic === unsentTopic) return this.#unsent(peer, detail);
    if (this.#options.suite.reports?.includes(topic) !== true) return;
    this.#recorder.mark({ told: topic, peer, detail: jsonOrText(detail) });
  }

  /** Marks that a peer has no stream for a command. A scenario cannot go on without a stream that the target has to open. */
  #unsent(peer: string, detail: string): void {
    this.#recorder.mark({ unsent: jsonOrText(detail), peer });
    if (this.#options.dial === undefined)
      this.abort(`the target has no open stream on which ${peer} can send`);
  }

  #record(event: TraceEvent): void {
    if (this.#over) return;
    this.onEvent?.(event);
    this.judge.step(event);
    if (this.#options.keeps !== false || event.kind === 'mark') this.#keep(event);
    this.#topicWaits.onEvent(() => this.#options.suite.judging.topicOf(event));
    this.#player?.heard();
    if (event.from === 'target') this.#takeRefusal(event);
    const failed = this.#options.suite.failedCall?.(event, this.events);
    if (failed !== undefined) this.#player?.callFailed(event, failed);
  }

  /** Ends the scenario when the target does not support what it needs. */
  #takeRefusal(event: TraceEvent): void {
    const { unsupported, takesBack } = this.#options.suite;
    const cannot = unsupported(event);
    if (cannot !== undefined) return this.#player?.abort(`the target said: ${cannot}`, { unsupported: true });
    const claimed = takesBack?.(event);
    if (claimed !== undefined) this.abort(`the target said: ${claimed}`);
  }

  #keep(event: TraceEvent): void {
    const full = this.#trace.keep(event);
    if (full === undefined) return;
    this.#recorder.mute();
    this.abort(full);
    for (const peer of this.#peers.names) this.#fault({ kind: 'cut' }, peer);
  }
}
