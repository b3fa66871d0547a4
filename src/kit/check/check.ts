/**
 * Checks a target: finds out how it can be driven, plays every scenario that fits on several lanes side by side,
 * and hands all that was recorded to the verdict.
 */
import { WireproofError } from '../base/index.ts';
import type { Report, Scenario, ScenarioOutcome } from '../base/index.ts';
import type { ExpectedFailure, Requirement } from '../spec/index.ts';
import { seededRandom } from '../world/index.ts';
import { claimedFeatures, needsOwnTarget, unmet } from './plan.ts';
import type { Claims, Skipped } from './plan.ts';
import type { Played } from './player.ts';
import { RealLane, absent } from './real-lane.ts';
import type { TargetPlan } from './real-lane.ts';
import type { Suite } from './suite.ts';
import { reportOf } from './verdict.ts';
import type { JudgedTrace } from './verdict.ts';

/** A check, as its caller wants it. */
export interface CheckOptions {
  readonly kit: string;
  readonly suite: Suite;
  readonly revision: string;
  /** The rows to judge. */
  readonly requirements: readonly Requirement[];
  readonly scenarios: readonly Scenario[];
  readonly target: TargetPlan;
  /** How the target is named in reports. */
  readonly targetName: string;
  readonly drive: 'auto' | 'passive' | 'directive';
  /** What a statement claims; undefined: all that is only stated. */
  readonly stated: readonly string[] | undefined;
  readonly expected: readonly ExpectedFailure[];
  readonly methods: readonly string[];
  readonly timeouts: { readonly [name: string]: number };
  readonly timeoutScale: number;
  readonly jobs: number;
  readonly seed: string;
  readonly strict: boolean;
  readonly failFast: boolean;
  readonly redact: ((secret: string) => string) | undefined;
  readonly maxReceive: number;
  readonly today: string;
  readonly handles: { readonly [id: string]: string };
  /** Ends the run early; a report is still made. */
  readonly signal: AbortSignal;
  readonly replay: (requirement: string, scenario: string | undefined) => string;
  /** Hears how far the run is. */
  readonly progress: (done: number, of: number, now: string) => void;
  /** Hears where the kit waits for a target started by hand. */
  readonly listening: (port: number) => void;
}

/** A finished check. */
export interface Checked {
  readonly report: Report;
  /** Set when the target could not be had: the report says so too. */
  readonly absent?: WireproofError;
  readonly traces: readonly (JudgedTrace & {
    readonly started: number;
    readonly scenarios: readonly string[];
  })[];
}

type Trace = Checked['traces'][number];

/** Runs a check. @throws WireproofError 'environment' when the target cannot be started, or a port not be had */
export async function check(options: CheckOptions): Promise<Checked> {
  const run = new CheckRun(options);
  return run.run();
}

class CheckRun {
  readonly #o: CheckOptions;
  readonly #began = performance.now();
  readonly #traces: Trace[] = [];
  readonly #outcomes: ScenarioOutcome[] = [];
  readonly #notes: string[] = [];
  readonly #problems: string[] = [];
  readonly #output: string[] = [];
  readonly #only: ReadonlySet<string>;
  readonly #open = new Set<RealLane<unknown>>();
  #claims: Claims = { drive: 'passive', features: new Set() };
  #queue: Scenario[] = [];
  #skipped: Skipped[] = [];
  #unready: string | undefined;
  #absent: WireproofError | undefined;
  #planned = 0;
  #broken = false;
  #lanes = 0;
  #shared = 0;

  constructor(options: CheckOptions) {
    this.#o = options;
    this.#only = new Set(options.requirements.map(({ id }) => id));
  }

  async run(): Promise<Checked> {
    const stop = (): void => {
      for (const lane of this.#open) lane.cancelWait();
      for (const lane of this.#open) lane.lane.abort('interrupted');
    };
    this.#o.signal.addEventListener('abort', stop, { once: true });
    try {
      const first = this.#lane('passive');
      if (!(await this.#opened(first))) return this.#checked();
      if (this.#o.target.kind === 'listen') this.#o.listening(first.port);
      const ready = await first.ready();
      if (ready.is === 'absent' && !this.#o.signal.aborted) {
        this.#unready = ready.why;
        this.#absent = absent(ready.why, first.output());
        await this.#retire(first, 'start', []);
      } else if (ready.is === 'ready') {
        await this.#probe(first);
        this.#plan();
        await this.#playAll(first);
      } else {
        this.#unready = this.#o.signal.aborted
          ? 'interrupted before the target was ready'
          : 'the target opened a stream, and never got ready for work';
        this.#claim(first, this.#o.drive === 'auto' ? 'passive' : this.#o.drive);
        await this.#retire(first, 'start', []);
      }
    } finally {
      this.#o.signal.removeEventListener('abort', stop);
      await Promise.all([...this.#open].map((lane) => lane.stop()));
    }
    return this.#checked();
  }

  #checked(): Checked {
    const checked = { report: this.#report(), traces: this.#traces };
    return this.#absent === undefined ? checked : { ...checked, absent: this.#absent };
  }

  /** Opens the first lane; a target that cannot be started is reported, like one that never comes. */
  async #opened(lane: RealLane<unknown>): Promise<boolean> {
    try {
      await lane.open(this.#plainPeers());
      return true;
    } catch (error) {
      if (!(error instanceof WireproofError) || error.code !== 'environment') throw error;
      this.#unready = error.message;
      this.#absent = error;
      return false;
    }
  }

  #stopped(): boolean {
    return this.#o.signal.aborted || (this.#o.failFast && this.#broken);
  }

  #lane(drive: string): RealLane<unknown> {
    const { suite, target, methods, seed, timeouts, timeoutScale, redact, maxReceive } = this.#o;
    const lane = new RealLane({
      suite,
      target,
      methods,
      random: seededRandom(`${seed} ${this.#lanes++}`),
      drive,
      timeouts,
      timeoutScale,
      redact,
      maxReceive,
      only: this.#only,
    });
    lane.lane.judge.onViolation = () => (this.#broken = true);
    this.#open.add(lane);
    return lane;
  }

  /** The peers of the scenario that asks for nothing special. */
  #plainPeers(): Scenario['peers'] {
    const probe = this.#o.scenarios.find(({ name }) => name === this.#o.suite.probe);
    if (probe === undefined) throw new WireproofError('internal', `no scenario ${this.#o.suite.probe}`);
    return probe.peers;
  }

  /** Finds out which drive the target takes. */
  async #probe(lane: RealLane<unknown>): Promise<void> {
    const { suite, drive, scenarios } = this.#o;
    let found: string = drive;
    const probe = scenarios.find(({ name }) => name === suite.probe);
    if (drive === 'auto' && probe !== undefined) {
      await lane.play(probe);
      found = suite.obeys(lane.lane.judge.view) ? 'directive' : 'passive';
      this.#notes.push(
        found === 'directive'
          ? 'directive drive: the target obeyed a directive'
          : 'passive drive: the target did not obey a directive (see wireproof explain drive); --drive passive takes this at its word',
      );
    }
    lane.lane.markDrive(found);
    this.#claim(lane, found);
  }

  /** Takes down what the target claims, on the wire and in its statement. */
  #claim(lane: RealLane<unknown>, drive: string): void {
    const { suite, stated } = this.#o;
    const advertised = suite.advertised(lane.lane.judge.view) ?? [];
    this.#claims = { drive, features: claimedFeatures(suite, advertised, stated) };
    for (const name of stated ?? []) {
      const feature = suite.features.find((f) => f.name === name);
      if (feature?.advertised === true && !advertised.includes(name)) {
        this.#problems.push(
          `the statement claims ${name}, which the target does not advertise (it advertises ${advertised.join(', ') || 'nothing'})`,
        );
      }
    }
  }

  #plan(): void {
    for (const scenario of this.#o.scenarios) {
      if (scenario.name === this.#o.suite.probe) continue;
      const relevant = scenario.exercises.length === 0 || scenario.exercises.some((id) => this.#only.has(id));
      const why = unmet(scenario, this.#claims);
      if (!relevant)
        this.#skip({ scenario, because: 'selection', reason: 'exercises nothing that was selected' });
      else if (why !== undefined) this.#skip({ scenario, ...why });
      else this.#queue.push(scenario);
    }
    // Those that need a target of their own take longest, so they begin; by hand there is one target, so they end.
    const rank = (s: Scenario): number => (s.last ? 2 : needsOwnTarget(s) ? 1 : 0);
    const byHand = this.#o.target.kind === 'listen';
    this.#queue = this.#queue.toSorted((a, b) => (byHand ? rank(a) - rank(b) : rank(b) - rank(a)));
    this.#planned = this.#queue.length;
  }

  #skip(skipped: Skipped): void {
    this.#skipped.push(skipped);
    this.#outcomes.push({
      name: skipped.scenario.name,
      outcome: 'skipped',
      reason: skipped.reason,
      duration_ms: 0,
    });
  }

  #ended(
    scenario: Scenario,
    played: Played | { readonly outcome: 'not-run'; readonly reason: string },
    ms: number,
  ): void {
    const reason = played.reason === undefined ? {} : { reason: played.reason };
    this.#outcomes.push({
      name: scenario.name,
      outcome: played.outcome,
      ...reason,
      duration_ms: Math.round(ms),
    });
    this.#o.progress(this.#planned - this.#queue.length, this.#planned, scenario.name);
  }

  async #playAll(first: RealLane<unknown> | undefined): Promise<void> {
    if (this.#o.target.kind === 'listen') await this.#worker(first, true);
    else {
      const others = Array.from({ length: Math.min(this.#o.jobs - 1, this.#queue.length) }, () =>
        this.#worker(undefined, false),
      );
      await Promise.all([this.#worker(first, false), ...others]);
    }
    for (const scenario of this.#queue.splice(0)) {
      const reason = this.#o.signal.aborted
        ? 'not run: interrupted'
        : 'not run: --fail-fast, and something failed';
      this.#ended(scenario, { outcome: 'not-run', reason }, 0);
    }
  }

  /** Plays scenarios one after another, on one lane as long as it is fit. */
  async #worker(first: RealLane<unknown> | undefined, byHand: boolean): Promise<void> {
    let lane = first;
    let played: string[] = [this.#o.suite.probe];
    const retire = async (): Promise<void> => {
      if (lane !== undefined) await this.#retire(lane, `shared-${++this.#shared}`, played);
      lane = undefined;
      played = [];
    };
    while (!this.#stopped()) {
      const scenario = this.#queue.shift();
      if (scenario === undefined) break;
      if (byHand && lane !== undefined) {
        await this.#byHand(lane, scenario);
        played.push(scenario.name);
        continue;
      }
      if (needsOwnTarget(scenario)) {
        await this.#alone(scenario);
        continue;
      }
      if (lane !== undefined && !lane.fit()) await retire();
      lane ??= await this.#sharedLane();
      if (lane === undefined) {
        this.#ended(scenario, { outcome: 'ended-early', reason: 'the target did not get ready again' }, 0);
        continue;
      }
      played.push(scenario.name);
      await this.#play(lane, scenario);
    }
    await retire();
  }

  async #sharedLane(): Promise<RealLane<unknown> | undefined> {
    const lane = this.#lane(this.#claims.drive);
    await lane.open(this.#plainPeers());
    const ready = await lane.ready();
    if (ready.is === 'ready') return lane;
    await this.#retire(lane, `shared-${++this.#shared}`, []);
    return undefined;
  }

  async #play(lane: RealLane<unknown>, scenario: Scenario): Promise<void> {
    const began = performance.now();
    const played = await lane.play(scenario);
    this.#ended(scenario, played, performance.now() - began);
  }

  /** A scenario with a target of its own. */
  async #alone(scenario: Scenario): Promise<void> {
    const began = performance.now();
    const lane = this.#lane(this.#claims.drive);
    let playing: Promise<Played> | undefined;
    await lane.open(scenario.peers, scenario.fresh ? () => (playing = lane.play(scenario)) : undefined);
    const ready = scenario.fresh ? undefined : await lane.ready();
    const played: Played =
      ready === undefined || ready.is === 'ready'
        ? await (playing ?? lane.play(scenario))
        : {
            outcome: 'ended-early',
            reason: ready.is === 'absent' ? ready.why : 'the target did not get ready',
          };
    this.#ended(scenario, played, performance.now() - began);
    await this.#retire(lane, scenario.name, [scenario.name]);
  }

  /** By hand there is one target: a scenario with other peers sends it away, and waits for it to come back. */
  async #byHand(lane: RealLane<unknown>, scenario: Scenario): Promise<void> {
    const began = performance.now();
    if (!scenario.fresh && !lane.fit() && !(await lane.back())) {
      this.#ended(
        scenario,
        { outcome: 'ended-early', reason: 'the target started by hand did not come back' },
        0,
      );
      return;
    }
    if (scenario.fresh) lane.lane.setPeers(scenario.peers);
    const played = await lane.play(scenario);
    if (scenario.fresh) lane.lane.setPeers(this.#plainPeers());
    this.#ended(scenario, played, performance.now() - began);
  }

  async #retire(lane: RealLane<unknown>, name: string, scenarios: readonly string[]): Promise<void> {
    this.#open.delete(lane);
    const found = await (this.#o.signal.aborted ? lane.stop() : lane.close());
    const violated = [...found.values()].some((f) => f.violations.length > 0);
    if (violated && this.#output.length === 0) this.#output.push(...lane.output().slice(-20));
    this.#traces.push({ name, events: lane.lane.events, found, started: lane.started, scenarios });
  }

  #report(): Report {
    const o = this.#o;
    return reportOf({
      kit: o.kit,
      suite: o.suite.id,
      revision: o.revision,
      target: o.targetName,
      drive: this.#claims.drive,
      driveNamed: o.drive !== 'auto',
      features: this.#claims.features,
      seed: o.seed,
      durationMs: performance.now() - this.#began,
      interrupted: o.signal.aborted,
      strict: o.strict,
      requirements: o.requirements,
      traces: this.#traces,
      scenarios: o.scenarios,
      skipped: this.#skipped,
      outcomes: this.#outcomes,
      expected: o.expected,
      unready: this.#unready,
      absent: this.#absent !== undefined,
      today: o.today,
      handles: o.handles,
      problems: this.#problems,
      notes: this.#notes,
      targetOutput: this.#output,
      replay: o.replay,
    });
  }
}
