/**
 * A storm: random conversations of an agent with the simulated gateway, with directives, injections, decisions, cancels
 * and network faults. Every rule judges every trace. Besides, no code may throw, all timers must end, every request must
 * end, and a seed must give the same events again.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { Conversation, MakePeer, Peer, Suite } from '../../../src/kit/suite/index.ts';
import { Network, Recorder, VirtualClock, seededRandom } from '../../../src/kit/world/index.ts';
import type { Random, WireEvent } from '../../../src/kit/world/index.ts';
import { InjectionPriorityNames, directive } from '../../../src/fold/index.ts';
import type { InjectionPriority, Session } from '../../../src/fold/index.ts';
import { isUndecided } from './expected.ts';
import { pick, stepsOf } from './storm-steps.ts';
import type { FoldView } from './view.ts';

/** The options of a storm. */
export interface StormOptions {
  readonly suite: Pick<Suite<FoldView>, 'protocol' | 'judging' | 'secrets' | 'timeouts'>;
  /** Makes the simulated gateway with these options. */
  readonly gateway: (options: JsonObject) => MakePeer;
  /** Makes the agent under test, for each session. */
  readonly target: () => MakePeer;
  readonly seeds: { readonly from: number; readonly count: number };
  /** The interval of sessions that run twice, to compare their events; default 20. */
  readonly repeatEvery?: number;
  /** Called with the number of finished sessions, after each hundred. */
  readonly onProgress?: (done: number) => void;
}

/** A failure, and the seed that repeats it. */
export interface StormFailure {
  readonly seed: number;
  /** A requirement's id, or `throws`, `endless`, `unfinished` or `unrepeatable`. */
  readonly broke: string;
  readonly message: string;
  /** The last events before it, as lines. */
  readonly excerpt: readonly string[];
}

/** The result of a storm. */
export interface StormReport {
  readonly sessions: number;
  readonly events: number;
  /** The number of times each requirement was exercised. */
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

/** The conversation of one seed. */
export function conversation(options: Omit<StormOptions, 'seeds'>, seed: number): Conversation {
  const session = new StormSession(options, seed);
  session.run();
  return {
    events: session.events,
    failures: session.failures.map(({ broke, message }) => `${broke}: ${message}`),
  };
}

/** One session: its simulated world, and its random actions. */
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
  #acted = false;
  #over = false;

  constructor({ suite, gateway, target }: Omit<StormOptions, 'seeds'>, seed: number) {
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

  /** Runs random actions. Then lets every request end, and waits until no timer is left. */
  run(): void {
    const clock = this.#clock;
    try {
      this.#network.listen(this.#gateway.accept);
      clock.after(0, () => this.#target.begin());
      this.#act(10 + this.#random.below(50));
      clock.run(() => this.#acted);
      for (let round = 0; round < 300 && !this.#idle(); round++) {
        this.#settle();
        this.#pass(150);
      }
      this.#pass(10_500); // longer than the time limit of every rule except approvals
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

  /** Runs another session with the same seed. Its events must be equal. */
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

  /** Does `left` random actions, one after another, at random times. */
  #act(left: number): void {
    const gap = pick(this.#random, [0, 1, 5, 30, 200, 1000]);
    this.#clock.after(gap * this.#random.next(), () => {
      if (left === 0) return void (this.#acted = true);
      const session = this.#session();
      if (this.#random.below(12) === 0) this.#disturb();
      else if (session !== undefined) this.#talk(session);
      this.#act(left - 1);
    });
  }

  #talk(session: Session): void {
    const random = this.#random;
    const action = random.below(30);
    if (action === 0) this.#gateway.command({ do: 'end', status: { code: random.below(17), message: '' } });
    else if (action < 3) this.#gateway.command({ do: 'raw', bytes: pick(random, unknownBytes) });
    else if (action < 5 && this.#last !== undefined) this.#send(this.#last);
    else this.#send(messageMakerOf(random, session)(random, session, String(++this.#ids)));
  }

  /** Sends a message. Some messages get a field that the schema does not know. */
  #send(message: JsonObject): void {
    if ('inject_context' in message) this.#last = message;
    if (this.#random.below(12) > 0) return this.#gateway.command({ do: 'send', message });
    const bytes = Buffer.concat([this.#gateway.encode(message), pick(this.#random, unknownBytes)]);
    this.#gateway.command({ do: 'raw', bytes });
  }

  /** Cuts, stalls or slows the network, or cuts it and refuses connections for a while. In a slow one, a full window takes `ms`. */
  #disturb(): void {
    const ms = 200 + this.#random.below(1800);
    if (![...this.judge.view.streams.values()].some((s) => s.ended === undefined)) return;
    const kind = pick(this.#random, ['cut', 'stall', 'slow', 'cut']);
    const refuses = kind === 'cut' && ms > 1000;
    this.#recorder.mark({ fault: kind, ...(kind === 'cut' && !refuses ? {} : { ms }) });
    this.#network.fault(undefined, { kind, ms, rate: 100_000_000 / ms });
    if (refuses) this.#network.listen(undefined);
    if (refuses) this.#clock.after(ms, () => this.#network.listen(this.#gateway.accept));
  }

  /** Releases every hold, approves every tool, fails every pack call. */
  #settle(): void {
    const session = this.#session();
    if (session === undefined || session.active.size === 0) return;
    this.#send({ inject_context: { injection_id: `i${++this.#ids}`, content: 'release' } });
    for (const id of waitingToolIds(session)) this.#send({ tool_approval: { id, approved: true } });
    for (const id of session.packCalls.keys())
      this.#send({ pack_tool_result: { request_id: id, error: '' } });
  }

  /** The session of the agent's newest stream; undefined when it cannot take messages. */
  #session(): Session | undefined {
    const stream = [...this.judge.view.streams.values()].at(-1);
    if (stream?.ended !== undefined || stream?.session.phase !== 'ready') return undefined;
    return stream.session.shutdown === undefined ? stream.session : undefined;
  }

  /** The active requests of undisturbed streams. */
  #open(): string[] {
    const there = [...this.judge.view.streams.values()].filter((s) => s.ended === undefined && !s.disturbed);
    return there.flatMap(({ session }) => [...session.active.keys()]);
  }

  /** Whether the agent has no active request, and is connected or was told to stop. */
  #idle(): boolean {
    const told = [...this.judge.view.streams.values()].some(({ session }) => session.shutdown !== undefined);
    return (told || this.#session() !== undefined) && this.#open().length === 0;
  }
}

/** Fields that the schema does not know (varint, fixed64, bytes, fixed32), an empty text, and an invalid field. */
const odd = ['f80105', 'f9010102030405060708', 'fa01026869', 'fd0101020304', '', '0aff'];
const unknownBytes = odd.map((hex) => Buffer.from(hex, 'hex'));

/** The ids of tools that wait for a decision. */
const waitingToolIds = ({ active }: Session): string[] =>
  [...active.values()].flatMap(({ tools }) =>
    [...tools.values()].flatMap((t) => (isUndecided(t) ? t.id : [])),
  );

type MakeMessage = (random: Random, session: Session, n: string) => JsonObject;

const request: MakeMessage = (random, _, n) => {
  const todo = Array.from({ length: 1 + random.below(6) }, (_, i) => pick(random, stepsOf(`r${n} ${i}`)));
  const content = directive(random.below(3) === 0 ? [{ echo_injections: true }, ...todo] : todo);
  const attached = { attachments: [{ filename: 'a.txt', mime_type: 'text/plain', data: 'aGk=' }] };
  const how = pick(random, [{ content }, { content }, { content, ...attached }, { content: `hello r${n}` }]);
  return { send_message: { request_id: `r${n}`, thread_id: pick(random, ['', 't1', 't2']), ...how } };
};

const inject: MakeMessage = (random, _, n) => {
  const content = random.below(3) === 0 ? 'release' : `injection ${n}`;
  const priority = pick<InjectionPriority>(random, [9, ...InjectionPriorityNames]);
  return { inject_context: { injection_id: `i${n}`, content, priority, source: 'storm' } };
};

const decide: MakeMessage = (random, session) => {
  const [approved, approve_all] = [random.below(3) > 0, random.below(2) === 0];
  return { tool_approval: { id: pick(random, [...waitingToolIds(session), 'none']), approved, approve_all } };
};

/** Other messages of a gateway. The choice of ids always has an unknown one. */
const otherMessages: readonly MakeMessage[] = [
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

function messageMakerOf(random: Random, session: Session): MakeMessage {
  const often = waitingToolIds(session).length > 0 ? decide : request;
  return pick(random, [
    request,
    request,
    request,
    inject,
    inject,
    often,
    decide,
    pick(random, otherMessages),
  ]);
}

/** Options of the gateway, for its answers to registrations. */
const gateways: readonly JsonObject[] = [
  {},
  { welcome: { mcp_token: 'token', secrets: { key: 'secret' } } },
  { welcome_delay_ms: 300, assign_id: 'assigned' },
  { assign_id: 'assigned', refuse: { by: 'already_exists', times: 2 } },
  { refuse: { by: 'registration_error', times: 2, suggested_id: 'suggested' } },
];
