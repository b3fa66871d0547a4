/**
 * A storm: random sessions of the reference orchestrator and the reference subagent, with instructions, delays, cuts between
 * bytes, stalls, and ends in the middle of the work. Both sides are judged by their suites.
 */
import fc from 'fast-check';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Judge } from '../../../src/kit/judge/index.ts';
import {
  StormWatch,
  action,
  actions,
  conversationOf,
  judgeOf,
  passTime,
  playStorm,
} from '../../../src/kit/storm/index.ts';
import type { Act, Fail, StormKind, StormWorld } from '../../../src/kit/storm/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm, Suite } from '../../../src/kit/suite/index.ts';
import { Network, VirtualClock, framed, join, seededRandom } from '../../../src/kit/world/index.ts';
import type { Fault } from '../../../src/kit/world/index.ts';
import { toonFraming } from '../../../src/toon/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { referenceOrchestrator, referenceSubagent } from '../shared/peers.ts';
import type { ToonView } from '../shared/view.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import { instruction, instructionText, knowledge } from './plans.ts';
import type { Instruction } from './plans.ts';

/** Makes the peers of a session. */
export interface StormPeers {
  readonly orchestrator: (options: JsonObject) => MakePeer;
  readonly subagent: (options: JsonObject) => MakePeer;
}

interface Setup {
  readonly carrier: 'tcp' | 'stdio' | 'ws';
  /** The longest delay of the network (ms). */
  readonly delay: number;
  readonly subagent: JsonObject;
  readonly orchestrator: JsonObject;
  /** The first instructions. */
  readonly instructions: readonly Instruction[];
}

const references: StormPeers = { orchestrator: referenceOrchestrator, subagent: referenceSubagent };

/** The sides, and the suites that judge them. */
const suites = { orchestrator: toonOrchestratorSuite, subagent: toonSubagentSuite } as const;

const otherOf = { orchestrator: 'subagent', subagent: 'orchestrator' } as const;

/** The time for the deadlines after the last instruction (ms). */
const settled = 35_000;
/** The time after which a lost connection is made again (ms). */
const lost = 200;

const connection = fc.record({
  firstSequenceId: fc.oneof(fc.constantFrom(0, 1, 4_294_967_293), fc.nat(1_000_000)),
  heartbeat: fc.constantFrom(10_000, 400),
});

const setup: fc.Arbitrary<Setup> = fc.record({
  carrier: fc.constantFrom('tcp', 'stdio', 'ws'),
  delay: fc.constantFrom(1, 5, 40),
  subagent: connection,
  orchestrator: fc
    .tuple(connection, knowledge, fc.boolean())
    .map(([given, known, stay]) => ({ ...given, ...known, stay })),
  instructions: fc.array(instruction, { minLength: 1, maxLength: 4 }),
});

const disturbances: fc.Arbitrary<Act<ToonStorm>> = actions(
  [18, action('wait', fc.constant(undefined), () => {})],
  [3, action('instruct', instruction, (storm: ToonStorm, given) => storm.instruct(given))],
  [1, action('stall', fc.integer({ min: 1, max: 2000 }), (storm: ToonStorm, ms) => storm.stall(ms))],
  [1, action('split', fc.integer({ min: 1, max: 9 }), (storm: ToonStorm, size) => storm.split(size))],
  [1, action('break off', fc.constantFrom('cut', 'end'), (storm: ToonStorm, how) => storm.breakOff(how))],
);

/** The storm whose trace is about one side. */
export const toonStorm = (target: Side, peers: StormPeers = references): StormKind<ToonStorm, Setup> => ({
  setup,
  world: (given, seed, fail) => new ToonStorm(given, seed, fail, target, peers),
  actions: disturbances,
  most: 15,
  gaps: [1, 20, 300, 3000],
  rounds: { count: 400, ms: 500 },
});

/** For `wireproof selftest toon/subagent --seeds`. */
export const playSubagentStorm: PlayStorm = (run) => playStorm(toonStorm('subagent'), run);

/** For `wireproof selftest toon/orchestrator --seeds`. */
export const playOrchestratorStorm: PlayStorm = (run) => playStorm(toonStorm('orchestrator'), run);

/** Random sessions, as the orchestrator sees the reference subagent. */
export const subagentConversation: PlayConversation = conversationOf(toonStorm('subagent'));

/** Random sessions, as the subagent sees the reference orchestrator. */
export const orchestratorConversation: PlayConversation = conversationOf(toonStorm('orchestrator'));

/** One session: its simulated world. */
class ToonStorm implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  /** The target's, and the other side's. */
  readonly watches: readonly [StormWatch, StormWatch];
  readonly #subagents: Judge<ToonView>;
  readonly #peers: { readonly [S in Side]: Peer };
  readonly #network: Network;
  readonly #carrier: Setup['carrier'];
  readonly #target: Side;
  #given = 0;
  /** Whether the target's peer has given up an instruction or a call. From then on, only the target is judged. */
  #isUnruly = false;

  constructor(given: Setup, seed: string, fail: Fail, target: Side, peers: StormPeers) {
    const { clock } = this;
    this.#target = target;
    this.#carrier = given.carrier;
    const watches = {
      orchestrator: this.#watch('orchestrator', fail),
      subagent: this.#watch('subagent', fail),
    };
    this.watches = [watches[target], watches[otherOf[target]]];
    this.#subagents = watches.subagent.judge;
    const worldOf = (side: Side) => ({
      clock,
      tap: (event: Parameters<StormWatch['recorder']['wire']>[1]) =>
        watches[otherOf[side]].recorder.wire(side, event),
    });
    const instructions = given.instructions.map((one) => instructionText(one, ++this.#given));
    this.#peers = {
      orchestrator: peers.orchestrator({ ...given.orchestrator, instructions })(worldOf('orchestrator')),
      subagent: peers.subagent(given.subagent)(worldOf('subagent')),
    };
    this.#network = new Network(clock, seededRandom(seed), {
      delay: { min: 0.05, max: given.delay },
      bytes: given.carrier !== 'ws',
      orderly: true,
    });
  }

  begin(): void {
    const { orchestrator, subagent } = this.#peers;
    this.#network.listen(this.#framed(orchestrator.accept));
    orchestrator.begin();
    subagent.begin();
    this.#connect();
  }

  open(): readonly string[] {
    return [...this.#subagents.view.streams.values()].flatMap(({ ended, asks }) =>
      ended === undefined && asks.some(({ type }) => type === 'INSTRUCTION') ? ['an instruction'] : [],
    );
  }

  settle(): void {}

  /** Ends the connection. */
  finish(): void {
    this.#peers.orchestrator.command({ do: 'shutdown', reason: '' });
    passTime(this.clock, settled);
  }

  stop(): void {
    for (const peer of Object.values(this.#peers)) peer.stop();
  }

  instruct(given: Instruction): void {
    const payload = { instruction: instructionText(given, ++this.#given) };
    this.#peers.orchestrator.command({ do: 'send', message: { type: 'INSTRUCTION', payload } });
  }

  stall(ms: number): void {
    this.#disturb({ kind: 'stall', ms });
  }

  /** Cuts bytes into pieces of this size. */
  split(size: number): void {
    if (this.#carrier !== 'ws') this.#disturb({ kind: 'split', size });
  }

  /** The connection is lost, or the target's peer ends it in the middle of the work. Then comes a new one. */
  breakOff(how: 'cut' | 'end'): void {
    if (how === 'cut') this.#disturb({ kind: 'cut' });
    else {
      this.#isUnruly = true;
      this.#peers[otherOf[this.#target]].command({ do: 'shutdown', reason: '' });
    }
    passTime(this.clock, lost);
    this.#connect();
  }

  #watch(side: Side, fail: Fail): StormWatch<Judge<ToonView>> {
    const suite: Suite<ToonView> = suites[side];
    return new StormWatch({
      clock: this.clock,
      wire: 'toon',
      suite,
      run: { drive: side === 'subagent' ? 'directive' : 'passive' },
      judge: judgeOf(suite.judging),
      fail,
      name: side,
      isJudged: () => side === this.#target || !this.#isUnruly,
    });
  }

  /** Joins both sides over a network of bytes, or of messages. */
  #connect(): void {
    join(this.#network.dial, { ':carrier': this.#carrier }, this.#framed(this.#peers.subagent.accept));
  }

  #framed(accept: Peer['accept']): Peer['accept'] {
    return this.#carrier === 'ws' ? accept : framed(accept, toonFraming);
  }

  #disturb(fault: Fault): void {
    for (const { recorder } of this.watches)
      recorder.mark({ fault: fault.kind, ...('ms' in fault ? { ms: fault.ms } : {}) });
    this.#network.fault(undefined, fault);
  }
}
