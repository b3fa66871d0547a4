/**
 * A storm: whole conversations of an agent with the simulated gateway on a simulated network, with random
 * directives, injections, decisions, cancels and faults, all from a seed. Every rule judges every trace; beyond
 * that nothing may throw, time must end, every request on an undisturbed stream must end, and a seed must give
 * the same events again.
 */
import type { JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { Judge, Recorder, simulatedRedact } from '../../src/kit/check/index.ts';
import type { MakePeer, Peer, Suite } from '../../src/kit/check/index.ts';
import { Network, VirtualClock, seededRandom } from '../../src/kit/world/index.ts';
import type { Random } from '../../src/kit/world/index.ts';
import { InjectionPriorityNames, directive } from '../../src/fold/index.ts';
import type { Session, Step, Tool, ToolStep } from '../../src/fold/index.ts';
import type { FoldView } from './view.ts';
import { undecided } from './view.ts';

/** What a storm needs. */
export interface StormOptions {
  readonly suite: Pick<Suite<FoldView>, 'protocol' | 'judging' | 'secrets' | 'timeouts' | 'peers'>;
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
    for (const [id, found] of session.judge.found)
      exercised.set(id, (exercised.get(id) ?? 0) + found.exercised);
    if (n % 100 === 99) onProgress?.(n + 1);
  }
  return { sessions: seeds.count, events, exercised, failures };
}

/** Events shown before a failure. */
const shown = 12;
/** How long the wire is watched after the last request has ended: longer than an ack may take (ms). */
const watched = 5500;
/** Rounds of releases, decisions and answers at the end, and the time between them (ms). */
const rounds = { most: 300, every: 150 } as const;

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
  #injected: JsonObject | undefined;
  #ids = 0;
  #calm = false;

  constructor({ suite, target }: StormOptions, seed: number) {
    const { protocol: wire, judging, secrets, timeouts, peers } = suite;
    const clock = this.#clock;
    this.#seed = seed;
    this.#random = seededRandom(`${seed} storm`);
    const max = pick(this.#random, [1, 5, 40]);
    this.#network = new Network(clock, seededRandom(`${seed} network`), { delay: { min: 0.05, max } });
    this.judge = new Judge(judging);
    this.judge.onViolation = (id, { seq, message }) => this.#fail(id, message, seq);
    const sink = (event: TraceEvent): void => {
      this.events.push(event);
      this.judge.step(event);
    };
    this.#recorder = new Recorder({ clock, wire, secrets, redact: simulatedRedact, sink });
    const make = peers['fold/gateway'];
    if (make === undefined) throw new Error('the suite has no fold/gateway');
    this.#gateway = make(gatewayOptions(this.#random))({
      clock,
      tap: (event) => this.#recorder.wire('gateway', event),
    });
    this.#target = target()({ clock, dial: this.#network.dial });
    this.#recorder.mark({ run: { drive: 'directive', timeouts: { ...timeouts } } });
  }

  run(): void {
    try {
      this.#play();
      if (!this.#idle())
        this.#fail('unfinished', `expected every request to end; open: ${this.#open().join(', ')}`);
      this.#stop();
      if (!this.#drained())
        this.#fail('endless', 'expected nothing to be due once all have stopped; timers go on');
    } catch (error) {
      this.#fail('throws', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** Runs another session of the same seed, whose events must be the same. */
  compare(again: StormSession): void {
    again.run();
    const most = Math.max(this.events.length, again.events.length);
    for (let i = 0; i < most; i++) {
      if (JSON.stringify(this.events[i]) === JSON.stringify(again.events[i])) continue;
      return this.#fail('unrepeatable', `expected the same events from the same seed; event ${i} differs`, i);
    }
  }

  #fail(broke: string, message: string, seq: number = this.events.length - 1): void {
    const excerpt = this.events.slice(Math.max(0, seq - shown + 1), seq + 1).map((event) => {
      return `${event.seq} ${event.at} ms ${event.stream} ${event.from} ${event.kind} ${JSON.stringify(event.data).slice(0, 240)}`;
    });
    this.failures.push({ seed: this.#seed, broke, message, excerpt });
  }

  #play(): void {
    this.#network.listen(this.#gateway.accept);
    this.#clock.after(0, () => this.#target.begin());
    this.#act(5 + this.#random.below(30));
    this.#clock.run(() => this.#calm);
    for (let round = 0; round < rounds.most && !this.#idle(); round++) {
      this.#settle();
      this.#pass(rounds.every);
    }
    this.#pass(watched);
  }

  #pass(ms: number): void {
    let passed = false;
    this.#clock.after(ms, () => (passed = true));
    this.#clock.run(() => passed);
  }

  /** Does `left` things, one after another, at random times; what is for an agent, while one can be talked to. */
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
    const of = <T>(things: Iterable<T>): T | undefined => any(random, [...things]);
    switch (
      pick(random, [
        'request',
        'request',
        'request',
        'inject',
        'inject',
        'decide',
        'cancel',
        'answer',
        'odd',
        'rare',
      ])
    ) {
      case 'request':
        return this.#request(`r${++this.#ids}`);
      case 'inject':
        return this.#inject(random.below(4) === 0 ? 'release' : `injection ${this.#ids}`);
      case 'decide': {
        const id = random.below(6) === 0 ? undefined : of(waiting(session))?.id;
        const approved = random.below(3) > 0;
        return this.#send({
          tool_approval: { id: id ?? 'unknown', approved, approve_all: random.below(3) === 0 },
        });
      }
      case 'cancel': {
        const id = of((random.below(4) === 0 ? session.requests : session.active).keys()) ?? 'unknown';
        const reason = random.below(2) === 0 ? {} : { reason: 'user_requested' };
        return this.#send({ cancel_request: { request_id: id, ...reason } });
      }
      case 'answer': {
        const result = random.below(3) === 0 ? { error: 'no such tool' } : { output_json: '{"n":1}' };
        return this.#send({
          pack_tool_result: { request_id: of(session.packCalls.keys()) ?? 'unknown', ...result },
        });
      }
      case 'odd':
        return this.#gateway.command({ do: 'raw', bytes: pick(random, oddities) });
      default:
        if (random.below(8) === 0) return this.#send({ shutdown: { reason: 'maintenance' } });
        return this.#gateway.command({
          do: 'end',
          status: { code: random.below(17), message: 'the storm says so' },
        });
    }
  }

  /** Sends a message; some with a field that the schema lacks. */
  #send(message: JsonObject): void {
    if (this.#random.below(12) > 0) return this.#gateway.command({ do: 'send', message });
    const bytes = Buffer.concat([this.#gateway.encode(message), pick(this.#random, oddities)]);
    this.#gateway.command({ do: 'raw', bytes });
  }

  #request(id: string): void {
    const random = this.#random;
    const content = random.below(8) === 0 ? `hello ${id}` : directive(stepsOf(random, id));
    const attached = { attachments: [{ filename: 'a.txt', mime_type: 'text/plain', data: 'aGk=' }] };
    const thread = pick(random, ['', '', 't1', 't2']);
    const message = { request_id: id, thread_id: thread, sender: 'storm', content };
    this.#send({ send_message: { ...message, ...(random.below(8) === 0 ? attached : {}) } });
  }

  /** Injects a text; sometimes the last injection comes again instead. */
  #inject(content: string): void {
    const priority = pick(this.#random, [9, ...InjectionPriorityNames]);
    const again = this.#random.below(8) === 0 ? this.#injected : undefined;
    this.#injected = again ?? { injection_id: `i${++this.#ids}`, content, priority, source: 'storm' };
    this.#send({ inject_context: this.#injected });
  }

  #disturb(): void {
    const random = this.#random;
    const kind = pick(random, ['cut', 'stall', 'slow', 'deaf']);
    this.#recorder.mark({ fault: kind });
    if (kind === 'cut') this.#network.fault(undefined, { kind });
    else if (kind === 'stall') this.#network.fault(undefined, { kind, ms: 200 + random.below(1800) });
    else if (kind === 'slow') this.#network.fault(undefined, { kind, rate: 64_000 + random.below(256_000) });
    else {
      this.#network.listen(undefined);
      this.#clock.after(random.below(2000), () => this.#network.listen(this.#gateway.accept));
    }
  }

  /** Releases every hold, approves every tool, answers every pack call. */
  #settle(): void {
    const session = this.#session();
    if (session === undefined || session.active.size === 0) return;
    this.#injected = undefined;
    this.#inject('release');
    for (const { id } of waiting(session)) this.#send({ tool_approval: { id, approved: true } });
    for (const id of session.packCalls.keys())
      this.#send({ pack_tool_result: { request_id: id, output_json: '{}' } });
  }

  /** The session of the agent's newest stream, while it can be talked to. */
  #session(): Session | undefined {
    const stream = [...this.judge.view.streams.values()].at(-1);
    if (stream?.ended !== undefined || stream?.session.phase !== 'ready') return undefined;
    return stream.session.shutdown === undefined ? stream.session : undefined;
  }

  #open(): string[] {
    const there = [...this.judge.view.streams.values()].filter((s) => s.ended === undefined && !s.disturbed);
    return there.flatMap(({ session }) => [...session.active.keys()]);
  }

  /** Whether the agent is connected, or was told to stop, and has nothing open. */
  #idle(): boolean {
    const told = [...this.judge.view.streams.values()].some(({ session }) => session.shutdown !== undefined);
    return (told || this.#session() !== undefined) && this.#open().length === 0;
  }

  #stop(): void {
    this.#recorder.mark({ fault: 'stop' });
    this.#target.stop();
    this.#recorder.mark({ end: true });
    this.#gateway.stop();
    this.judge.end();
  }

  /** Whether nothing is due any more: time stands still. */
  #drained(): boolean {
    this.#clock.run(() => false, 10_000);
    const before = this.#clock.now();
    this.#clock.run(() => false, 1);
    return this.#clock.now() === before;
  }
}

/** Fields that the schema lacks (varint, fixed64, bytes, fixed32), and a payload that is cut short. */
const oddities = [
  Buffer.from('f80105', 'hex'),
  Buffer.from('f9010102030405060708', 'hex'),
  Buffer.from('fa01026869', 'hex'),
  Buffer.from('fd0101020304', 'hex'),
  Buffer.alloc(0),
] as const;

/** One of several, or of none. */
const any = <T>(random: Random, list: readonly T[]): T | undefined => list[random.below(list.length)];

/** One of several. */
const pick = <const T>(random: Random, list: readonly [T, ...T[]]): T => any(random, list) ?? list[0];

const waiting = (session: Session): Tool[] =>
  [...session.active.values()].flatMap((request) => [...request.tools.values()].filter(undecided));

function gatewayOptions(random: Random): JsonObject {
  const by = pick(random, ['already_exists', 'registration_error']);
  const suggested = random.below(2) === 0 ? {} : { suggested_id: 'suggested' };
  return {
    ...(random.below(4) === 0 ? { welcome_delay_ms: random.below(400) } : {}),
    ...(random.below(4) === 0 ? { assign_id: 'assigned' } : {}),
    ...(random.below(4) === 0 ? { welcome: { mcp_token: 'token', secrets: { key: 'secret' } } } : {}),
    ...(random.below(5) === 0 ? { refuse: { by, times: 1 + random.below(2), ...suggested } } : {}),
  };
}

/** One to six steps, whose texts no other request has; some that no agent knows. */
function stepsOf(random: Random, id: string): readonly unknown[] {
  const steps = Array.from({ length: 1 + random.below(6) }, (_, i) =>
    pick(random, stepMakers)(random, `${id} ${i}`),
  );
  const unknown = random.below(20) === 0 ? [{ dance: true }] : [];
  return [...(random.below(3) === 0 ? [{ echo_injections: true }] : []), ...steps, ...unknown];
}

type StepMaker = (random: Random, id: string) => Step;

const stepMakers: readonly [StepMaker, ...StepMaker[]] = [
  (_, id) => ({ say: `text ${id}` }),
  (random, id) => ({ say: `${id} `.repeat(random.below(400)), times: 1 + random.below(60) }),
  (_, id) => ({ think: `thought ${id}` }),
  (random) => ({ wait_ms: random.below(2500) }),
  () => ({ hold: true }),
  (random, id) => ({ tool: toolOf(random, id) }),
  (random, id) => ({ tool: { ...toolOf(random, id), approval: true } }),
  (random) => ({ usage: { input_tokens: random.below(1000), output_tokens: random.below(1000) } }),
  () => ({ file: { filename: 'f', mime_type: 'text/plain', base64: 'aGk=' } }),
  (random) => ({ session: random.below(8) === 0 ? 'orphaned' : 'init' }),
  (_, id) => ({ pack_tool: { name: 'search', input: { q: id } } }),
  () => ({ heartbeat: true }),
  (random, id) => (random.below(3) === 0 ? { fail: `failure ${id}` } : { think: id }),
  (random, id) => (random.below(3) === 0 ? { reject_injections: `busy with ${id}` } : { think: id }),
];

function toolOf(random: Random, id: string): ToolStep {
  return {
    name: 'read',
    input: { id },
    hold: random.below(3) === 0,
    outcome: pick(random, ['ok', 'ok', 'fail', 'timeout']),
    output: `output ${id}`,
    ...(random.below(3) === 0 ? { approval_timeout_ms: 300 + random.below(3000) } : {}),
  };
}
