/**
 * Checks a target: plays the scenarios that fit it, several at the same time, and records the results. Each kind of
 * target hides how it is reached (target.ts).
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { carrierTargets } from './carrier-targets.ts';
import type { CheckOptions, Checked } from './check-options.ts';
import { CheckRun } from './check-run.ts';
import { dialingTargets } from './dialing-targets.ts';
import { listeningTargets } from './listening-targets.ts';
import { Places, placesPeriod } from './places.ts';
import type { Failure, Target, Targets } from './target.ts';
import { machineDelay, measureLoad, waitPatiently } from '../transport/index.ts';

/**
 * Runs a check. An absent target is a result, not an exception.
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
      return dialingTargets(run, target);
    case 'listens':
      return listeningTargets(run, target);
    case 'meets':
      return carrierTargets(run, target);
    default:
      return target satisfies never;
  }
}

/** An error of the environment as a target's absence. @throws any other error */
function absence(error: unknown): Extract<Failure, { is: 'absent' }> {
  if (error instanceof WireproofError && error.code === 'environment')
    return { is: 'absent', why: error.message, error };
  throw error;
}

/** A target in use: its start (Unix ms) and the names of its scenarios. */
interface TargetUse {
  readonly started: number;
  readonly scenarios: string[];
}

/** A wait is shown when it lasts longer (ms). */
const shownAfter = 3000;

const pause = (ms: number): Promise<boolean> =>
  new Promise((resolve) => void setTimeout(() => resolve(false), ms));

/** The time between the starts of the first scenarios (ms): programs that start together hold each other up. */
const startGap = 50;

/** How often the kit looks whether an awaited event has come after the end of a scenario (ms). */
const pollTime = 250;

/** The longest wait for events after the end of a scenario (ms). A target that talks for ever ends it. */
const longestWait = 600_000;

/** Adapts the number of places to the machine, until the timer is cleared. */
function adapt(places: Places): NodeJS.Timeout {
  let [delay, time] = [machineDelay(), performance.now()];
  return setInterval(() => {
    const [nextDelay, now] = [machineDelay(), performance.now()];
    places.note(nextDelay - delay, now - time);
    [delay, time] = [nextDelay, now];
  }, placesPeriod).unref();
}

class Runner {
  readonly #run: CheckRun;
  readonly #targets: Targets;
  readonly #uses = new Map<Target, TargetUse>();
  #shared = 0;

  constructor(run: CheckRun, targets: Targets) {
    this.#run = run;
    this.#targets = targets;
  }

  /** Runs to the end, or until it is interrupted. */
  async run(): Promise<void> {
    const { signal } = this.#run.options;
    const interrupt = (): void => {
      for (const target of this.#uses.keys()) target.interrupt();
      void this.#targets.stop?.();
    };
    signal.addEventListener('abort', interrupt, { once: true });
    const ticking = setInterval(() => this.#showWaits(), 1000).unref();
    const before = machineDelay();
    const measured = measureLoad(() => {
      this.#run.delayed(machineDelay() - before);
      for (const { session } of this.#uses.keys()) session?.noteDelay();
    });
    try {
      await this.#targets.prepare?.().catch((error: unknown) => this.#run.targetFailed(absence(error)));
      const first = this.#run.unready === undefined ? await this.#playOpening() : undefined;
      if (this.#run.unready === undefined) await this.#playAll(first);
    } finally {
      clearInterval(ticking);
      measured();
      signal.removeEventListener('abort', interrupt);
      await Promise.all([...this.#uses.keys()].map((target) => target.stop()));
      await this.#targets.stop?.();
    }
  }

  /** Shows the longest wait, so that a slow answer does not look like a stopped check. */
  #showWaits(): void {
    const waits = [...this.#uses].flatMap(([{ session }, { scenarios }]) => {
      const wait = session?.waiting;
      return wait === undefined ? [] : [{ scenario: scenarios.at(-1) ?? '', wait }];
    });
    const [longest] = waits.toSorted((a, b) => b.wait.waited - a.wait.waited);
    if (longest !== undefined && longest.wait.waited > shownAfter)
      this.#run.outcomes.showWait(longest.scenario, longest.wait);
  }

  /** Plays the opening scenario. @returns its target, when other scenarios can share it */
  async #playOpening(): Promise<Target | undefined> {
    const { opening } = this.#targets;
    if (opening === undefined) return undefined;
    const target = this.#targets.make(opening);
    const own = this.#targets.hasOwnTarget(opening);
    if (own) await this.#playAlone(opening, target);
    else if ((await this.#start(target, 'start')) === undefined) this.#run.targetReady();
    if (this.#run.unready === undefined) await this.#targets.learn?.(target);
    return own ? undefined : target;
  }

  async #playAll(first: Target | undefined): Promise<void> {
    const targets = this.#targets;
    this.#run.plan(targets.opening?.name ?? targets.probe, (scenario) => targets.rank(scenario));
    const workers = Math.max(1, Math.min(targets.jobs, this.#run.queue.length));
    const places = new Places(workers);
    const adapting = adapt(places);
    await Promise.all(
      Array.from({ length: workers }, async (_, i) => {
        await pause(i * startGap);
        await this.#worker(i === 0 ? first : undefined, places);
      }),
    ).finally(() => clearInterval(adapting));
    this.#run.drop();
    if (this.#run.absent === undefined) targets.conclude?.();
  }

  /** Plays scenarios one after another, each on a place of its own. */
  async #worker(first: Target | undefined, places: Places): Promise<void> {
    let shared = first;
    await places.take();
    for (let next = this.#run.next(); next !== undefined; next = this.#run.next()) {
      const own = this.#targets.hasOwnTarget(next);
      if (own) await this.#playAlone(next, this.#targets.make(next));
      else shared = await this.#playShared(next, shared);
      places.give();
      await places.take();
    }
    if (shared !== undefined) await this.#retire(shared);
    places.give();
  }

  /** Plays a scenario with the shared target, or with a new one. @returns the target for the next scenario */
  async #playShared(scenario: Scenario, shared: Target | undefined): Promise<Target | undefined> {
    const fit = shared?.isReusable() === true;
    if (shared !== undefined && !fit) await this.#retire(shared);
    const target = shared !== undefined && fit ? shared : this.#targets.make(scenario);
    const why = target === shared ? undefined : await this.#start(target);
    if (why === undefined) await this.#play(target, scenario);
    else this.#ended(scenario, `the target did not get ready again: ${why.why}`);
    return why === undefined ? target : undefined;
  }

  /** Plays a scenario with a target of its own. */
  async #playAlone(scenario: Scenario, target: Target): Promise<void> {
    const why = await this.#start(target, scenario.name);
    if (why?.is === 'unsupported')
      return this.#run.ended(scenario, { outcome: 'ended-early', reason: why.why, unsupported: true }, 0);
    if (why !== undefined) return this.#ended(scenario, why.why);
    if (await this.#play(target, scenario)) await this.#retire(target, scenario.name);
  }

  /** Starts a target. @returns the reason why it cannot take work; undefined when it can */
  async #start(target: Target, trace?: string): Promise<Failure | undefined> {
    this.#uses.set(target, { started: Date.now(), scenarios: [] });
    const failure = await target.start().catch(absence);
    if (failure === undefined) return undefined;
    if (failure.is === 'refused') {
      if (!this.#run.targetCame) await this.#targets.learn?.(target);
      this.#run.targetFailed(failure);
      await this.#retire(target, trace);
    } else {
      await this.#stop(target);
      if (failure.is === 'absent') this.#run.targetFailed(failure, target.output());
    }
    return failure;
  }

  /** Plays a scenario. @returns false when the target turned out to be absent */
  async #play(target: Target, scenario: Scenario): Promise<boolean> {
    const began = performance.now();
    this.#uses.get(target)?.scenarios.push(scenario.name);
    const played = await target.play(scenario);
    const why = this.#run.targetCame || this.#run.options.signal.aborted ? undefined : target.absenceReason();
    if (why === undefined) {
      this.#run.ended(scenario, played, performance.now() - began);
      return true;
    }
    await this.#stop(target);
    this.#run.targetFailed({ is: 'absent', why }, target.output());
    this.#ended(scenario, why);
    return false;
  }

  #ended(scenario: Scenario, reason: string): void {
    this.#run.ended(scenario, { outcome: 'ended-early', reason }, 0);
  }

  /** Waits for late events, ends the trace, and stops the target. `name`: the trace's name; absent: of a shared target. */
  async #retire(target: Target, name: string = `shared-${++this.#shared}`): Promise<void> {
    await waitPatiently(this.#run.lateWatchMs(), pause);
    await this.#awaitMissing(target);
    target.settle();
    const { session } = target;
    const use = this.#uses.get(target);
    const found = session?.end();
    await this.#stop(target);
    if (session === undefined || use === undefined || found === undefined) return;
    this.#run.recorded({ name, ...use, events: session.events, found }, target.output());
  }

  /** Waits until no requirement awaits an event of the target. */
  async #awaitMissing({ session }: Target): Promise<void> {
    const { signal } = this.#run.options;
    const began = performance.now();
    for (;;) {
      const open = session?.openWait;
      const waited = performance.now() - began;
      if (open === undefined || signal.aborted || waited > longestWait) return;
      if (waited > shownAfter) this.#run.outcomes.showOpenWait(open, waited);
      await new Promise((resolve) => void setTimeout(resolve, Math.min(open.ms, pollTime)));
    }
  }

  async #stop(target: Target): Promise<void> {
    await target.stop();
    this.#uses.delete(target);
  }
}
