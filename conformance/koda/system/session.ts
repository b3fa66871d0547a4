/** One simulated session of the reference engine and the reference client, with a judge for each of them. */
import type { JsonObject, PeerCommand, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import { simulatedRedact } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Peer, Suite } from '../../../src/kit/suite/index.ts';
import { lineFraming } from '../../../src/kit/testee/index.ts';
import { Network, Recorder, VirtualClock, framed, join, seededRandom } from '../../../src/kit/world/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { kodaClientSuite } from '../client/suite.ts';
import { kodaEngineSuite } from '../engine/suite.ts';
import { referenceClient, referenceEngine } from '../shared/peers.ts';
import type { KodaView } from '../shared/view.ts';
import { pick, promptText, unrulyCommand } from './plans.ts';

/** Makes the engine of a session. */
export type MakeEngine = (options: JsonObject) => MakePeer;

/** The time after which nothing of a session is left (virtual ms). */
const settled = 30_000;

/** See the file's head. */
export class StormSession {
  /** The events that the client sees of the engine. */
  readonly events: TraceEvent[] = [];
  /** A sentence for each fault. */
  readonly failures: string[] = [];
  /** The judge of the engine. */
  readonly engine: Judge<KodaView>;
  readonly #clock = new VirtualClock();
  readonly #random: Random;
  readonly #client: Judge<KodaView>;
  readonly #recorders: { readonly engine: Recorder; readonly client: Recorder };
  readonly #peers: { readonly engine: Peer; readonly client: Peer };
  /** Whether the client also sends what no request asked for. Then only the engine is judged. */
  readonly #unruly: boolean;

  constructor(seed: number, make: MakeEngine = referenceEngine) {
    const clock = this.#clock;
    const random = seededRandom(`${seed} koda`);
    this.#random = random;
    this.#unruly = random.below(2) === 0;
    this.engine = this.#judge(kodaEngineSuite.judging, 'engine');
    this.#client = this.#judge(kodaClientSuite.judging, 'client');
    this.#recorders = {
      engine: this.#recorder(kodaEngineSuite, this.engine, this.events),
      client: this.#recorder(kodaClientSuite, this.#client, []),
    };
    const { engine, client } = this.#recorders;
    this.#peers = {
      engine: make({ seed: String(seed) })({ clock, tap: (event) => client.wire('engine', event) }),
      client: referenceClient(this.#clientOptions())({ clock, tap: (event) => engine.wire('client', event) }),
    };
    engine.mark({ run: { drive: 'directive', timeouts: { ...kodaEngineSuite.timeouts } } });
    client.mark({ run: { drive: 'scripted', timeouts: { ...kodaClientSuite.timeouts } } });
    this.#connect(seed);
  }

  /** Plays the session to its end. */
  run(): void {
    try {
      this.#act(5 + this.#random.below(25));
      this.#settle();
      for (const recorder of Object.values(this.#recorders)) recorder.mark({ end: true });
      this.engine.end();
      if (!this.#unruly) this.#client.end();
      for (const peer of Object.values(this.#peers)) peer.stop();
    } catch (error) {
      this.failures.push(
        `throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }

  #judge(judging: Judging<KodaView>, side: 'engine' | 'client'): Judge<KodaView> {
    const judge = new Judge(judging);
    judge.onViolation = (requirement, { message, seq }) => {
      if (side === 'engine' || !this.#unruly)
        this.failures.push(`${side}: ${requirement} at ${seq}: ${message}`);
    };
    return judge;
  }

  #recorder({ secrets }: Suite<KodaView>, judge: Judge<KodaView>, events: TraceEvent[]): Recorder {
    const sink = (event: TraceEvent): void => {
      events.push(event);
      judge.step(event);
    };
    return new Recorder({ clock: this.#clock, wire: 'koda', secrets, redact: simulatedRedact, sink });
  }

  #clientOptions(): JsonObject {
    const random = this.#random;
    const interrupts = random.below(3) === 0 ? { interruptAfter: 1 + random.below(30) } : {};
    return {
      prompts: Array.from({ length: 1 + random.below(4) }, () => promptText(random)),
      approval: pick(random, ['approve', 'reject', { feedback: 'not so' }]),
      cap: pick(random, ['stop', 'continue50', 'continue200']),
      ...(random.below(2) === 0 ? {} : { answer: pick(random, ['', 'b', 'free']) }),
      ...interrupts,
    };
  }

  /** Joins both sides over a network of bytes, or of messages. */
  #connect(seed: number): void {
    const { engine, client } = this.#peers;
    const bytes = this.#random.below(2) === 0;
    const delay = { min: 0.05, max: pick(this.#random, [1, 5, 40]) };
    const network = new Network(this.#clock, seededRandom(`${seed} network`), {
      delay,
      bytes,
      orderly: true,
    });
    const cut = (accept: Peer['accept']): Peer['accept'] => (bytes ? framed(accept, lineFraming) : accept);
    network.listen(cut(engine.accept));
    engine.begin();
    client.begin();
    join(network.dial, { ':carrier': bytes ? 'stdio' : 'ws' }, cut(client.accept));
  }

  #pass(ms: number): void {
    const then = this.#clock.now() + ms;
    this.#clock.after(ms, () => {});
    if (!this.#clock.run(() => this.#clock.now() >= then)) throw new Error('time stands still');
  }

  #order(message: PeerCommand<JsonObject> & { readonly do: 'send' }): void {
    this.#peers.client.command(message);
  }

  /** Lets time pass. An unruly client sends a random command now and then. */
  #act(left: number): void {
    const gap = pick(this.#random, [0, 1, 10, 100, 600]);
    for (let i = 0; i < left; i++) {
      this.#pass(gap * this.#random.next());
      if (this.#unruly && this.#random.below(3) === 0)
        this.#order({ do: 'send', message: { ...unrulyCommand(this.#random) } as JsonObject });
    }
  }

  /** Interrupts the turns that wait without end, until nothing is left to do. */
  #settle(): void {
    for (let round = 0; round < 200; round++) {
      this.#pass(2000);
      const [session] = this.engine.view.streams.values();
      if (session?.turn === undefined && session?.prompts.length === 0) break;
      if (session?.turn !== undefined) this.#order({ do: 'send', message: { type: 'interrupt' } });
    }
    this.#pass(settled);
    const [session] = this.engine.view.streams.values();
    if (session?.turn !== undefined || (session?.prompts.length ?? 0) > 0)
      this.failures.push('unfinished: a turn or a prompt is left at the end');
  }
}
