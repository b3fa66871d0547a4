/**
 * `wireproof simulate sep/executor`: the reference executor in real time. It reads a model's output on stdin, or plays a
 * script, and shows the run as it happens. Its trace has the pieces of the output and the events as messages.
 */
import { WireproofError } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { LiveSession, inputText, isTerminal } from '../../../src/kit/simulate/index.ts';
import type { LiveTrace } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { realClock } from '../../../src/kit/world/index.ts';
import type { Clock } from '../../../src/kit/world/index.ts';
import { Runner, scriptedProviders, sepTestee, switchesOf } from '../../../src/sep/index.ts';
import type {
  ProviderCall,
  RunnerOptions,
  ScriptedOutcome,
  ScriptedOutcomes,
} from '../../../src/sep/index.ts';
import { readProviders, readRunScript, sepManifestTestee } from '../../../src/sep/edge/index.ts';
import type { PacedScript } from '../../../src/sep/edge/index.ts';
import { helloOf, liveMessage, outputOf } from './live/messages.ts';
import type { LiveSide } from './live/messages.ts';
import { feedsOf } from './live/manifest-flag.ts';
import type { RunFeeds } from './live/manifest-flag.ts';
import { runLimits } from './live/limits-flag.ts';
import type { RunLimits } from './live/limits-flag.ts';
import { Screen } from './live/screen.ts';

/** The most characters of an output on stdin: the run remembers it for the model. */
export const mostOutput: number = 16 << 20;

/** A text or an action without a further event is shown after this time (ms). */
const patience = 300;

/** Plays a run to its end. It ends at once when it is interrupted. */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const live = new LiveSession(isTerminal(run) ? run : { ...run, flags: { ...run.flags, json: true } }, {
    suite: { id: 'sep/executor', protocol: 'sep', role: 'executor' },
    textOf: () => undefined,
    target: 'the reference executor',
  });
  const file = live.flags.text('script');
  const script = file === undefined ? undefined : readRunScript(file);
  const providersFile = live.flags.text('providers');
  const providers = {
    ...script?.providers,
    ...(providersFile === undefined ? {} : readProviders(providersFile)),
  };
  const limits = runLimits(live.flags.list('limit'));
  const extensions = switchesOf(live.flags.list('extension'));
  const options = { ...limits, ...feedsOf(run, live), extensions, advice: live.flags.on('advice') };
  return new Play({ run, live, providers, script, options }).toEnd();
}

/** What a run is made of. */
interface PlayOptions {
  readonly run: SimulatorRun;
  readonly live: LiveSession;
  readonly providers: ScriptedOutcomes;
  readonly script: PacedScript | undefined;
  readonly options: RunLimits & RunFeeds & Pick<RunnerOptions, 'advice' | 'extensions'>;
}

/** One run. */
class Play {
  readonly #run: SimulatorRun;
  readonly #live: LiveSession;
  readonly #script: PacedScript | undefined;
  readonly #clock: Clock = realClock();
  readonly #trace: LiveTrace;
  readonly #runner: Runner;
  readonly #finished: Promise<void>;
  /** Whether the first output comes when the feeds are there. */
  readonly #hasFeeds: boolean;
  /** Lets the first output come. */
  #ready: () => void = () => {};
  #iteration = 0;
  #messages = 0;
  #isOver = false;
  /** Ends a wait. */
  #wake: () => void = () => {};

  constructor({ run, live, providers, script, options }: PlayOptions) {
    this.#run = run;
    this.#live = live;
    this.#script = script;
    this.#hasFeeds = (options.feeds?.feeds ?? []).length > 0;
    this.#trace = live.open();
    const screen = new Screen((at, text) => live.line({ at: at * 1000, text }));
    let waiting = this.#clock.after(0, () => {});
    let finish = (): void => {};
    this.#finished = new Promise((resolve) => (finish = resolve));
    this.#runner = new Runner({
      clock: this.#clock,
      variables: script?.variables ?? {},
      maxIterations: script?.iterations.length ?? 1,
      ...options,
      providers: scriptedProviders(providers, echo),
      onEvent: (event) => {
        this.#record('target', event as unknown as JsonObject);
        screen.take(event);
        waiting.cancel();
        waiting = this.#clock.after(patience, () => screen.flush());
      },
      onIteration: (_, n) => {
        if (n === 1) this.#ready();
        else this.#clock.after(0, () => void this.#speak());
      },
      onFinished: () => {
        this.#isOver = true;
        waiting.cancel();
        finish();
      },
    });
  }

  async toEnd(): Promise<SimulatorEnd> {
    const { interrupt } = this.#run;
    const cancel = (): void => {
      this.#runner.cancel();
      this.#wake();
    };
    interrupt.addEventListener('abort', cancel);
    this.#record('target', helloOf(this.#hasFeeds ? sepManifestTestee : sepTestee));
    const ready = this.#hasFeeds ? new Promise<void>((resolve) => (this.#ready = resolve)) : undefined;
    this.#runner.begin();
    if (interrupt.aborted) cancel();
    try {
      // A run may end before its input does.
      const spoken = async (): Promise<void> => {
        await ready;
        await this.#speak();
        await this.#finished;
      };
      await Promise.race([this.#finished, spoken()]);
    } finally {
      cancel();
    }
    return interrupt.aborted ? 'interrupted' : this.#live.sumUp();
  }

  /** The model's output of an iteration. */
  async #speak(): Promise<void> {
    const script = this.#script;
    let length = 0;
    for await (const chunk of script === undefined ? inputText(this.#run) : this.#paced(script)) {
      if (this.#isOver || !this.#runner.takesOutput) return;
      length += chunk.length;
      if (script === undefined && length > mostOutput)
        throw new WireproofError(
          'usage',
          `expected an output of at most ${mostOutput >> 20} Mi characters on stdin; more came`,
        );
      if (chunk === '') continue;
      this.#record('tester', outputOf(chunk));
      this.#runner.write(chunk);
      await this.#live.drained();
    }
    this.#runner.endOutput();
  }

  async *#paced({ iterations, pace }: PacedScript): AsyncGenerator<string, void, undefined> {
    for (const piece of iterations[this.#iteration++] ?? []) {
      await this.#pass(pace * 1000);
      yield piece;
    }
  }

  /** Waits for a time, or for the end of the run. */
  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(ms, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  #record(from: LiveSide, data: JsonObject): void {
    this.#trace.event(liveMessage({ seq: this.#messages++, at: this.#clock.now(), from, data }));
  }
}

/** The outcome of an action that has no provider: its own name and parameters. */
const echo = ({ action: { name }, parameters }: ProviderCall): ScriptedOutcome => ({
  output: { name, parameters },
});
