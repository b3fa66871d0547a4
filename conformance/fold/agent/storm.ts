/**
 * A storm: conversations of an agent with the simulated gateway on a simulated network, with random directives,
 * injections, decisions, cancels and faults, all from a seed. Every rule judges every trace; and nothing may
 * throw, time must come to rest, every request must end, and a seed must give the same events again.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Peer, Suite } from '../../../src/kit/suite/index.ts';
import { Network, Recorder, VirtualClock, seededRandom } from '../../../src/kit/world/index.ts';
import type { Random, WireEvent } from '../../../src/kit/world/index.ts';
import { InjectionPriorityNames, directive } from '../../../src/fold/index.ts';
import type { InjectionPriority, Session } from '../../../src/fold/index.ts';
import { undecided } from './expected.ts';
import { pick, stepsOf } from './storm-steps.ts';
import type { FoldView } from './view.ts';

/** What a storm needs. */
export interface StormOptions {
  readonly suite: Pick<Suite<FoldView>, 'protocol' | 'judging' | 'secrets' | 'timeouts'>;
  /** The simulated gateway with these options. */
  readonly gateway: (options: JsonObject) => MakePeer;
  /** The agent under test, made anew for each session. */
  readonly target: () => MakePeer;
  readonly seeds: { readonly from: number; readonly count: number };
  /** Every how many sessions one is run again and compared, event by event; default 20. */
  readonly repeatEvery?: number;
  /** Hears how many sessions have been run, after each hundred. */
  readonly onProgress?: (done: number) => void;
}

/** Something that must not happen, and the seed that shows it again. */
export interface StormFailure {
  readonly seed: number;
  /** A requirement's id, or `throws`, `endless`, `unfinished` or `unrepeatable`. */
  readonly broke: string;
  readonly message: string;
  /** The last events before it, as lines. */
  readonly excerpt: readonly string[];
}

/** What a storm found. */
export interface StormReport {
  readonly sessions: number;
  readonly events: number;
  /** How often each requirement was exercised. */
  readonly exercised: ReadonlyMap<string, number>;
  readonly failures: readonly StormFailure[];
}

/** Runs `count` sessions, one a seed. The same options give the same report. */
export function storm(options: StormOptions): StormReport {
  const { seeds, repeatEvery = 20, onProgress } = options;
  const exercised = new Map<string, number>();
  const failures: StormFailure[] = [];
  let events = 0;
  for (let n = 0; n < seeds.count; n++) {
    const session = new StormSession(options, seeds.from + n);
    session.run();
    if (n % repeatEvery === 0) session.compare(new StormSession(options, seeds.from + n));
    failures.push(...session.failures);
    events += session.events.length;
    for (const [id, { exercised: n }] of session.judge.found) exercised.set(id, (exercised.get(id) ?? 0) + n);
    if (n % 100 === 99) onProgress?.(n + 1);
  }
  return { sessions: seeds.count, events, exercised, failures };
}

/** One session: its world, and the hand that stirs it. */
class StormSession {
  readonly events: TraceEvent[] = [];
  readonly failures: StormFailure[] = [];
  readonly judge: Judge<FoldView>;
  readonly #seed: number;
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #network: Network;
  readonly #recorder: Recorder;
  readonly #gateway: Peer;
  readonly #target: Peer;
  #last: JsonObject | undefined;
  #ids = 0;
  #calm = false;
  #over = false;

  constructor({ suite, gateway, target }: StormOptions, seed: number) {
    const { protocol: wire, judging, secrets, timeouts } = suite;
    const clock = this.#clock;
    this.#seed = seed;
    this.#random = seededRandom(`${seed} storm`);
    const max = pick(this.#random, [1, 5, 40]);
    this.#network = new Network(clock, seededRandom(`${seed} network`), { delay: { min: 0.05, max } });
    this.judge = new Judge(judging);
    this.judge.onViolation = (id, { seq, message }) => this.#fail(id, message, seq);
    const sink = (event: TraceEvent): void => {
      if (this.#over) return;
      this.events.push(event);
      this.judge.step(event);
    };
    this.#recorder = new Recorder({ clock, wire, secrets, redact: simulatedRedact, sink });
    const tap = (event: WireEvent): void => this.#recorder.wire('gateway', event);
    this.#gateway = gateway(pick(this.#random, gateways))({ clock, tap });
    this.#target = target()({ clock, dial: this.#network.dial });
    this.#recorder.mark({ run: { drive: 'directive', timeouts: { ...timeouts } } });
  }

  /** Stirs for a while; then lets every request end, and everything come to rest. */
  run(): void {
    const clock = this.#clock;
    try {
      this.#network.listen(this.#gateway.accept);
      clock.after(0, () => this.#target.begin());
      this.#act(10 + this.#random.below(50));
      clock.run(() => this.#calm);
      for (let round = 0; round < 300 && !this.#idle(); round++) {
        this.#settle();
        this.#pass(150);
      }
      this.#pass(10_500); // longer than any rule waits, but for an approval
      if (!this.#idle()) this.#fail('unfinished', `requests without their end: ${this.#open().join(', ')}`);
      this.#recorder.mark({ end: true });
      this.judge.end();
      this.#over = true;
      for (const peer of [this.#target, this.#gateway]) peer.stop();
      const minuteLater = clock.now() + 60_000;
      if (clock.run(() => clock.now() > minuteLater)) this.#fail('endless', 'timers that nothing stops');
    } catch (error) {
      this.#fail('throws', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** Runs another session of its seed, whose events must be the same. */
  compare(again: StormSession): void {
    again.run();
    const [first, second] = [this, again].map(({ events }) => JSON.stringify(events));
    if (first !== second) this.#fail('unrepeatable', 'the same seed gave other events');
  }

  #fail(broke: string, message: string, last: number = this.events.length - 1): void {
    const events = this.events.slice(Math.max(0, last - 11), last + 1);
    const excerpt = events.map(({ seq, at, stream, from, kind, data }) => {
      return `${seq} ${at} ms ${stream} ${from} ${kind} ${JSON.stringify(data).slice(0, 240)}`;
    });
    this.failures.push({ seed: this.#seed, broke, message, excerpt });
  }

  #pass(ms: number): void {
    const then = this.#clock.now() + ms;
    this.#clock.after(ms, () => {});
    if (!this.#clock.run(() => this.#clock.now() >= then)) throw new Error('time stands still');
  }

  /** Does `left` things, one after another, at random times, with whoever is there. */
  #act(left: number): void {
    const gap = pick(this.#random, [0, 1, 5, 30, 200, 1000]);
    this.#clock.after(gap * this.#random.next(), () => {
      if (left === 0) return void (this.#calm = true);
      const session = this.#session();
      if (this.#random.below(12) === 0) this.#disturb();
      else if (session !== undefined) this.#talk(session);
      this.#act(left - 1);
    });
  }

  #talk(session: Session): void {
    const random = this.#random;
    const deed = random.below(30);
    if (deed === 0) this.#gateway.command({ do: 'end', status: { code: random.below(17), message: '' } });
    else if (deed < 3) this.#gateway.command({ do: 'raw', bytes: pick(random, oddities) });
    else if (deed < 5 && this.#last !== undefined) this.#send(this.#last);
    else this.#send(sayOf(random, session)(random, session, String(++this.#ids)));
  }

  /** Sends a message; some with a field that the schema lacks. */
  #send(message: JsonObject): void {
    if ('inject_context' in message) this.#last = message;
    if (this.#random.below(12) > 0) return this.#gateway.command({ do: 'send', message });
    const bytes = Buffer.concat([this.#gateway.encode(message), pick(this.#random, oddities)]);
    this.#gateway.command({ do: 'raw', bytes });
  }

  /** Cuts, stalls or slows the network (a full window takes `ms`), or cuts it and is deaf for a while. */
  #disturb(): void {
    const ms = 200 + this.#random.below(1800);
    if (![...this.judge.view.streams.values()].some((s) => s.ended === undefined)) return;
    const kind = pick(this.#random, ['cut', 'stall', 'slow', 'cut']);
    const deaf = kind === 'cut' && ms > 1000;
    this.#recorder.mark({ fault: kind, ...(kind === 'cut' && !deaf ? {} : { ms }) });
    this.#network.fault(undefined, { kind, ms, rate: 100_000_000 / ms });
    if (deaf) this.#network.listen(undefined);
    if (deaf) this.#clock.after(ms, () => this.#network.listen(this.#gateway.accept));
  }

  /** Releases every hold, approves every tool, fails every pack call. */
  #settle(): void {
    const session = this.#session();
    if (session === undefined || session.active.size === 0) return;
    this.#send({ inject_context: { injection_id: `i${++this.#ids}`, content: 'release' } });
    for (const id of waiting(session)) this.#send({ tool_approval: { id, approved: true } });
    for (const id of session.packCalls.keys())
      this.#send({ pack_tool_result: { request_id: id, error: '' } });
  }

  /** The session of the agent's newest stream, while it can be talked to. */
  #session(): Session | undefined {
    const stream = [...this.judge.view.streams.values()].at(-1);
    if (stream?.ended !== undefined || stream?.session.phase !== 'ready') return undefined;
    return stream.session.shutdown === undefined ? stream.session : undefined;
  }

  /** Requests that have not ended, on streams that nothing disturbed. */
  #open(): string[] {
    const there = [...this.judge.view.streams.values()].filter((s) => s.ended === undefined && !s.disturbed);
    return there.flatMap(({ session }) => [...session.active.keys()]);
  }

  /** Whether the agent is connected, or was told to stop, and has nothing open. */
  #idle(): boolean {
    const told = [...this.judge.view.streams.values()].some(({ session }) => session.shutdown !== undefined);
    return (told || this.#session() !== undefined) && this.#open().length === 0;
  }
}

/** Fields that the schema lacks (varint, fixed64, bytes, fixed32), nothing, and what is no field. */
const odd = ['f80105', 'f9010102030405060708', 'fa01026869', 'fd0101020304', '', '0aff'];
const oddities = odd.map((hex) => Buffer.from(hex, 'hex'));

/** The ids of tools that wait for a decision. */
const waiting = ({ active }: Session): string[] =>
  [...active.values()].flatMap(({ tools }) => [...tools.values()].flatMap((t) => (undecided(t) ? t.id : [])));

type Say = (random: Random, session: Session, n: string) => JsonObject;

const request: Say = (random, _, n) => {
  const todo = Array.from({ length: 1 + random.below(6) }, (_, i) => pick(random, stepsOf(`r${n} ${i}`)));
  const content = directive(random.below(3) === 0 ? [{ echo_injections: true }, ...todo] : todo);
  const attached = { attachments: [{ filename: 'a.txt', mime_type: 'text/plain', data: 'aGk=' }] };
  const how = pick(random, [{ content }, { content }, { content, ...attached }, { content: `hello r${n}` }]);
  return { send_message: { request_id: `r${n}`, thread_id: pick(random, ['', 't1', 't2']), ...how } };
};

const inject: Say = (random, _, n) => {
  const content = random.below(3) === 0 ? 'release' : `injection ${n}`;
  const priority = pick<InjectionPriority>(random, [9, ...InjectionPriorityNames]);
  return { inject_context: { injection_id: `i${n}`, content, priority, source: 'storm' } };
};

const decide: Say = (random, session) => {
  const [approved, approve_all] = [random.below(3) > 0, random.below(2) === 0];
  return { tool_approval: { id: pick(random, [...waiting(session), 'none']), approved, approve_all } };
};

/** What else a gateway says; an id that fits nothing is always among those it picks from. */
const other: readonly Say[] = [
  (random, { active, requests }) => {
    const request_id = pick(random, [...active.keys(), pick(random, [...requests.keys(), 'none'])]);
    return { cancel_request: { request_id, ...pick(random, [{}, { reason: 'user_requested' }]) } };
  },
  (random, { packCalls }) => {
    const answer = pick(random, [{ output_json: '{}' }, { error: 'no such tool' }]);
    return { pack_tool_result: { request_id: pick(random, [...packCalls.keys(), 'none']), ...answer } };
  },
  (random) => pick<JsonObject>(random, [{}, {}, {}, { shutdown: { reason: 'maintenance' } }]),
];

function sayOf(random: Random, session: Session): Say {
  const often = waiting(session).length > 0 ? decide : request;
  return pick(random, [request, request, request, inject, inject, often, decide, pick(random, other)]);
}

/** How the gateway treats those who register. */
const gateways: readonly JsonObject[] = [
  {},
  { welcome: { mcp_token: 'token', secrets: { key: 'secret' } } },
  { welcome_delay_ms: 300, assign_id: 'assigned' },
  { assign_id: 'assigned', refuse: { by: 'already_exists', times: 2 } },
  { refuse: { by: 'registration_error', times: 2, suggested_id: 'suggested' } },
];
