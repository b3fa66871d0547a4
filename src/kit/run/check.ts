/**
 * Checks a target: plays the scenarios that fit it, several side by side, and takes down what comes of them. How a
 * target is reached is its own matter (target.ts).
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import type { CheckOptions, Checked } from './check-options.ts';
import { CheckRun } from './check-run.ts';
import { CarrierTargets } from './carrier-targets.ts';
import { DialingTargets } from './dialing-targets.ts';
import { ListeningTargets } from './listening-targets.ts';
import type { Failure, Target, Targets } from './target.ts';

/**
 * Runs a check. A target that cannot be had is no exception: the result says so.
 *
 * @throws WireproofError 'usage' when the statement lacks something that the suite needs
 */
export async function check(options: CheckOptions): Promise<Checked> {
  const run = new CheckRun(options);
  await new Runner(run, targetsOf(run)).run();
  return run.checked();
}

function targetsOf(run: CheckRun): Targets {
  const { target } = run.options.suite;
  switch (target.kind) {
    case 'dials':
      return new DialingTargets(run, target);
    case 'listens':
      return new ListeningTargets(run, target);
    case 'meets':
      return new CarrierTargets(run, target);
    default:
      return target satisfies never;
  }
}

/** An error of the environment as a target's absence. @throws any other error */
function absence(error: unknown): Failure {
  if (error instanceof WireproofError && error.code === 'environment')
    return { is: 'absent', why: error.message, error };
  throw error;
}

class Runner {
  readonly #run: CheckRun;
  readonly #targets: Targets;
  readonly #open = new Set<Target>();
  #shared = 0;

  constructor(run: CheckRun, targets: Targets) {
    this.#run = run;
    this.#targets = targets;
  }

  /** Runs to the end, or until it is interrupted. */
  async run(): Promise<void> {
    const { signal } = this.#run.options;
    const interrupt = (): void => {
      for (const target of this.#open) target.interrupt();
      void this.#targets.stop();
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      const first = await this.#first();
      if (this.#run.unready === undefined) await this.#playAll(first);
    } finally {
      signal.removeEventListener('abort', interrupt);
      await Promise.all([...this.#open].map((target) => target.stop()));
      await this.#targets.stop();
    }
  }

  /** Plays the opening scenario. @returns its target, when other scenarios may share it */
  async #first(): Promise<Target | undefined> {
    const { opening } = this.#targets;
    try {
      await this.#targets.prepare();
    } catch (error) {
      this.#run.lost(absence(error));
    }
    if (opening === undefined || this.#run.unready !== undefined) return undefined;
    const target = this.#targets.make();
    if (this.#targets.own(opening)) {
      await this.#alone(opening, target);
      if (this.#run.unready === undefined) await this.#targets.learn(target);
      return undefined;
    }
    if ((await this.#start(target, opening, 'start')) !== undefined) return undefined;
    this.#run.met();
    await this.#targets.learn(target);
    return target;
  }

  async #playAll(first: Target | undefined): Promise<void> {
    const targets = this.#targets;
    this.#run.plan(targets.opening?.name, (scenario) => targets.rank(scenario));
    const workers = Math.max(1, Math.min(targets.jobs, this.#run.queue.length));
    await Promise.all(Array.from({ length: workers }, (_, i) => this.#worker(i === 0 ? first : undefined)));
    this.#run.drop();
    if (this.#run.absent === undefined) targets.conclude();
  }

  /** Plays scenarios one after another. */
  async #worker(first: Target | undefined): Promise<void> {
    let shared = first;
    for (let next = this.#run.next(); next !== undefined; next = this.#run.next()) {
      if (this.#targets.own(next)) {
        await this.#alone(next, this.#targets.make());
        continue;
      }
      if (shared?.fit() === false) {
        await this.#retire(shared);
        shared = undefined;
      }
      const began = performance.now();
      const target = shared ?? this.#targets.make();
      const why = shared === undefined ? await this.#start(target, next) : undefined;
      if (why === undefined) await this.#play((shared = target), next, began);
      else this.#ended(next, `the target did not get ready again: ${why}`, began);
    }
    if (shared !== undefined) await this.#retire(shared);
  }

  /** Plays a scenario with a target of its own. */
  async #alone(scenario: Scenario, target: Target): Promise<void> {
    const began = performance.now();
    const why = await this.#start(target, scenario, scenario.name);
    if (why !== undefined) return this.#ended(scenario, why, began);
    if (await this.#play(target, scenario, began)) await this.#retire(target, scenario.name);
  }

  /** Starts a target. @returns why it cannot be given work; undefined when it can */
  async #start(target: Target, scenario: Scenario, trace?: string): Promise<string | undefined> {
    this.#open.add(target);
    const readiness = await target.start(scenario).catch(absence);
    if (readiness.is === 'ready') return undefined;
    if (readiness.is === 'refused') {
      if (!this.#run.came) await this.#targets.learn(target);
      this.#run.lost(readiness);
      await this.#retire(target, trace);
    } else {
      await this.#stop(target);
      this.#run.lost(readiness, target.output());
    }
    return readiness.why;
  }

  /** Plays a scenario. @returns whether there was a target to play it with */
  async #play(target: Target, scenario: Scenario, began: number): Promise<boolean> {
    const played = await target.play(scenario);
    const why = this.#run.came ? undefined : target.unheard();
    if (why === undefined || this.#run.options.signal.aborted) {
      this.#run.ended(scenario, played, performance.now() - began);
      return true;
    }
    await this.#stop(target);
    this.#run.lost({ is: 'absent', why }, target.output());
    this.#ended(scenario, why, began);
    return false;
  }

  #ended(scenario: Scenario, reason: string, began: number): void {
    this.#run.ended(scenario, { outcome: 'ended-early', reason }, performance.now() - began);
  }

  /** Ends a target's trace, and stops the target. `name`: of the trace; absent: the next of those with several scenarios. */
  async #retire(target: Target, name: string = `shared-${++this.#shared}`): Promise<void> {
    const trace = await target.finish(this.#run.late());
    await this.#stop(target);
    this.#run.recorded({ ...trace, name }, target.output());
  }

  async #stop(target: Target): Promise<void> {
    await target.stop();
    this.#open.delete(target);
  }
}
