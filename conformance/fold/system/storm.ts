/**
 * A storm of a whole system: the reference gateway, several reference agents, sometimes a rogue agent, packs and an operator,
 * on a network that delays, stalls and cuts. The gateway is judged by the events that all others see, agents by the events
 * that the gateway sees.
 */
import fc from 'fast-check';
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import type { KeyedJudges } from '../../../src/kit/judge/index.ts';
import {
  StormWatch,
  action,
  actions,
  conversationOf,
  dice,
  judgeOf,
  memberAt,
  passTime,
  place,
  playStorm,
} from '../../../src/kit/storm/index.ts';
import type { Act, Fail, StormKind, StormWorld } from '../../../src/kit/storm/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm } from '../../../src/kit/suite/index.ts';
import { Network, VirtualClock, seededRandom } from '../../../src/kit/world/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { liveJudges } from '../agent/live.ts';
import { foldAgentSuite } from '../agent/suite.ts';
import type { FoldView } from '../agent/view.ts';
import { foldGatewaySuite } from '../gateway/suite.ts';
import { simulatedGatewayTarget } from '../gateway/target.ts';
import { cast } from './cast.ts';
import { Dice } from './dice.ts';
import { SystemRogue } from './rogue.ts';
import { SystemTalk } from './talk.ts';
import { SystemWork } from './work.ts';

interface Setup {
  /** The longest delay of the network (ms). */
  readonly delay: number;
  /** A seed of the peers and of their answers. */
  readonly cast: string;
  /** The options of the gateway. */
  readonly gateway: JsonObject;
  /** When the gateway is asked to stop: before the work has ended, after it, or never. */
  readonly stops: 'early' | 'late' | 'never';
  /** Who asks it to stop. */
  readonly stoppedBy: 'operator' | 'process';
  /** The time after the last request (ms). The long one covers a gateway's limit for silence. */
  readonly rest: number;
}

const setup: fc.Arbitrary<Setup> = fc.record({
  delay: fc.constantFrom(1, 5, 40),
  cast: dice,
  gateway: fc.record({
    disconnect_unresponsive: fc.boolean(),
    duplicates: fc.constantFrom('already_exists', 'registration_error'),
  }),
  stops: fc.constantFrom('never', 'never', 'never', 'never', 'never', 'late', 'late', 'early'),
  stoppedBy: fc.constantFrom('operator', 'process'),
  rest: fc.constantFrom(10_500, 10_500, 95_000),
});

const disturbances: fc.Arbitrary<Act<SystemStorm>> = actions(
  [9, action('talk', dice, (storm: SystemStorm, seed) => storm.talk(seed))],
  [5, action('rogue', dice, (storm: SystemStorm, seed) => storm.rogue(seed))],
  [
    1,
    action(
      'disturb',
      fc.record({
        kind: fc.constantFrom('stall', 'cut', 'cut'),
        agent: place,
        ms: fc.integer({ min: 200, max: 1999 }),
      }),
      (storm: SystemStorm, { kind, agent, ms }) => storm.disturb(kind, agent, ms),
    ),
  ],
);

type MakeGateway = (options: JsonObject) => MakePeer;

/** The storm of a system; `gateway`: its gateway, default the reference. */
export const systemStorm = (
  gateway: MakeGateway = simulatedGatewayTarget,
): StormKind<SystemStorm, Setup> => ({
  setup,
  world: (given, seed, fail) => new SystemStorm(given, seed, fail, gateway),
  actions: disturbances,
  most: 90,
  gaps: [0, 1, 5, 30, 200, 1000],
  rounds: { count: 750, ms: 150 },
});

/** For `wireproof selftest fold --seeds`. */
export const playSystemStorm: PlayStorm = (run) => playStorm(systemStorm(), run);

/** Random systems, as the agents, packs and operators of the reference gateway see them. */
export const gatewayConversation: PlayConversation = conversationOf(systemStorm());

/** The names of the peers that the rules for agents judge. */
const agentNames = /^agent/;
/** After this many rounds, no operator can end what is open: only its timeout does. */
const roundsOfOperator = 150;
const longestApproval = 301_000;
/** The rounds in which a rogue leaves its requests without their end: longer than the time limit of a cancel. */
const roundsOfRogue = 80;

class SystemStorm implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  /** The events that agents, packs and the operator see, and those that the gateway sees of its agents. */
  readonly watches: readonly [StormWatch, StormWatch];
  readonly #setup: Setup;
  readonly #dice: Dice;
  readonly #network: Network;
  readonly #peers = new Map<string, Peer>();
  /** The peer of each stream. */
  readonly #owners = new Map<string, string>();
  /** The last stream of each peer. */
  readonly #lastOf = new Map<string, string>();
  readonly #work = new SystemWork();
  readonly #talk: SystemTalk;
  readonly #gateway: Peer;
  #rogue: SystemRogue | undefined;
  #rounds = 0;

  constructor(given: Setup, seed: string, fail: Fail, make: MakeGateway) {
    const { clock } = this;
    this.#setup = given;
    this.#dice = new Dice(given.cast);
    this.#network = new Network(clock, seededRandom(seed), { delay: { min: 0.05, max: given.delay } });
    this.#network.onPing = () => {};
    this.watches = [this.#outer(fail), this.#inner(fail)];
    this.#gateway = make(given.gateway)({ clock, tap: (event) => this.#seenByGateway(event) });
    const world = { random: this.#dice, clock, work: this.#work };
    const command = (peer: string, order: PeerCommand<JsonObject>): void =>
      this.#peers.get(peer)?.command(order);
    this.#talk = new SystemTalk({ ...world, command });
    for (const { name, make: makePeer } of cast(this.#dice)) {
      if (agentNames.test(name) || name === 'rogue') this.#work.add(name);
      if (name === 'rogue')
        this.#rogue = new SystemRogue({ ...world, command: (order) => command(name, order) });
      this.#peers.set(name, makePeer({ clock, dial: this.#network.dial, tap: this.#tapOf(name) }));
    }
  }

  begin(): void {
    this.#network.listen(this.#gateway.accept);
    this.#gateway.begin();
    for (const [name, peer] of this.#peers)
      if (name === 'rogue') peer.begin();
      else this.clock.after(this.#dice.next() * 20, () => peer.begin());
  }

  calm(): void {
    if (this.#setup.stops === 'early') this.#stopGateway();
  }

  /** The operator's calls, and the requests of agents. */
  open(): readonly string[] {
    const [calls, requests] = [this.#talk.open(), this.#work.running()];
    return [
      ...(calls > 0 ? [`${calls} calls of the operator`] : []),
      ...(requests > 0 ? [`${requests} requests of agents`] : []),
    ];
  }

  /** Ends what is open, at its requester and at its agent. */
  settle(): void {
    // No operator decides about a tool of a request that the gateway ended.
    if (++this.#rounds % roundsOfOperator === 0) passTime(this.clock, longestApproval);
    this.#talk.settle();
    if (this.#rounds % roundsOfRogue === 0) this.#rogue?.settle();
  }

  finish(): void {
    passTime(this.clock, this.#setup.rest);
    if (this.#setup.stops === 'late') this.#stopGateway();
  }

  stop(): void {
    for (const peer of [...this.#peers.values(), this.#gateway]) peer.stop();
  }

  /** Lets the operator or a pack say something. */
  talk(seed: string): void {
    this.#dice.roll(seed);
    this.#talk.say();
  }

  /** Lets the rogue act; the operator, where there is no rogue. */
  rogue(seed: string): void {
    if (this.#rogue === undefined) return this.talk(seed);
    this.#dice.roll(seed);
    this.#rogue.act();
  }

  /** Cuts the network of one agent, or stalls it for `ms`. */
  disturb(kind: 'cut' | 'stall', agent: number, ms: number): void {
    const agents = [...this.#peers.keys()].filter((peer) => agentNames.test(peer) || peer === 'rogue');
    const name = memberAt(agents, agent);
    const stream = this.#lastOf.get(name);
    if (stream === undefined) return;
    const time = kind === 'stall' ? { ms } : {};
    const [outer, inner] = this.watches;
    outer.recorder.mark({ fault: kind, on: name, ...time });
    inner.recorder.mark({ fault: kind, ...time }, { stream });
    this.#network.fault(stream, kind === 'stall' ? { kind, ms } : { kind });
  }

  #outer(fail: Fail): StormWatch {
    const run = { drive: 'operator', auth: 'none' };
    const judge = judgeOf(foldGatewaySuite.judging);
    return new StormWatch({ clock: this.clock, wire: 'fold', suite: foldGatewaySuite, run, judge, fail });
  }

  #inner(fail: Fail): StormWatch<KeyedJudges<FoldView>> {
    return new StormWatch({
      clock: this.clock,
      wire: 'fold',
      suite: foldAgentSuite,
      run: { drive: 'directive' },
      judge: (violated) =>
        liveJudges(({ requirement, finding: { seq, message } }) => violated(requirement, message, seq)),
      fail,
    });
  }

  #tapOf(name: string): (event: WireEvent) => void {
    const wire = name === 'operator' ? 'operator' : 'fold';
    return (event) => {
      if (event.kind === 'open') {
        this.#owners.set(event.stream, name);
        this.#lastOf.set(name, event.stream);
      }
      this.watches[0].recorder.wire(name, event, wire);
      this.#work.saw(name, event);
      if (name === 'rogue') this.#rogue?.saw(event);
      else this.#talk.saw(name, event);
    };
  }

  /** Takes an event that the gateway sees. Only the streams of reference agents are judged. */
  #seenByGateway(event: WireEvent): void {
    if (agentNames.test(this.#owners.get(event.stream) ?? ''))
      this.watches[1].recorder.wire('gateway', event);
  }

  /** Asks the gateway to stop, by its process or its operator, and waits until it has stopped. */
  #stopGateway(): void {
    const [outer, inner] = this.watches;
    if (this.#setup.stoppedBy === 'operator') this.#talk.shutdown();
    else {
      outer.recorder.mark({ stop: 'target' });
      this.#gateway.command({ do: 'shutdown', reason: 'asked to stop' });
    }
    passTime(this.clock, 5500);
    // Agents that were disconnected cannot connect again.
    inner.recorder.mark({ fault: 'stop' });
    passTime(this.clock, 5000);
  }
}
