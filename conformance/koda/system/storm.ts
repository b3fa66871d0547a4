/** A storm: random sessions of the reference engine and the reference client. Both sides are judged by their suites. */
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
import type { Fail, StormKind, StormWorld } from '../../../src/kit/storm/index.ts';
import type { MakePeer, Peer, PlayConversation, PlayStorm } from '../../../src/kit/suite/index.ts';
import { lineFraming } from '../../../src/kit/testee/index.ts';
import { Network, VirtualClock, framed, join, seededRandom } from '../../../src/kit/world/index.ts';
import type { EngineCommand } from '../../../src/koda/index.ts';
import { kodaClientSuite } from '../client/suite.ts';
import { kodaEngineSuite } from '../engine/suite.ts';
import { referenceClient, referenceEngine } from '../shared/peers.ts';
import type { KodaView } from '../shared/view.ts';
import { promptText, unrulyCommand } from './plans.ts';

/** Makes the engine of a session. */
export type MakeEngine = (options: JsonObject) => MakePeer;

interface Setup {
  /** Whether the client also sends what no request asked for. Then only the engine is judged. */
  readonly isUnruly: boolean;
  /** Whether the network carries bytes, which it cuts anywhere, or messages. */
  readonly bytes: boolean;
  /** The longest delay of the network (ms). */
  readonly delay: number;
  readonly client: JsonObject;
}

/** The time after which nothing of a session is left (ms). */
const settled = 30_000;

const setup: fc.Arbitrary<Setup> = fc.record({
  isUnruly: fc.boolean(),
  bytes: fc.boolean(),
  delay: fc.constantFrom(1, 5, 40),
  client: fc.record(
    {
      prompts: fc.array(promptText, { minLength: 1, maxLength: 4 }),
      approval: fc.constantFrom('approve', 'reject', { feedback: 'not so' }),
      cap: fc.constantFrom('stop', 'continue50', 'continue200'),
      answer: fc.constantFrom('', 'b', 'free'),
      interruptAfter: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: ['prompts', 'approval', 'cap'] },
  ),
});

/** The storm of an engine. `make`: the engine; default the reference. */
export const engineStorm = (make: MakeEngine = referenceEngine): StormKind<EngineStorm, Setup> => ({
  setup,
  world: (options, seed, fail) => new EngineStorm(options, seed, fail, make),
  actions: actions(
    [2, action('wait', fc.constant(undefined), () => {})],
    [1, action('send', unrulyCommand, (storm: EngineStorm, command) => storm.disturb(command))],
  ),
  most: 30,
  gaps: [0, 1, 10, 100, 600],
  rounds: { count: 200, ms: 2000 },
});

/** For `wireproof selftest koda --seeds`. */
export const playEngineStorm: PlayStorm = (run) => playStorm(engineStorm(), run);

/** Random sessions, as the client sees the reference engine. */
export const engineConversation: PlayConversation = conversationOf(engineStorm());

/** One session: its simulated world. */
class EngineStorm implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  /** The engine's, and the client's. */
  readonly watches: readonly [StormWatch<Judge<KodaView>>, StormWatch];
  readonly #setup: Setup;
  readonly #network: Network;
  readonly #engine: Peer;
  readonly #client: Peer;

  constructor(given: Setup, seed: string, fail: Fail, make: MakeEngine) {
    const { clock } = this;
    const { isUnruly, bytes, delay, client } = given;
    this.#setup = given;
    const common = { clock, wire: 'koda', fail };
    const engineWatch = new StormWatch({
      ...common,
      suite: kodaEngineSuite,
      run: { drive: 'directive' },
      judge: judgeOf(kodaEngineSuite.judging),
      name: 'engine',
    });
    const clientWatch = new StormWatch({
      ...common,
      suite: kodaClientSuite,
      run: { drive: 'scripted' },
      judge: judgeOf(kodaClientSuite.judging),
      name: 'client',
      isJudged: () => !isUnruly,
    });
    this.watches = [engineWatch, clientWatch];
    this.#engine = make({ seed })({ clock, tap: (e) => clientWatch.recorder.wire('engine', e) });
    this.#client = referenceClient(client)({
      clock,
      tap: (e) => engineWatch.recorder.wire('client', e),
    });
    const chance = seededRandom(seed);
    this.#network = new Network(clock, chance, { delay: { min: 0.05, max: delay }, bytes, orderly: true });
  }

  begin(): void {
    const { bytes } = this.#setup;
    const cut = (accept: Peer['accept']): Peer['accept'] => (bytes ? framed(accept, lineFraming) : accept);
    this.#network.listen(cut(this.#engine.accept));
    this.#engine.begin();
    this.#client.begin();
    join(this.#network.dial, { ':carrier': bytes ? 'stdio' : 'ws' }, cut(this.#client.accept));
  }

  open(): readonly string[] {
    const [session] = this.watches[0].judge.view.streams.values();
    const turn = session?.turn === undefined ? [] : ['a turn'];
    return (session?.prompts.length ?? 0) > 0 ? [...turn, 'a prompt'] : turn;
  }

  /** Interrupts a turn that waits without end. */
  settle(): void {
    if (this.open().includes('a turn')) this.#send({ type: 'interrupt' });
  }

  finish(): void {
    passTime(this.clock, settled);
  }

  stop(): void {
    for (const peer of [this.#engine, this.#client]) peer.stop();
  }

  /** Sends a command that no request asked for, from a client that may do so. */
  disturb(command: EngineCommand): void {
    if (this.#setup.isUnruly) this.#send(command);
  }

  #send(message: EngineCommand): void {
    this.#client.command({ do: 'send', message: { ...message } as JsonObject });
  }
}
