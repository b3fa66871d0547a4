/** A storm: random conversations of an agent with the simulated gateway, under network faults. */
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judge } from '../../../../src/kit/judge/index.ts';
import { StormWatch, conversationOf, judgeOf, passTime, playStorm } from '../../../../src/kit/storm/index.ts';
import type { Fail, StormKind, StormWorld } from '../../../../src/kit/storm/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm } from '../../../../src/kit/suite/index.ts';
import { Network, VirtualClock, seededRandom } from '../../../../src/kit/world/index.ts';
import type { Session } from '../../../../src/fold/index.ts';
import { agentActions, waitingToolIds } from './actions.ts';
import type { StormedAgent } from './actions.ts';
import { foldAgentSuite, simulatedAgent, simulatedGateway } from '../suite.ts';
import type { FoldView } from '../view.ts';

/** The longest delay of the network (ms), and the options of the gateway. */
interface Setup {
  readonly delay: number;
  readonly gateway: JsonObject;
}

/** Options of the gateway, for its answers to registrations. */
const gateways: readonly JsonObject[] = [
  {},
  { welcome: { mcp_token: 'token', secrets: { key: 'secret' } } },
  { welcome_delay_ms: 300, assign_id: 'assigned' },
  { assign_id: 'assigned', refuse: { by: 'already_exists', times: 2 } },
  { refuse: { by: 'registration_error', times: 2, suggested_id: 'suggested' } },
];

/** The time after the last request that is longer than the time limit of every rule except approvals (ms). */
const deadlines = 10_500;

/** The storm of an agent. `target` makes it anew for each session; default: the reference. */
export const agentStorm = (target: () => MakePeer = simulatedAgent): StormKind<AgentStorm, Setup> => ({
  setup: fc.record({ delay: fc.constantFrom(1, 5, 40), gateway: fc.constantFrom(...gateways) }),
  world: (setup, seed, fail) => new AgentStorm(setup, seed, fail, target()),
  actions: agentActions,
  most: 70,
  gaps: [0, 1, 5, 30, 200, 1000],
  rounds: { count: 300, ms: 150 },
});

/** For `wireproof selftest fold/agent --seeds`. */
export const playAgentStorm: PlayStorm = (run) => playStorm(agentStorm(), run);

/** Random conversations of the reference agent with the simulated gateway. */
export const agentConversation: PlayConversation = conversationOf(agentStorm());

/** One session: its simulated world. */
class AgentStorm implements StormWorld, StormedAgent {
  readonly clock: VirtualClock = new VirtualClock();
  readonly watches: readonly [StormWatch<Judge<FoldView>>];
  readonly #network: Network;
  readonly #gateway: Peer;
  readonly #target: Peer;
  #lastInjection: JsonObject | undefined;
  #ids = 0;

  constructor({ delay, gateway }: Setup, seed: string, fail: Fail, target: MakePeer) {
    const { clock } = this;
    this.#network = new Network(clock, seededRandom(seed), { delay: { min: 0.05, max: delay } });
    const { protocol: wire, judging } = foldAgentSuite;
    const run = { drive: 'directive' };
    const watch = new StormWatch({ clock, wire, suite: foldAgentSuite, run, judge: judgeOf(judging), fail });
    this.watches = [watch];
    this.#gateway = simulatedGateway(gateway)({ clock, tap: (e) => watch.recorder.wire('gateway', e) });
    this.#target = target({ clock, dial: this.#network.dial });
  }

  begin(): void {
    this.#network.listen(this.#gateway.accept);
    this.#target.begin();
  }

  /** The active requests of undisturbed streams. An agent that was not told to stop must be connected, too. */
  open(): readonly string[] {
    const streams = [...this.#view.streams.values()];
    const there = streams.filter((s) => s.ended === undefined && !s.disturbed);
    const requests = there.flatMap(({ session }) => [...session.active.keys()]);
    const told = streams.some(({ session }) => session.shutdown !== undefined);
    return told || this.#session() !== undefined ? requests : [...requests, 'the connection of the agent'];
  }

  /** Releases every hold, approves every tool, fails every pack call. */
  settle(): void {
    const session = this.#session();
    if (session === undefined || session.active.size === 0) return;
    this.#send({ inject_context: { injection_id: `i${++this.#ids}`, content: 'release' } });
    for (const id of waitingToolIds(session)) this.#send({ tool_approval: { id, approved: true } });
    for (const id of session.packCalls.keys())
      this.#send({ pack_tool_result: { request_id: id, error: '' } });
  }

  finish(): void {
    passTime(this.clock, deadlines);
  }

  stop(): void {
    for (const peer of [this.#target, this.#gateway]) peer.stop();
  }

  talk(make: (session: Session, n: string) => JsonObject, bytes?: string): void {
    const session = this.#session();
    if (session === undefined) return;
    const message = make(session, String(++this.#ids));
    if ('inject_context' in message) this.#lastInjection = message;
    if (bytes === undefined) return this.#send(message);
    const both = Buffer.concat([this.#gateway.encode(message), Buffer.from(bytes, 'hex')]);
    this.#gateway.command({ do: 'raw', bytes: both });
  }

  again(): void {
    if (this.#session() !== undefined && this.#lastInjection !== undefined) this.#send(this.#lastInjection);
  }

  end(code: number): void {
    if (this.#session() !== undefined) this.#gateway.command({ do: 'end', status: { code, message: '' } });
  }

  raw(hex: string): void {
    if (this.#session() !== undefined) this.#gateway.command({ do: 'raw', bytes: Buffer.from(hex, 'hex') });
  }

  disturb(kind: 'cut' | 'stall' | 'slow', ms: number): void {
    if (![...this.#view.streams.values()].some((s) => s.ended === undefined)) return;
    const refuses = kind === 'cut' && ms > 1000;
    this.watches[0].recorder.mark({ fault: kind, ...(kind === 'cut' && !refuses ? {} : { ms }) });
    this.#network.fault(undefined, { kind, ms, rate: 100_000_000 / ms });
    if (!refuses) return;
    this.#network.listen(undefined);
    this.clock.after(ms, () => this.#network.listen(this.#gateway.accept));
  }

  get #view(): FoldView {
    return this.watches[0].judge.view;
  }

  #send(message: JsonObject): void {
    this.#gateway.command({ do: 'send', message });
  }

  /** The session of the agent's newest stream; undefined when it cannot take messages. */
  #session(): Session | undefined {
    const stream = [...this.#view.streams.values()].at(-1);
    if (stream?.ended !== undefined || stream?.session.phase !== 'ready') return undefined;
    return stream.session.shutdown === undefined ? stream.session : undefined;
  }
}
