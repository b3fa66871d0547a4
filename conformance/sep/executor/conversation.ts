/**
 * Random runs of the reference executor on virtual time: the plans of the storm, whose outputs come piece by piece. Their
 * traces have the form of `wireproof simulate sep/executor --record`.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { PlayConversation } from '../../../src/kit/suite/index.ts';
import { VirtualClock, seededRandom } from '../../../src/kit/world/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { Runner, scriptedProviders, scriptedSources } from '../../../src/sep/index.ts';
import type { RunScript } from '../../../src/sep/index.ts';
import { parseManifest, sepManifestTestee } from '../../../src/sep/edge/index.ts';
import { helloOf, liveMessage, outputOf } from './live/messages.ts';
import type { LiveSide } from './live/messages.ts';
import { randomFeedPlan } from './storm/feeds-plan.ts';
import { randomPlan } from './storm/plan.ts';
import { sepExecutorSuite } from './suite.ts';

/** The run of a seed. One of three has feeds. */
export const executorConversation: PlayConversation = (seed) => {
  const random = seededRandom(`${seed} sep conversation`);
  const script = random.below(3) === 0 ? feedScript(random) : randomPlan(random).script;
  return new PacedRun(script, random).toEnd();
};

/** The script of a plan with feeds. */
function feedScript(random: Random): RunScript {
  const { request, values } = randomFeedPlan(random);
  const { iterations, providers, manifest } = request as unknown as RunScript & { readonly manifest: string };
  const { feeds, internalActions, grants } = parseManifest(manifest, { env: {} }).manifest;
  const sources = scriptedSources({ values });
  return { iterations, providers: providers ?? {}, feeds: { feeds }, internalActions, grants, sources };
}

/** The longest time between two pieces of an output is one of these (ms). */
const paces = [0, 1, 20, 200] as const;

/** One run. */
class PacedRun {
  readonly #clock = new VirtualClock();
  readonly #events: TraceEvent[] = [];
  readonly #failures: string[] = [];
  readonly #judge = new Judge(sepExecutorSuite.judging);
  readonly #script: RunScript;
  readonly #random: Random;
  readonly #pace: number;
  readonly #runner: Runner;
  #iteration = 0;
  #isOver = false;

  constructor({ iterations, providers = {}, ...options }: RunScript, random: Random) {
    this.#script = { iterations, providers, ...options };
    this.#random = random;
    this.#pace = paces[random.below(paces.length)] ?? 0;
    this.#judge.onViolation = (row, { message, seq }) => this.#failures.push(`${row} at ${seq}: ${message}`);
    this.#runner = new Runner({
      maxIterations: iterations.length,
      ...options,
      clock: this.#clock,
      providers: scriptedProviders(providers),
      onEvent: (event) => this.#record('target', event as unknown as JsonObject),
      onIteration: () => void this.#clock.after(0, () => this.#speak()),
      onFinished: () => (this.#isOver = true),
    });
  }

  /** Plays it to its end. */
  toEnd(): ReturnType<PlayConversation> {
    this.#record('target', helloOf(sepManifestTestee));
    this.#runner.begin();
    if ((this.#script.feeds?.feeds ?? []).length === 0) this.#speak();
    this.#clock.run(() => this.#isOver);
    if (!this.#isOver) this.#failures.push('the run has no end');
    this.#judge.end();
    return { events: this.#events, failures: this.#failures };
  }

  /** Gives the output of the next iteration. */
  #speak(): void {
    this.#say(this.#script.iterations[this.#iteration++] ?? []);
  }

  #say([piece, ...rest]: readonly string[]): void {
    if (this.#isOver || !this.#runner.takesOutput) return;
    if (piece === undefined) return this.#runner.endOutput();
    this.#record('tester', outputOf(piece));
    this.#runner.write(piece);
    this.#clock.after(this.#pace * this.#random.next(), () => this.#say(rest));
  }

  #record(from: LiveSide, data: JsonObject): void {
    const event = liveMessage({ seq: this.#events.length, at: this.#clock.now(), from, data });
    this.#events.push(event);
    this.#judge.step(event);
  }
}
