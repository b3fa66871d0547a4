/**
 * One simulated session of the reference orchestrator and the reference subagent, with a judge for each of them: random
 * instructions, tools, delays, cuts between bytes, stalls, and ends in the middle of the work. All of it is from a seed.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Peer, PlayConversation, Suite } from '../../../src/kit/suite/index.ts';
import { Network, Recorder, VirtualClock, framed, join, seededRandom } from '../../../src/kit/world/index.ts';
import type { Fault, Random } from '../../../src/kit/world/index.ts';
import { toonFraming } from '../../../src/toon/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { referenceOrchestrator, referenceSubagent } from '../shared/peers.ts';
import type { ToonView } from '../shared/view.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import { instructionText, knowledge, pick } from './plans.ts';

/** Makes the peers of a session. */
export interface SessionPeers {
  readonly orchestrator: (options: JsonObject) => MakePeer;
  readonly subagent: (options: JsonObject) => MakePeer;
}

const references: SessionPeers = { orchestrator: referenceOrchestrator, subagent: referenceSubagent };

/** The sides, and the suites that judge them. */
const suites = { orchestrator: toonOrchestratorSuite, subagent: toonSubagentSuite } as const;

const otherOf = { orchestrator: 'subagent', subagent: 'orchestrator' } as const;

/** The time that a session has for its last instruction, and for the deadlines after it (virtual ms). */
const lastInstruction = 200_000;
const settled = 35_000;

/** What one side's judge sees. */
interface Watch {
  readonly events: TraceEvent[];
  readonly judge: Judge<ToonView>;
  readonly recorder: Recorder;
}

/** See the file's head. */
export class SystemSession {
  /** A sentence for each fault of either side. */
  readonly failures: string[] = [];
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #watches: { readonly [S in Side]: Watch };
  readonly #peers: { readonly [S in Side]: Peer };
  readonly #network: Network;
  readonly #carrier: string;
  readonly #target: Side;
  #given = 0;
  /** Whether the target's peer has given up an instruction or a call. From then on, only the target is judged. */
  #isUnruly = false;

  constructor(seed: number, target: Side, peers: SessionPeers = references) {
    const clock = this.#clock;
    const random = seededRandom(`${seed} toon ${target}`);
    this.#random = random;
    this.#target = target;
    this.#carrier = pick(random, ['tcp', 'stdio', 'ws']);
    this.#watches = { orchestrator: this.#watch('orchestrator'), subagent: this.#watch('subagent') };
    const tapFor = (side: Side) => ({
      clock,
      tap: (event: Parameters<Recorder['wire']>[1]) =>
        this.#watches[otherOf[side]].recorder.wire(side, event),
    });
    this.#peers = {
      orchestrator: peers.orchestrator(this.#orchestratorOptions())(tapFor('orchestrator')),
      subagent: peers.subagent(this.#connectionOptions())(tapFor('subagent')),
    };
    this.#network = new Network(clock, seededRandom(`${seed} network`), {
      delay: { min: 0.05, max: pick(random, [1, 5, 40]) },
      bytes: this.#carrier !== 'ws',
      orderly: true,
    });
  }

  /** The events of the trace. */
  get events(): readonly TraceEvent[] {
    return this.#watches[this.#target].events;
  }

  /** Plays the session to its end. */
  run(): this {
    try {
      this.#begin();
      this.#connect();
      this.#act(3 + this.#random.below(12));
      this.#settle();
      for (const { recorder, judge } of Object.values(this.#watches)) {
        recorder.mark({ end: true });
        judge.end();
      }
      for (const peer of Object.values(this.#peers)) peer.stop();
    } catch (error) {
      this.failures.push(
        `throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
    return this;
  }

  #watch(side: Side): Watch {
    const { judging, secrets, timeouts, simulatedTimeouts }: Suite<ToonView> = suites[side];
    const judge = new Judge(judging);
    judge.onViolation = (row, { message, seq }) => {
      if (side === this.#target || !this.#isUnruly)
        this.failures.push(`${side}: ${row} at ${seq}: ${message}`);
    };
    const events: TraceEvent[] = [];
    const sink = (event: TraceEvent): void => {
      events.push(event);
      judge.step(event);
    };
    const recorder = new Recorder({
      clock: this.#clock,
      wire: 'toon',
      secrets,
      redact: simulatedRedact,
      sink,
    });
    const drive = side === 'subagent' ? 'directive' : 'passive';
    recorder.mark({ run: { drive, timeouts: { ...timeouts, ...simulatedTimeouts } } });
    return { events, judge, recorder };
  }

  #connectionOptions(): JsonObject {
    const random = this.#random;
    return {
      firstSequenceId: pick(random, [0, 1, 4_294_967_293, random.below(1_000_000)]),
      heartbeat: pick(random, [400, 10_000]),
    };
  }

  #orchestratorOptions(): JsonObject {
    const random = this.#random;
    const instructions = Array.from({ length: 1 + random.below(4) }, () => this.#instruction());
    return { ...this.#connectionOptions(), ...knowledge(random), instructions, stay: random.below(2) === 0 };
  }

  #instruction(): string {
    return instructionText(this.#random, ++this.#given);
  }

  #begin(): void {
    const { orchestrator, subagent } = this.#peers;
    this.#network.listen(this.#framed(orchestrator.accept));
    orchestrator.begin();
    subagent.begin();
  }

  /** Joins both sides over a network of bytes, or of messages. */
  #connect(): void {
    join(this.#network.dial, { ':carrier': this.#carrier }, this.#framed(this.#peers.subagent.accept));
  }

  #framed(accept: Peer['accept']): Peer['accept'] {
    return this.#carrier === 'ws' ? accept : framed(accept, toonFraming);
  }

  #pass(ms: number): void {
    const then = this.#clock.now() + ms;
    this.#clock.after(ms, () => {});
    if (!this.#clock.run(() => this.#clock.now() >= then)) throw new Error('time stands still');
  }

  /** Lets time pass, and does something now and then. */
  #act(left: number): void {
    const gap = pick(this.#random, [1, 20, 300, 3000]);
    for (let i = 0; i < left; i++) {
      this.#pass(gap * this.#random.next());
      this.#interfere();
    }
  }

  #interfere(): void {
    const random = this.#random;
    switch (random.below(24)) {
      case 0:
        return this.#disturb({ kind: 'stall', ms: 1 + random.below(2000) });
      case 1:
        return this.#carrier === 'ws'
          ? undefined
          : this.#disturb({ kind: 'split', size: 1 + random.below(9) });
      case 2:
        return this.#breakOff();
      case 3:
      case 4:
      case 5:
        return this.#peers.orchestrator.command({
          do: 'send',
          message: { type: 'INSTRUCTION', payload: { instruction: this.#instruction() } },
        });
      default:
    }
  }

  /** The connection is lost, or the target's peer ends it in the middle of the work. Then comes a new one. */
  #breakOff(): void {
    if (this.#random.below(2) === 0) this.#disturb({ kind: 'cut' });
    else {
      this.#isUnruly = true;
      this.#peers[otherOf[this.#target]].command({ do: 'shutdown', reason: '' });
    }
    this.#pass(200);
    this.#connect();
  }

  #disturb(fault: Fault): void {
    for (const { recorder } of Object.values(this.#watches))
      recorder.mark({ fault: fault.kind, ...('ms' in fault ? { ms: fault.ms } : {}) });
    this.#network.fault(undefined, fault);
  }

  /** Waits until no instruction is worked on, then ends the connection, and lets all deadlines pass. */
  #settle(): void {
    const until = this.#clock.now() + lastInstruction;
    while (this.#isWorking() && this.#clock.now() < until) this.#pass(500);
    if (this.#isWorking()) this.failures.push('unfinished: an instruction is left at the end');
    this.#peers.orchestrator.command({ do: 'shutdown', reason: '' });
    this.#pass(settled);
  }

  #isWorking(): boolean {
    return [...this.#watches.subagent.judge.view.streams.values()].some(
      ({ ended, asks }) => ended === undefined && asks.some(({ type }) => type === 'INSTRUCTION'),
    );
  }
}

const conversationOf =
  (target: Side): PlayConversation =>
  (seed) => {
    const { events, failures } = new SystemSession(seed, target).run();
    return { events, failures };
  };

/** Random sessions, as the orchestrator sees the reference subagent. */
export const subagentConversation: PlayConversation = conversationOf('subagent');

/** Random sessions, as the subagent sees the reference orchestrator. */
export const orchestratorConversation: PlayConversation = conversationOf('orchestrator');
