/** A storm: random work, injections, decisions and cancels for the reference agent, while a model answers by a random script. */
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judge } from '../../../../src/kit/judge/index.ts';
import {
  StormWatch,
  action,
  actions,
  conversationOf,
  judgeOf,
  memberAt,
  passTime,
  place,
  playStorm,
} from '../../../../src/kit/storm/index.ts';
import type { Act, Fail, StormKind, StormWorld } from '../../../../src/kit/storm/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm } from '../../../../src/kit/suite/index.ts';
import { Network, VirtualClock, ignoredEvents, seededRandom } from '../../../../src/kit/world/index.ts';
import type { Dial } from '../../../../src/kit/world/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { GatewayRequest } from '../records.ts';
import { barrierOf, contentOf, stormScript } from './script.ts';
import { agentFoldSuite } from '../suite.ts';
import type { Views } from '../suite.ts';
import { wholeAgentPeer } from '../target.ts';
import { responseOf } from '../view.ts';

interface Setup {
  /** The longest delay of both networks (ms). */
  readonly delay: number;
  readonly dialect: string;
  /** The most requests of the session. */
  readonly requests: number;
  /** Answers for them. */
  readonly script: JsonObject;
}

/** The most requests of a session. */
const mostRequests = 6;
/** The time in which the agent connects (ms). */
const connects = 200;
/** The time for what is left after the last request (ms). */
const settled = 2000;

const setup: fc.Arbitrary<Setup> = fc.integer({ min: 1, max: mostRequests }).chain((requests) =>
  fc.record({
    delay: fc.constantFrom(1, 5, 40),
    dialect: fc.constantFrom(...dialects),
    requests: fc.constant(requests),
    script: stormScript(requests),
  }),
);

const injection = fc.constantFrom('IMMEDIATE', 'NORMAL', 'DEFERRED');

const disturbances: fc.Arbitrary<Act<WholeAgentStorm>> = actions(
  [4, action('request', fc.constantFrom('', 't1', 't2'), (storm: WholeAgentStorm, id) => storm.request(id))],
  [2, action('inject', injection, (storm: WholeAgentStorm, priority) => storm.inject(priority))],
  [1, action('cancel', place, (storm: WholeAgentStorm, at) => storm.cancel(at))],
  [2, action('release', fc.nat(mostRequests - 1), (storm: WholeAgentStorm, n) => storm.release(n))],
  [1, action('decide', fc.nat(2), (storm: WholeAgentStorm, n) => storm.decide(n > 0))],
);

/** The storm of a whole agent; default: the reference. */
export const wholeAgentStorm = (
  target: (options: JsonObject) => MakePeer = (options) => wholeAgentPeer({}, options),
): StormKind<WholeAgentStorm, Setup> => ({
  setup,
  world: (given, seed, fail) => new WholeAgentStorm(given, seed, fail, target),
  actions: disturbances,
  most: 28,
  gaps: [1, 5, 30, 200],
  rounds: { count: 200, ms: 2000 },
});

/** For `wireproof selftest agent/fold --seeds`. */
export const playWholeAgentStorm: PlayStorm = (run) => playStorm(wholeAgentStorm(), run);

/** Random conversations of the reference agent with a gateway and a model. */
export const wholeAgentConversation: PlayConversation = conversationOf(wholeAgentStorm());

/** One session: its simulated world. */
class WholeAgentStorm implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly watches: readonly [StormWatch<Judge<Views>>];
  readonly #requests: number;
  readonly #gateway: Peer;
  readonly #provider: Peer;
  readonly #target: Peer;
  /** The number of events whose questions were answered. */
  #decided = 0;
  #sent = 0;
  #ids = 0;

  constructor(
    { delay, dialect, requests, script }: Setup,
    seed: string,
    fail: Fail,
    target: (options: JsonObject) => MakePeer,
  ) {
    const { clock } = this;
    this.#requests = requests;
    const { judging } = agentFoldSuite;
    const watch = new StormWatch({
      clock,
      wire: 'agent',
      suite: agentFoldSuite,
      run: { drive: 'llm' },
      judge: judgeOf(judging),
      fail,
    });
    this.watches = [watch];
    this.#gateway = this.#peer('gateway', 'fold/gateway', 'fold', { answers: false });
    this.#provider = this.#peer('provider', 'llm/provider', 'llm', { script });
    const network = (prefix: string): Network =>
      new Network(clock, seededRandom(`${seed} ${prefix}`), { delay: { min: 0.05, max: delay }, prefix });
    const [above, below] = [network(''), network('h')];
    above.listen(this.#gateway.accept);
    below.listen((link, metadata) =>
      metadata[':path'] === undefined ? ignoredEvents : this.#provider.accept(link, metadata),
    );
    const dial: Dial = (asked, events) =>
      (asked.metadata[':url'] === undefined ? above : below).dial(asked, events);
    this.#target = target({ dialect })({ clock, dial });
  }

  begin(): void {
    this.#target.begin();
    passTime(this.clock, connects);
  }

  open(): readonly string[] {
    return this.#open().map(({ id }) => id);
  }

  settle(): void {
    for (let n = 0; n < this.#requests; n++) this.release(n);
    this.decide(true);
  }

  finish(): void {
    passTime(this.clock, settled);
  }

  stop(): void {
    for (const peer of [this.#target, this.#gateway, this.#provider]) peer.stop();
  }

  request(thread_id: string): void {
    if (this.#sent === this.#requests) return;
    const n = this.#sent++;
    this.#send({ send_message: { request_id: `r${n}`, thread_id, sender: 'storm', content: contentOf(n) } });
  }

  inject(name: string): void {
    const id = `i${++this.#ids}`;
    const priority = `INJECTION_PRIORITY_${name}`;
    const content = `Injected words ${id}.`;
    this.#send({ inject_context: { injection_id: id, content, priority, source: 'storm' } });
  }

  cancel(at: number): void {
    const open = this.#open();
    if (open.length > 0)
      this.#send({ cancel_request: { request_id: memberAt(open, at).id, reason: 'storm' } });
  }

  /** Lets the model go on with the answers to a request. */
  release(n: number): void {
    this.#provider.command({ do: 'send', message: { release: barrierOf(n) } });
  }

  /** Decides about all calls that have asked for an approval since the last time. */
  decide(approved: boolean): void {
    const { events } = this.watches[0];
    for (const event of events.slice(this.#decided)) {
      const id = responseOf(event).tool_approval_request?.id;
      if (id !== undefined) this.#send({ tool_approval: { id, approved } });
    }
    this.#decided = events.length;
  }

  #peer(name: string, role: string, wire: string, options: JsonObject): Peer {
    const { recorder } = this.watches[0];
    return (agentFoldSuite.peers[role] as (given: JsonObject) => MakePeer)(options)({
      clock: this.clock,
      tap: (event) => recorder.wire(name, event, wire),
      report: (told, detail) => {
        if (told === 'request' || told === 'answered')
          recorder.mark({ told, peer: name, detail: JSON.parse(detail) as JsonObject });
      },
    });
  }

  #open(): readonly GatewayRequest[] {
    return [...this.watches[0].judge.view.both.requests.values()].filter(({ ended }) => ended === undefined);
  }

  #send(message: JsonObject): void {
    this.#gateway.command({ do: 'send', message });
  }
}
