/**
 * A whole system in the simulated world: the reference gateway, several reference agents, packs and an operator,
 * on a network that delays, stalls and cuts, all from a seed. Both sides are judged at once: agents by what the
 * gateway sees of them, the gateway by what all others see of it. And nothing may throw, every request that an
 * operator sent must end, and a seed must give the same events again.
 */
import type { JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { Judge, Recorder, peerOf, simulatedRedact } from '../../src/kit/check/index.ts';
import type { MakePeer, Peer, Storm, StormRun } from '../../src/kit/check/index.ts';
import { Network, VirtualClock, seededRandom } from '../../src/kit/world/index.ts';
import type { Random, WireEvent } from '../../src/kit/world/index.ts';
import {
  agent,
  agentCodec,
  defaultAgentOptions,
  protocolFeatures,
  serverCodec,
} from '../../src/fold/index.ts';
import { foldGateway } from './gateway/index.ts';
import { gatewayPeers, simulatedGatewayTarget } from './gateway/target.ts';
import { foldAgent } from './index.ts';
import { LiveJudges } from './live.ts';
import { pick } from './storm-steps.ts';
import { SystemTalk } from './system-talk.ts';

/** Something that must not happen. */
export interface SystemFailure {
  readonly seed: number;
  /** A requirement's id, or `throws`, `endless`, `unfinished` or `unrepeatable`. */
  readonly broke: string;
  readonly message: string;
  readonly excerpt: readonly string[];
}

/** What a run of many systems found. */
export interface SystemReport {
  readonly sessions: number;
  readonly events: number;
  readonly exercised: ReadonlyMap<string, number>;
  readonly failures: readonly SystemFailure[];
}

/** How systems are run. */
export interface SystemOptions {
  readonly from: number;
  readonly count: number;
  /** Every how many one is run again and compared; default 20. */
  readonly repeatEvery?: number;
  /** The gateway; default: the reference. */
  readonly gateway?: (options: JsonObject) => MakePeer;
  readonly onProgress?: (done: number) => void;
}

/** Runs `count` systems, one a seed. The same options give the same report. */
export function systems(options: SystemOptions): SystemReport {
  const { from, count, repeatEvery = 20, gateway = simulatedGatewayTarget, onProgress } = options;
  const exercised = new Map<string, number>();
  const failures: SystemFailure[] = [];
  let events = 0;
  for (let n = 0; n < count; n++) {
    const system = new System(gateway, from + n);
    system.run();
    if (n % repeatEvery === 0) system.compare(new System(gateway, from + n));
    failures.push(...system.failures);
    events += system.events.length;
    for (const [id, found] of system.judge.found)
      exercised.set(id, (exercised.get(id) ?? 0) + found.exercised);
    if (n % 100 === 99) onProgress?.(n + 1);
  }
  return { sessions: count, events, exercised, failures };
}

/** The same as the command wants it. */
export function systemStorm({ from, count, onProgress }: StormRun): Storm {
  const { sessions, events, failures } = systems({ from, count, onProgress });
  return {
    sessions,
    events,
    failures: failures.map(({ seed, broke, message, excerpt }) => ({
      seed,
      what: [`${broke}: ${message}`, ...excerpt].join('\n    '),
    })),
  };
}

/** One system. */
class System {
  /** What agents, packs and the operator see. */
  readonly events: TraceEvent[] = [];
  readonly failures: SystemFailure[] = [];
  readonly judge = new Judge(foldGateway.judging);
  readonly #seed: number;
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #network: Network;
  /** What the gateway sees of its agents. */
  readonly #inside: TraceEvent[] = [];
  readonly #agents: LiveJudges;
  readonly #outer: Recorder;
  readonly #inner: Recorder;
  readonly #peers = new Map<string, Peer>();
  readonly #streams = new Map<string, string[]>();
  readonly #talk: SystemTalk;
  readonly #gateway: Peer;
  #over = false;

  constructor(make: (options: JsonObject) => MakePeer, seed: number) {
    const clock = this.#clock;
    this.#seed = seed;
    this.#random = seededRandom(`${seed} system`);
    const max = pick(this.#random, [1, 5, 40]);
    this.#network = new Network(clock, seededRandom(`${seed} network`), { delay: { min: 0.05, max } });
    this.#network.onPing = () => {};
    this.judge.onViolation = (id, { seq, message }) => this.#fail(id, message, this.events, seq);
    this.#agents = new LiveJudges(({ requirement, finding: { seq, message } }) =>
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
    const disconnect_unresponsive = this.#random.below(4) === 0;
    this.#gateway = make({
      disconnect_unresponsive,
      duplicates: pick(this.#random, ['already_exists', 'registration_error']),
    })({
      clock,
      tap: (event) => this.#seen(event),
    });
    this.#talk = new SystemTalk(this.#random, clock, (peer, message) =>
      this.#peers.get(peer)?.command({ do: 'send', message }),
    );
    this.#outer.mark({ run: { drive: 'operator', auth: 'none', timeouts: { ...foldGateway.timeouts } } });
    this.#inner.mark({ run: { drive: 'directive', timeouts: { ...foldAgent.timeouts } } });
    this.#populate();
  }

  /** Stirs for a while; then lets every request end, and everything come to rest. */
  run(): void {
    const clock = this.#clock;
    try {
      this.#network.listen(this.#gateway.accept);
      this.#gateway.begin();
      for (const peer of this.#peers.values()) clock.after(this.#random.next() * 20, () => peer.begin());
      let calm = false;
      this.#act(10 + this.#random.below(60), () => (calm = true));
      clock.run(() => calm);
      // What a gateway ended by itself may still run at its agent, so all is let go a few times more.
      for (let round = 0; round < 400 && (this.#talk.open() > 0 || round < 25); round++) {
        this.#talk.settle();
        this.#pass(150);
      }
      this.#pass(10_500);
      if (this.#talk.open() > 0)
        this.#fail('unfinished', `${this.#talk.open()} calls without their end`, this.events);
      this.#end();
      const minuteLater = clock.now() + 60_000;
      if (clock.run(() => clock.now() > minuteLater))
        this.#fail('endless', 'timers that nothing stops', this.events);
    } catch (error) {
      this.#fail(
        'throws',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
        this.events,
      );
    }
  }

  /** Runs another system of its seed, whose events must be the same. */
  compare(again: System): void {
    again.run();
    const [first, second] = [this, again].map(({ events }) => JSON.stringify(events));
    if (first !== second) this.#fail('unrepeatable', 'the same seed gave other events', this.events);
  }

  #recorder(sink: (event: TraceEvent) => void): Recorder {
    const { secrets } = foldGateway;
    const judged = (event: TraceEvent): void => {
      if (!this.#over) sink(event);
    };
    return new Recorder({ clock: this.#clock, wire: 'fold', secrets, redact: simulatedRedact, sink: judged });
  }

  #end(): void {
    this.#outer.mark({ end: true });
    this.#inner.mark({ end: true });
    this.judge.end();
    this.#agents.end();
    this.#over = true;
    for (const peer of [...this.#peers.values(), this.#gateway]) peer.stop();
  }

  #populate(): void {
    const count = 1 + this.#random.below(3);
    for (let n = 1; n <= count; n++) {
      // A hold is released by an injection: without that feature a request could never end.
      const has = (name: string): boolean => name === 'injection' || this.#random.below(5) > 0;
      const protocol_features = protocolFeatures.filter(has);
      const register = { ...defaultAgentOptions.register, protocol_features };
      this.#add(`agent${n}`, peerOf(agent({ agent_id: `agent${n}`, register }), serverCodec, agentCodec));
      this.#talk.agents.push(`agent${n}`);
    }
    const pack = gatewayPeers['fold/pack'];
    const tools = [
      { name: 'search', timeout_seconds: 1 },
      { name: 'vault', required_capabilities: ['vault'] },
    ];
    if (pack !== undefined) this.#add('pack', pack({ pack_id: 'pack', tools }));
    const operator = gatewayPeers['fold/operator'];
    if (operator !== undefined) this.#add('operator', operator({}));
  }

  #add(name: string, make: MakePeer): void {
    const wire = name === 'operator' ? 'operator' : 'fold';
    const tap = (event: WireEvent): void => {
      if (event.kind === 'open') {
        this.#streams.set(name, [...(this.#streams.get(name) ?? []), event.stream]);
        if (name === 'operator') this.#talk.opened(event.stream);
      }
      this.#outer.wire(name, event, wire);
      if (event.incoming) this.#talk.heard(name, event);
    };
    this.#peers.set(name, make({ clock: this.#clock, dial: this.#network.dial, tap }));
  }

  /** Something that the gateway sees: of agents it is judged. */
  #seen(event: WireEvent): void {
    if (event.kind === 'open') {
      const by = [...this.#streams].find(([, streams]) => streams.includes(event.stream))?.[0] ?? '';
      if (!by.startsWith('agent')) this.#others.add(event.stream);
    }
    if (!this.#others.has(event.stream)) this.#inner.wire('gateway', event);
  }

  readonly #others = new Set<string>();

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

  /** Does `left` things, one after another, at random times. */
  #act(left: number, done: () => void): void {
    const gap = pick(this.#random, [0, 1, 5, 30, 200, 1000]);
    this.#clock.after(gap * this.#random.next(), () => {
      if (left === 0) return done();
      if (this.#random.below(15) === 0) this.#disturb();
      else this.#talk.say();
      this.#act(left - 1, done);
    });
  }

  /** Cuts or stalls the network of one agent. */
  #disturb(): void {
    const name = pick(this.#random, this.#talk.agents);
    const stream = this.#streams.get(name)?.at(-1);
    if (stream === undefined) return;
    const ms = 200 + this.#random.below(1800);
    const kind = pick(this.#random, ['cut', 'stall', 'cut']);
    const time = kind === 'stall' ? { ms } : {};
    this.#outer.mark({ fault: kind, on: name, ...time });
    this.#inner.mark({ fault: kind, ...time }, { stream });
    this.#network.fault(stream, kind === 'stall' ? { kind, ms } : { kind });
  }
}
