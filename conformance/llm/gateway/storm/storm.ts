/**
 * A storm: clients of any dialects ask the reference gateway, providers answer by random scripts, clients leave, and the
 * network disturbs both sides. The suite's rules judge both wires.
 */
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judge } from '../../../../src/kit/judge/index.ts';
import { faultMeasure } from '../../../../src/kit/scenario/index.ts';
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
import { simulatedRedact } from '../../../../src/kit/suite/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm } from '../../../../src/kit/suite/index.ts';
import { Network, VirtualClock, ignoredEvents, seededRandom } from '../../../../src/kit/world/index.ts';
import type { Dial, Fault } from '../../../../src/kit/world/index.ts';
import type { GatewayOptions } from '../../../../src/llm/gateway/index.ts';
import { keys } from '../keys.ts';
import { llmGatewaySuite } from '../suite.ts';
import { gatewayPeer, simulatedFallback } from '../target.ts';
import { wires } from '../view.ts';
import type { GatewayView } from '../view.ts';
import { stormBarrier } from './answers.ts';
import { anyQuestion, askOf, caseOf, scriptOf } from './questions.ts';
import type { Question } from './questions.ts';

/** Makes the gateway of a session. `reference`: `fallback`, whether it has a second provider. */
export type MakeGateway = (reference: JsonObject, options: Partial<GatewayOptions>) => MakePeer;

const referenceGateway: MakeGateway = (reference, options) => gatewayPeer(options, reference);

interface Setup {
  readonly questions: readonly Question[];
  /** The longest delay of the networks (ms). */
  readonly delay: number;
  readonly retries: number;
  /** Whether there is a second provider. */
  readonly fallback: boolean;
  /** Whether the providers' answers have what no client knows. */
  readonly noise: boolean;
}

/** The silence (ms) after which the gateway gives a provider up. */
const idle = 5000;
/** The time in which a gathered write goes on, and a slow network is quick again (ms). */
const restores = 300;
/** The time in which all deadlines pass (ms). */
const settled = 150_000;

const setup: fc.Arbitrary<Setup> = fc.record({
  questions: fc.array(anyQuestion, { minLength: 1, maxLength: 3 }),
  delay: fc.constantFrom(1, 5, 40),
  retries: fc.constantFrom(0, 0, 1, 2),
  fallback: fc.boolean(),
  noise: fc.constantFrom(false, false, false, true),
});

const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  { withCrossShrink: true },
  fc.integer({ min: 1, max: 20 }).map((size): Fault => ({ kind: 'split', size })),
  fc.integer({ min: 2, max: 6 }).map((size): Fault => ({ kind: 'gather', size })),
  fc.integer({ min: 10, max: 900 }).map((ms): Fault => ({ kind: 'stall', ms })),
  fc.integer({ min: 500, max: 20_000 }).map((rate): Fault => ({ kind: 'slow', rate })),
  fc.constant<Fault>({ kind: 'reset' }),
);

const disturbances: fc.Arbitrary<Act<GatewayStorm>> = actions(
  [
    5,
    action('ask', fc.tuple(place, fc.boolean()), (storm: GatewayStorm, [at, stream]) =>
      storm.ask(at, stream),
    ),
  ],
  [1, action('leave', fc.constant(undefined), (storm: GatewayStorm) => storm.leave())],
  [1, action('release', fc.constant(undefined), (storm: GatewayStorm) => storm.release())],
  [
    1,
    action(
      'fault',
      fc.tuple(fc.constantFrom('below', 'above'), place, anyFault),
      (storm: GatewayStorm, [side, at, one]) => storm.disturb(side, at, one),
    ),
  ],
);

/** The storm of a gateway. `make`: the gateway; default the reference. */
export const gatewayStorm = (make: MakeGateway = referenceGateway): StormKind<GatewayStorm, Setup> => ({
  setup,
  world: (given, seed, fail) => new GatewayStorm(given, seed, fail, make),
  actions: disturbances,
  most: 12,
  gaps: [0, 5, 60, 1500],
  rounds: { count: 200, ms: 1000 },
});

/** For `wireproof selftest llm/gateway --seeds`. */
export const playGatewayStorm: PlayStorm = (run) => playStorm(gatewayStorm(), run);

/** Random conversations of the reference gateway. */
export const gatewayConversation: PlayConversation = conversationOf(gatewayStorm());

/** The two networks of a session, and the names of their open streams. */
type Side = 'above' | 'below';

/** One session: its simulated world. */
class GatewayStorm implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly watches: readonly [StormWatch<Judge<GatewayView>>];
  readonly #setup: Setup;
  readonly #client: Peer;
  readonly #providers: readonly Peer[];
  readonly #target: Peer;
  readonly #networks: { readonly above: Network; readonly below: readonly Network[] };
  #asks = 0;

  constructor(given: Setup, seed: string, fail: Fail, make: MakeGateway) {
    const { clock } = this;
    const { delay, retries, fallback, questions, noise } = given;
    this.#setup = given;
    const { judging, secrets } = llmGatewaySuite;
    const suite = { ...llmGatewaySuite, secrets: { ...secrets, values: Object.values(keys) } };
    this.watches = [
      new StormWatch({
        clock,
        wire: wires.above,
        suite,
        run: { drive: 'routes' },
        judge: judgeOf(judging),
        fail,
      }),
    ];
    const network = (prefix: string): Network =>
      new Network(clock, seededRandom(`${seed} network ${prefix}`), {
        delay: { min: 0.05, max: delay },
        prefix,
        bytes: true,
      });
    const below = [network('h'), network('h2')];
    this.#networks = { above: network(''), below };
    this.#providers = below.map((one, i) => {
      const name = i === 0 ? 'provider' : 'provider_2';
      const provider = this.#provider(name, scriptOf(questions, i > 0, noise));
      one.listen((link, metadata) =>
        metadata[':path'] === undefined ? ignoredEvents : provider.accept(link, metadata),
      );
      return provider;
    });
    const dial: Dial = (asked, events) =>
      memberAt(below, isSecond(asked.metadata[':url'] ?? '') ? 1 : 0).dial(asked, events);
    this.#target = make({ fallback }, { retries, idle })({ clock, dial });
    this.#networks.above.listen(this.#target.accept);
    this.#client = this.#peer('client', 'llm/prober', wires.above, {}, this.#networks.above.dial);
  }

  begin(): void {
    this.watches[0].recorder.mark({
      keys: { client: simulatedRedact(keys.client_key), provider: simulatedRedact(keys.provider_key) },
    });
    for (const peer of [this.#target, ...this.#providers, this.#client]) peer.begin();
  }

  open(): readonly string[] {
    return [...this.#open('above'), ...this.#open('below')];
  }

  settle(): void {
    this.release();
  }

  finish(): void {
    passTime(this.clock, settled);
  }

  stop(): void {
    for (const peer of [this.#client, this.#target, ...this.#providers]) peer.stop();
  }

  /** A client asks a question. */
  ask(at: number, stream: boolean): void {
    const { questions, fallback, retries } = this.#setup;
    const n = at % questions.length;
    const question = memberAt(questions, n);
    const claims = { givesUp: true, retries, ...(fallback ? { fallback } : {}) };
    const about = { case: caseOf(question, n), provider: question.pair.provider, claims };
    this.watches[0].recorder.mark({ about });
    const key: JsonObject =
      question.pair.client === 'anthropic'
        ? { 'x-api-key': keys.client_key }
        : { authorization: `Bearer ${keys.client_key}` };
    this.#send({ headers: { ...key, cookie: `session=${keys.client_key}` } });
    this.#send(askOf(question, n, this.#asks++, stream));
  }

  /** The client of the latest open answer leaves. */
  leave(): void {
    this.#send({ cancel: true });
  }

  /** Lets the providers go on. */
  release(): void {
    for (const provider of this.#providers)
      provider.command({ do: 'send', message: { release: stormBarrier } });
  }

  /** Disturbs an open stream of a side. */
  disturb(side: Side, at: number, fault: Fault): void {
    const open = this.#open(side, true);
    if (open.length === 0) return;
    const stream = memberAt(open, at);
    this.watches[0].recorder.mark({ fault: fault.kind, ...faultMeasure(fault) }, { stream });
    const { above, below } = this.#networks;
    const networks = side === 'above' ? [above] : below;
    for (const network of networks) network.fault(stream, fault);
    if (fault.kind !== 'gather' && fault.kind !== 'slow') return;
    this.clock.after(restores, () => {
      for (const network of networks) network.fault(stream, { kind: 'restore' });
    });
  }

  /** The open streams of a side. `asked`: only those whose request has arrived. */
  #open(side: Side, asked = false): readonly string[] {
    const { view } = this.watches[0].judge;
    const open = [...view[side].values()].filter(({ ended }) => ended === undefined);
    return open.filter(({ body }) => !asked || body !== undefined).map(({ id }) => id);
  }

  #send(message: JsonObject): void {
    this.#client.command({ do: 'send', message });
  }

  #provider(name: string, script: JsonObject): Peer {
    const noise = this.#setup.noise ? { noise_from: 1 } : {};
    return this.#peer(name, 'llm/provider', wires.below, { script, ...noise });
  }

  #peer(name: string, role: string, wire: string, options: JsonObject, dial?: Dial): Peer {
    const { recorder } = this.watches[0];
    const make: ((given: JsonObject) => MakePeer) | undefined = llmGatewaySuite.peers[role];
    if (make === undefined) throw new Error(`no role ${role}`);
    return make(options)({
      clock: this.clock,
      tap: (event) => recorder.wire(name, event, wire),
      report: (told, detail) => {
        if (told === 'request' || told === 'answered') recorder.mark({ told, peer: name, detail });
      },
      ...(dial === undefined ? {} : { dial }),
    });
  }
}

const isSecond = (url: string): boolean => url.startsWith(simulatedFallback);
