/** The record of one check: its plan, its scenarios, its traces, and its report. */
import { MemoryLimit, WireproofError } from '../base/index.ts';
import type { ClaimedFeatures, Report, Scenario, TraceEvent } from '../base/index.ts';
import { reportOf } from '../judge/index.ts';
import { claimedFeatures, unmetNeed } from '../scenario/index.ts';
import type { Claims, ScenarioEnd } from '../scenario/index.ts';
import { TargetSession, outOfMemory, traceMemory } from '../suite/index.ts';
import type { NamedTools } from '../suite/index.ts';
import { commandLines, machineDelay } from '../transport/index.ts';
import { realClock, seededRandom } from '../world/index.ts';
import type { CheckOptions, Checked, CheckedTrace } from './check-options.ts';
import { Crashes, crashOf } from './crash.ts';
import { Patience } from './patience.ts';
import { busyNotes, driveNote, isBusy, onlyMadeFor } from './run-notes.ts';
import { ScenarioOutcomes } from './scenario-outcomes.ts';
import type { NotPlayed } from './scenario-outcomes.ts';
import { usableTools } from './stated-tools.ts';
import { printedSentence } from './target-output.ts';
import type { Failure, MakeSession } from './target.ts';

/** The check stops after this many traces without a readable message of the target. */
const silentTracesLimit = 3;

/** Whether an event shows that the target speaks: a readable message, or a scenario that was played to its end. */
const isReadable = ({ from, kind, data }: TraceEvent): boolean =>
  kind === 'mark'
    ? data['outcome'] === 'done'
    : from === 'target' && (kind === 'message' || kind === 'headers');

export class CheckRun {
  readonly options: CheckOptions;
  /** The ids of the requirements that are judged. */
  readonly only: ReadonlySet<string>;
  readonly traces: CheckedTrace[] = [];
  readonly notes: string[] = [];
  claims: Claims = { drive: 'passive', features: new Set() };
  /** By requirement: the reason why it cannot be judged for this target. */
  untestable: { readonly [id: string]: string } = {};
  /** The scenarios that are not played yet. */
  queue: Scenario[] = [];
  /** The reason why no scenario can be played with the target; undefined: they can. */
  unready: string | undefined;
  /** Set when there is no target at all. */
  absent: WireproofError | undefined;
  /** Whether a target was reached. */
  targetCame = false;
  /** The target's last output at the first violation. */
  #output: readonly string[] = [];
  #claimed: ClaimedFeatures | undefined;
  /** By requirement: the reason why it does not apply to this target. */
  #notApplicable: { readonly [id: string]: string } = {};
  /** The ends of the target that nobody asked for, as sentences. */
  readonly #crashes = new Crashes();
  /** The requirements that were violated. */
  readonly #failed = new Set<string>();
  /** The requirements whose event did not come, and those that they entail. */
  readonly #overdue = new Set<string>();
  readonly #began = performance.now();
  /** How long a busy machine has held up the run (ms). */
  #delay = 0;
  readonly outcomes: ScenarioOutcomes;
  /** The memory for the events of all traces. */
  readonly #memory = new MemoryLimit(traceMemory);
  /** The tools of the statement. */
  readonly #tools: NamedTools;
  #sessions = 0;
  /** How long scenarios wait for this target. */
  readonly patience: Patience;
  /** Whether the target has sent a readable message. */
  #hasSpoken = false;
  /** The number of traces before the first readable message. */
  #silentTraces = 0;

  constructor(options: CheckOptions) {
    this.options = options;
    this.outcomes = new ScenarioOutcomes(options.progress, this.#began);
    this.patience = new Patience({ ...options.suite.timeouts, ...options.timeouts });
    const { suite, statement } = options;
    const { tools, claims } = usableTools(suite, statement);
    const model = new Set(Object.keys(statement?.model ?? {}));
    const { named } = options;
    const known = named === undefined ? {} : { named };
    this.claims = { ...this.claims, ...known, ...claims, model };
    this.#tools = tools;
    this.only = new Set(options.requirements.map(({ id }) => id));
  }

  /** A timeout of the check, scaled for this machine (ms). */
  time(name: string, otherwise: number): number {
    return (this.options.timeouts[name] ?? otherwise) * this.options.timeoutScale;
  }

  /** How long the kit waits for late events (ms). */
  lateWatchMs(): number {
    return this.options.signal.aborted ? 0 : this.time('late', 300);
  }

  /** Makes the session with a target, in which scenarios are played and judged. */
  readonly makeSession: MakeSession = (more) => {
    const { suite, timeouts, timeoutScale, redact, seed } = this.options;
    const session = new TargetSession({
      suite,
      timeouts,
      timeoutScale,
      redact,
      only: this.only,
      memory: this.#memory,
      drive: this.claims.drive,
      untestable: { ...this.options.untestable, ...this.untestable },
      shortened: () => this.patience.shortened,
      hasFailed: (requirement) => this.#failed.has(requirement) || this.#overdue.has(requirement),
      overdue: (requirements) => this.#noteOverdue(requirements),
      delay: machineDelay,
      clock: realClock(),
      random: seededRandom(`${seed} ${this.#sessions++}`),
      tools: this.#tools,
      model: this.options.statement?.model ?? {},
      processes: commandLines,
      ...more,
    });
    session.judge.onViolation = (requirement) => this.#failed.add(requirement);
    return session;
  };

  #noteOverdue(requirements: ReadonlySet<string>): void {
    for (const { id, entails = [] } of this.options.requirements)
      if (requirements.has(id))
        for (const one of [id, ...entails.map((row) => row.id)]) this.#overdue.add(one);
  }

  /** Notes that a target was reached. Another one that was not reached before was only slow. */
  reached(): void {
    this.targetCame = true;
    this.#forgetAbsence();
  }

  #forgetAbsence(): void {
    if (this.absent === undefined) return;
    this.absent = undefined;
    this.unready = undefined;
  }

  /** Notes that a target is ready and has spoken. */
  targetReady(): void {
    this.reached();
    this.#hasSpoken = true;
  }

  /** Notes that a target was not reached or not ready. Without an earlier target, there is nothing to check. */
  targetFailed(failure: Exclude<Failure, { is: 'unsupported' }>, output: readonly string[] = []): void {
    const { signal, target } = this.options;
    if (this.targetCame) return;
    if (failure.is === 'refused') this.#forgetAbsence();
    this.unready ??= signal.aborted ? 'interrupted before the target was ready' : failure.why;
    if (signal.aborted || failure.is === 'refused') return;
    const printed = target.kind === 'command' ? printedSentence(output) : '';
    this.absent ??= failure.error ?? new WireproofError('environment', `${failure.why}${printed}`);
  }

  /** Sets the drive and the features, before the target has shown that it advertises them. */
  assume(drive: string, advertised: readonly string[]): void {
    const { suite, stated } = this.options;
    this.claims = { ...this.claims, drive, features: claimedFeatures(suite.features, advertised, stated) };
  }

  /**
   * Sets the drive and the advertised features. A statement that claims further ones is a problem.
   *
   * @param open - whether scenarios that were left out may show further features
   */
  claim(drive: string, advertised: readonly string[], open: boolean = false): void {
    this.assume(drive, advertised);
    const { suite, stated } = this.options;
    const isAdvertised = (name: string): boolean =>
      suite.features.find((feature) => feature.name === name)?.advertised === true;
    this.#claimed = { stated: (stated ?? []).filter(isAdvertised), advertised, open };
  }

  /** Makes every requirement not applicable. */
  excuseAll(reason: string): void {
    this.#notApplicable = Object.fromEntries(this.options.requirements.map(({ id }) => [id, reason]));
  }

  /** Notes the drive that the probe found, for a check without a named drive. */
  driveFound(obeys: boolean): string {
    this.notes.push(driveNote(obeys));
    return obeys ? 'directive' : 'passive';
  }

  /** Queues the scenarios that fit the claims and the selection, lowest rank first. Leaves out the opening scenario or the probe. */
  plan(opening: string | undefined, rank: (scenario: Scenario) => number): void {
    // A scenario that the user named is played, whatever rows it lists.
    const areNamed = this.options.namesScenarios === true;
    for (const scenario of this.options.scenarios) {
      if (scenario.name === opening) continue;
      const { exercises } = scenario;
      const relevant = areNamed || exercises.length === 0 || exercises.some((id) => this.only.has(id));
      const why = unmetNeed(scenario, this.claims);
      if (!relevant)
        this.outcomes.skip({ scenario, because: 'selection', reason: 'made for other requirements' });
      else if (why !== undefined) this.outcomes.skip({ scenario, ...why });
      else this.queue.push(scenario);
    }
    if (this.outcomes.skipped.some(({ because }) => because === 'selection')) this.notes.push(onlyMadeFor);
    this.queue = this.queue.toSorted((a, b) => rank(a) - rank(b));
    this.outcomes.planned = this.queue.length;
  }

  /** Takes the next scenario from the queue; undefined when the queue is empty or the check has stopped. */
  next(): Scenario | undefined {
    if (this.#stopped() !== undefined) return undefined;
    for (let scenario = this.queue.shift(); scenario !== undefined; scenario = this.queue.shift()) {
      const vain = this.patience.reason(scenario);
      if (vain === undefined) return scenario;
      this.ended(scenario, { outcome: 'not-run', reason: `not run: ${vain}` }, 0);
    }
    return undefined;
  }

  /** The reason why no further scenario begins; undefined while scenarios begin. */
  #stopped(): string | undefined {
    if (this.options.signal.aborted) return 'interrupted';
    if (this.absent !== undefined) return 'there was no target';
    if (this.#memory.held > this.#memory.most) return outOfMemory(this.#memory);
    if (this.options.failFast && this.#failed.size > 0) return '--fail-fast, and something failed';
    if (!this.#hasSpoken && this.#silentTraces >= silentTracesLimit)
      return `the target sent no readable message in the first ${this.#silentTraces} scenarios`;
    return undefined;
  }

  /** Drops the scenarios that are still in the queue. */
  drop(): void {
    const reason = `not run: ${this.#stopped() ?? ''}`;
    for (const scenario of this.queue.splice(0)) this.ended(scenario, { outcome: 'not-run', reason }, 0);
  }

  /** Notes the end of a scenario, and its duration `ms`. */
  ended(scenario: Scenario, played: ScenarioEnd | NotPlayed, ms: number): void {
    if (played.outcome !== 'not-run') this.patience.note(played);
    this.outcomes.note(scenario, played, ms);
  }

  /** Notes how long a busy machine has held up the run (ms). */
  delayed(ms: number): void {
    this.#delay = ms;
  }

  /** Keeps a finished trace. */
  recorded(trace: CheckedTrace, output: readonly string[]): void {
    this.reached();
    this.#hasSpoken ||= trace.events.some(isReadable);
    if (!this.#hasSpoken) this.#silentTraces++;
    const violated = [...trace.found.values()].some((f) => f.violations.length > 0);
    const crash = crashOf(trace.events, output);
    if (crash !== undefined) this.#crashes.add(crash);
    const isFirst = this.#output.length === 0 || (crash !== undefined && this.#crashes.count === 1);
    if ((violated || crash !== undefined) && isFirst) this.#output = output.slice(-20);
    this.traces.push(trace);
  }

  /** The result of the check. */
  checked(): Checked {
    const checked = { report: this.#report(), traces: this.traces };
    return this.absent === undefined ? checked : { ...checked, absent: this.absent };
  }

  #report(): Report {
    const { options } = this;
    return reportOf({
      ...options,
      suite: options.suite.id,
      axes: options.suite.axes,
      target: options.targetName,
      drive: this.claims.drive,
      driveNamed: options.drive !== 'auto',
      features: this.claims.features,
      durationMs: performance.now() - this.#began,
      interrupted: options.signal.aborted,
      traces: this.traces,
      skipped: this.outcomes.skipped,
      outcomes: this.outcomes.list,
      scenarioStarts: this.outcomes.starts,
      unready: this.unready,
      absent: this.absent !== undefined,
      untestable: { ...options.untestable, ...this.untestable },
      notApplicable: { ...options.notApplicable, ...this.#notApplicable },
      problems: [],
      claimed: this.#claimed,
      shard: options.shard && { ...options.shard, met: this.targetCame && this.unready === undefined },
      notes: [...this.#crashes.notes(), ...this.notes, ...busyNotes(this.#delay)],
      busy: isBusy(this.#delay),
      crashed: this.#crashes.count > 0,
      targetOutput: this.#output,
    });
  }
}
