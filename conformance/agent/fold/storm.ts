/**
 * Storms: random work, injections, decisions and cancels for the reference agent, while a model answers by a random script.
 * Every rule judges every trace. Besides, no code may throw, every request must end, and a seed must give the same events.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { Conversation, MakePeer, Peer, Storm, StormRun, Suite } from '../../../src/kit/suite/index.ts';
import {
  Network,
  Recorder,
  VirtualClock,
  ignoredEvents,
  seededRandom,
} from '../../../src/kit/world/index.ts';
import type { Dial, Random } from '../../../src/kit/world/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import type { BothView, GatewayRequest } from './records.ts';
import { barrierOf, contentOf, pick, stormScript } from './storm-script.ts';
import { responseOf } from './view.ts';

/** The views that a storm looks at. */
type StormView = { readonly both: BothView };

/** The parts of a suite that a storm needs. */
export interface StormOptions<V extends StormView> {
  readonly suite: Pick<Suite<V>, 'judging' | 'secrets' | 'timeouts' | 'peers'>;
  readonly target: (options: JsonObject) => MakePeer;
}

/** One of this many sessions is played twice. */
const repeatEvery = 20;
/** The most requests of a session. */
const mostRequests = 6;

/** Plays sessions, one a seed. */
export function agentStorm<V extends StormView>(
  options: StormOptions<V>,
  { from, count, onProgress }: StormRun,
): Storm {
  const failures: { seed: number; what: string }[] = [];
  let events = 0;
  for (let n = 0; n < count; n++) {
    const seed = from + n;
    const session = new StormSession(options, seed);
    session.run();
    events += session.events.length;
    for (const what of session.failures.slice(0, 3)) failures.push({ seed, what });
    if (n % repeatEvery === 0 && !session.repeats(new StormSession(options, seed)))
      failures.push({ seed, what: 'unrepeatable: the same seed gave other events' });
    if (n % 100 === 99) onProgress(n + 1);
  }
  return { sessions: count, events, failures };
}

/** The conversation of one seed. */
export function conversation<V extends StormView>(options: StormOptions<V>, seed: number): Conversation {
  const session = new StormSession(options, seed);
  session.run();
  return session;
}

/** One session: its simulated world, and its random actions. */
class StormSession<V extends StormView> {
  readonly events: TraceEvent[] = [];
  readonly failures: string[] = [];
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #judge: Judge<V>;
  readonly #gateway: Peer;
  readonly #provider: Peer;
  readonly #target: Peer;
  readonly #requests: number;
  /** The tools that wait for a decision. */
  readonly #asked = new Set<string>();
  #sent = 0;
  #ids = 0;
  #acted = false;
  #over = false;

  constructor({ suite, target }: StormOptions<V>, seed: number) {
    const clock = this.#clock;
    const random = seededRandom(`${seed} storm`);
    this.#random = random;
    this.#requests = 1 + random.below(mostRequests);
    this.#judge = new Judge(suite.judging);
    this.#judge.onViolation = (id, { seq, message }) => this.#fail(`${id}: ${message}`, seq);
    const sink = (event: TraceEvent): void => {
      if (this.#over) return;
      this.events.push(event);
      this.#judge.step(event);
      const asked = responseOf(event).tool_approval_request?.id;
      if (asked !== undefined) this.#asked.add(asked);
    };
    const recorder = new Recorder({
      clock,
      wire: 'agent',
      secrets: suite.secrets,
      redact: simulatedRedact,
      sink,
    });
    const peer = (name: string, role: string, wire: string, options: JsonObject): Peer =>
      (suite.peers[role] as (options: JsonObject) => MakePeer)(options)({
        clock,
        tap: (event) => recorder.wire(name, event, wire),
        report: (told, detail) => {
          if (told === 'request' || told === 'answered')
            recorder.mark({ told, peer: name, detail: JSON.parse(detail) as JsonObject });
        },
      });
    this.#gateway = peer('gateway', 'fold/gateway', 'fold', { answers: false });
    this.#provider = peer('provider', 'llm/provider', 'llm', { script: stormScript(random, this.#requests) });
    const max = pick(random, [1, 5, 40]);
    const [above, below] = ['', 'h'].map((prefix) => {
      const chance = seededRandom(`${seed} network ${prefix}`);
      return new Network(clock, chance, { delay: { min: 0.05, max }, prefix });
    }) as [Network, Network];
    above.listen(this.#gateway.accept);
    below.listen((link, metadata) =>
      metadata[':path'] === undefined ? ignoredEvents : this.#provider.accept(link, metadata),
    );
    const dial: Dial = (request, events) =>
      (request.metadata[':url'] === undefined ? above : below).dial(request, events);
    this.#target = target({ dialect: pick(random, dialects) })({ clock, dial });
    recorder.mark({ run: { drive: 'llm', timeouts: { ...suite.timeouts } } });
    this.#end = () => recorder.mark({ end: true });
  }

  readonly #end: () => void;

  /** Runs random actions. Then lets every request end. */
  run(): void {
    const clock = this.#clock;
    try {
      clock.after(0, () => this.#target.begin());
      this.#pass(200);
      this.#act(4 + this.#random.below(24));
      clock.run(() => this.#acted);
      for (let round = 0; round < 200 && this.#open().length > 0; round++) {
        this.#settle();
        this.#pass(2000);
      }
      this.#pass(2000);
      const open = this.#open().map(({ id }) => id);
      if (open.length > 0) this.#fail(`unfinished: requests without their end: ${open.join(', ')}`);
      this.#end();
      this.#judge.end();
      this.#over = true;
      for (const peer of [this.#target, this.#gateway, this.#provider]) peer.stop();
    } catch (error) {
      this.#fail(`throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  /** Whether another session with the same seed has the same events. */
  repeats(again: StormSession<V>): boolean {
    again.run();
    return JSON.stringify(this.events) === JSON.stringify(again.events);
  }

  #fail(what: string, last: number = this.events.length - 1): void {
    const shown = this.events
      .slice(Math.max(0, last - 11), last + 1)
      .map(({ seq, at, wire, from, kind, data }) => {
        return `${seq} ${Math.round(at)} ms ${wire} ${from} ${kind} ${JSON.stringify(data).slice(0, 200)}`;
      });
    this.failures.push([what, ...shown].join('\n    '));
  }

  #pass(ms: number): void {
    const then = this.#clock.now() + ms;
    this.#clock.after(ms, () => {});
    if (!this.#clock.run(() => this.#clock.now() >= then)) throw new Error('time stands still');
  }

  #open(): readonly GatewayRequest[] {
    return [...this.#judge.view.both.requests.values()].filter(({ ended }) => ended === undefined);
  }

  /** Does `left` random actions, one after another, at random times. */
  #act(left: number): void {
    const gap = pick(this.#random, [1, 5, 30, 200]);
    this.#clock.after(gap * this.#random.next(), () => {
      if (left === 0) return void (this.#acted = true);
      this.#talk();
      this.#act(left - 1);
    });
  }

  #talk(): void {
    const random = this.#random;
    const action = random.below(10);
    const open = this.#open();
    if (action < 4 && this.#sent < this.#requests) return this.#request();
    if (action < 6) return this.#send({ inject_context: this.#injection() });
    if (action < 7 && open.length > 0)
      return this.#send({ cancel_request: { request_id: pick(random, open).id, reason: 'storm' } });
    if (action < 9)
      return this.#provider.command({ do: 'send', message: { release: barrierOf(random.below(6)) } });
    this.#decide();
  }

  #request(): void {
    const n = this.#sent++;
    const thread_id = pick(this.#random, ['', 't1', 't2']);
    this.#send({ send_message: { request_id: `r${n}`, thread_id, sender: 'storm', content: contentOf(n) } });
  }

  #injection(): JsonObject {
    const id = `i${++this.#ids}`;
    const priority = `INJECTION_PRIORITY_${pick(this.#random, ['IMMEDIATE', 'NORMAL', 'DEFERRED'])}`;
    return { injection_id: id, content: `Injected words ${id}.`, priority, source: 'storm' };
  }

  /** Decides about all calls that wait for an approval, once each. */
  #decide(): void {
    for (const id of this.#asked) this.#send({ tool_approval: { id, approved: this.#random.below(3) > 0 } });
    this.#asked.clear();
  }

  #settle(): void {
    for (let n = 0; n < this.#requests; n++)
      this.#provider.command({ do: 'send', message: { release: barrierOf(n) } });
    this.#decide();
  }

  #send(message: JsonObject): void {
    this.#gateway.command({ do: 'send', message });
  }
}
