/** One simulated system: its set-up, its random actions, its end and its judges; see system.ts. */
import type { JsonObject, PeerCommand, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { KeyedJudges } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Peer } from '../../../src/kit/suite/index.ts';
import { Network, Recorder, VirtualClock, seededRandom } from '../../../src/kit/world/index.ts';
import type { Random, WireEvent } from '../../../src/kit/world/index.ts';
import { foldGatewaySuite } from '../gateway/suite.ts';
import type { GatewayView } from '../gateway/view.ts';
import { foldAgentSuite } from '../agent/suite.ts';
import { liveJudges } from '../agent/live.ts';
import type { FoldView } from '../agent/view.ts';
import { pick } from '../agent/storm-steps.ts';
import { cast } from './cast.ts';
import { SystemRogue } from './rogue.ts';
import { SystemTalk } from './talk.ts';
import { SystemWork } from './work.ts';

/** A failure, and the seed that repeats it. */
export interface SystemFailure {
  readonly seed: number;
  /** A requirement's id, or `throws`, `endless`, `unfinished` or `unrepeatable`. */
  readonly broke: string;
  readonly message: string;
  readonly excerpt: readonly string[];
}

/** The names of the peers that the rules for agents judge. */
const agentNames = /^agent/;

/** One system. */
export class System {
  /** The events that agents, packs and the operator see. */
  readonly events: TraceEvent[] = [];
  readonly failures: SystemFailure[] = [];
  readonly judge: Judge<GatewayView> = new Judge(foldGatewaySuite.judging);
  readonly #seed: number;
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #network: Network;
  /** The events that the gateway sees of its agents. */
  readonly #inside: TraceEvent[] = [];
  readonly #agents: KeyedJudges<FoldView>;
  readonly #outer: Recorder;
  readonly #inner: Recorder;
  readonly #peers = new Map<string, Peer>();
  /** The peer of each stream. */
  readonly #owners = new Map<string, string>();
  /** The last stream of each peer. */
  readonly #lastOf = new Map<string, string>();
  readonly #work = new SystemWork();
  readonly #talk: SystemTalk;
  readonly #gateway: Peer;
  #rogue: SystemRogue | undefined;
  #over = false;

  constructor(make: (options: JsonObject) => MakePeer, seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(`${seed} system`);
    const [clock, random, work] = [this.#clock, this.#random, this.#work];
    const max = pick(random, [1, 5, 40]);
    this.#network = new Network(clock, seededRandom(`${seed} network`), { delay: { min: 0.05, max } });
    this.#network.onPing = () => {};
    this.judge.onViolation = (id, { seq, message }) => this.#fail(id, message, this.events, seq);
    this.#agents = liveJudges(({ requirement, finding: { seq, message } }) =>
      this.#fail(requirement, message, this.#inside, seq),
    );
    this.#outer = this.#recorder((event) => {
      this.events.push(event);
      this.judge.step(event);
    });
    this.#inner = this.#recorder((event) => {
      this.#inside.push(event);
      this.#agents.step(event);
    });
    this.#gateway = make(this.#gatewayOptions())({ clock, tap: (event) => this.#seenByGateway(event) });
    const command = (peer: string, order: PeerCommand<JsonObject>): void =>
      this.#peers.get(peer)?.command(order);
    this.#talk = new SystemTalk({ random, clock, work, command });
    this.#outer.mark({
      run: { drive: 'operator', auth: 'none', timeouts: { ...foldGatewaySuite.timeouts } },
    });
    this.#inner.mark({ run: { drive: 'directive', timeouts: { ...foldAgentSuite.timeouts } } });
    this.#populate(command);
  }

  /** Runs random actions. Then lets every request end, and waits until no timer is left. */
  run(): void {
    try {
      this.#begin();
      if (this.#random.below(8) === 0) this.#stop();
      this.#settle();
      // The long wait covers a gateway's limit for silence.
      this.#pass(pick(this.#random, [10_500, 10_500, 95_000]));
      if (this.#random.below(4) === 0) this.#stop();
      this.#end();
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#fail('throws', message, this.events);
    }
  }

  /** Runs another system with the same seed. Its events must be equal. */
  compare(again: System): void {
    again.run();
    const [first, second] = [this, again].map(({ events }) => JSON.stringify(events));
    if (first !== second) this.#fail('unrepeatable', 'the same seed gave other events', this.events);
  }

  #recorder(sink: (event: TraceEvent) => void): Recorder {
    const { secrets } = foldGatewaySuite;
    const judged = (event: TraceEvent): void => {
      if (!this.#over) sink(event);
    };
    return new Recorder({ clock: this.#clock, wire: 'fold', secrets, redact: simulatedRedact, sink: judged });
  }

  /** Random options of the gateway. */
  #gatewayOptions(): JsonObject {
    return {
      disconnect_unresponsive: this.#random.below(4) === 0,
      duplicates: pick(this.#random, ['already_exists', 'registration_error']),
    };
  }

  #begin(): void {
    const clock = this.#clock;
    this.#network.listen(this.#gateway.accept);
    this.#gateway.begin();
    for (const [name, peer] of this.#peers)
      clock.after(name === 'rogue' ? 0 : this.#random.next() * 20, () => peer.begin());
    let acted = false;
    this.#act(10 + this.#random.below(60), () => (acted = true));
    clock.run(() => acted);
  }

  /** Asks the gateway to stop, by its process or its operator, and waits until it has stopped. */
  #stop(): void {
    if (this.#random.below(2) === 0) this.#talk.shutdown();
    else {
      this.#outer.mark({ stop: 'target' });
      this.#gateway.command({ do: 'shutdown', reason: 'asked to stop' });
    }
    this.#pass(5500);
    // Agents that were disconnected cannot connect again.
    this.#inner.mark({ fault: 'stop' });
    this.#pass(5000);
  }

  /** Lets every request end, at its requester and at its agent. */
  #settle(): void {
    const left = (): number => this.#talk.open() + this.#work.running();
    for (let time = 0; time < 5 && left() > 0; time++) {
      // No operator decides about a tool of a request that the gateway ended. Only its timeout ends it.
      if (time > 0) this.#pass(301_000);
      for (let round = 0; round < 150 && left() > 0; round++) {
        this.#talk.settle();
        this.#rogue?.settle();
        this.#pass(150);
      }
    }
    const calls = `${this.#talk.open()} calls and ${this.#work.running()} requests of agents without their end`;
    if (left() > 0) this.#fail('unfinished', calls, this.events);
  }

  #end(): void {
    this.#outer.mark({ end: true });
    this.#inner.mark({ end: true });
    this.judge.end();
    this.#agents.end();
    this.#over = true;
    for (const peer of [...this.#peers.values(), this.#gateway]) peer.stop();
    const clock = this.#clock;
    const minuteLater = clock.now() + 60_000;
    if (clock.run(() => clock.now() > minuteLater))
      this.#fail('endless', 'timers that nothing stops', this.events);
  }

  #populate(command: (peer: string, order: PeerCommand<JsonObject>) => void): void {
    const [random, clock, work] = [this.#random, this.#clock, this.#work];
    for (const { name, make } of cast(random)) {
      if (agentNames.test(name) || name === 'rogue') work.add(name);
      if (name === 'rogue')
        this.#rogue = new SystemRogue({ random, clock, work, command: (order) => command(name, order) });
      this.#add(name, make);
    }
  }

  #add(name: string, make: MakePeer): void {
    const wire = name === 'operator' ? 'operator' : 'fold';
    const tap = (event: WireEvent): void => {
      if (event.kind === 'open') {
        this.#owners.set(event.stream, name);
        this.#lastOf.set(name, event.stream);
      }
      this.#outer.wire(name, event, wire);
      this.#work.saw(name, event);
      if (name === 'rogue') this.#rogue?.saw(event);
      else this.#talk.saw(name, event);
    };
    this.#peers.set(name, make({ clock: this.#clock, dial: this.#network.dial, tap }));
  }

  /** Takes an event that the gateway sees. Only the streams of reference agents are judged. */
  #seenByGateway(event: WireEvent): void {
    if (agentNames.test(this.#owners.get(event.stream) ?? '')) this.#inner.wire('gateway', event);
  }

  #fail(broke: string, message: string, among: readonly TraceEvent[], last: number = among.length - 1): void {
    const excerpt = among
      .slice(Math.max(0, last - 15), last + 1)
      .map(({ seq, at, stream, from, to, kind, data }) => {
        return `${seq} ${at} ms ${stream} ${from} > ${to} ${kind} ${JSON.stringify(data).slice(0, 240)}`;
      });
    this.failures.push({ seed: this.#seed, broke, message, excerpt });
  }

  #pass(ms: number): void {
    const then = this.#clock.now() + ms;
    this.#clock.after(ms, () => {});
    if (!this.#clock.run(() => this.#clock.now() >= then)) throw new Error('time stands still');
  }

  /** Does `left` random actions, one after another, at random times. */
  #act(left: number, done: () => void): void {
    const gap = pick(this.#random, [0, 1, 5, 30, 200, 1000]);
    this.#clock.after(gap * this.#random.next(), () => {
      if (left === 0) return done();
      if (this.#random.below(15) === 0) this.#disturb();
      else if (this.#rogue !== undefined && this.#random.below(3) === 0) this.#rogue.act();
      else this.#talk.say();
      this.#act(left - 1, done);
    });
  }

  /** Cuts or stalls the network of one agent. */
  #disturb(): void {
    const name = pick(
      this.#random,
      [...this.#peers.keys()].filter((peer) => agentNames.test(peer) || peer === 'rogue'),
    );
    const stream = this.#lastOf.get(name);
    if (stream === undefined) return;
    const ms = 200 + this.#random.below(1800);
    const kind = pick(this.#random, ['cut', 'stall', 'cut']);
    const time = kind === 'stall' ? { ms } : {};
    this.#outer.mark({ fault: kind, on: name, ...time });
    this.#inner.mark({ fault: kind, ...time }, { stream });
    this.#network.fault(stream, kind === 'stall' ? { kind, ms } : { kind });
  }
}
