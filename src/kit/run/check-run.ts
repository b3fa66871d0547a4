/** The book of one check: what is planned, what was played, what was recorded; and the report made of it. */
import type { Report, Scenario, ScenarioOutcome, TraceEvent, WireproofError } from '../base/index.ts';
import type { CheckOptions, Checked, CheckedTrace } from './check-options.ts';
import { claimedFeatures, unmet } from '../scenario/index.ts';
import type { Claims, Skipped, Played } from '../scenario/index.ts';
import { reportOf } from '../judge/index.ts';

/** What a scenario that was not played is said to have come to. */
type NotPlayed = { readonly outcome: 'not-run'; readonly reason: string };

/** After so many scenarios without a word from the target no more are played. */
const enoughUnanswered = 3;

/** Something from the target that could be read. */
const isReadable = ({ from, kind }: TraceEvent): boolean =>
  from === 'target' && (kind === 'message' || kind === 'headers');

/** See the file's head. */
export class CheckRun {
  readonly options: CheckOptions;
  /** The ids of the rows that are judged. */
  readonly only: ReadonlySet<string>;
  readonly traces: CheckedTrace[] = [];
  readonly notes: string[] = [];
  readonly problems: string[] = [];
  /** The end of what the target printed when something first failed. */
  readonly output: string[] = [];
  claims: Claims = { drive: 'passive', features: new Set() };
  /** Scenarios that are still to be played. */
  queue: Scenario[] = [];
  /** Why nothing could be asked of the target, if so. */
  unready: string | undefined;
  /** Set when the target could not be had at all. */
  absent: WireproofError | undefined;
  /** Whether something was violated. */
  broken = false;
  readonly #began = performance.now();
  readonly #outcomes: ScenarioOutcome[] = [];
  readonly #skipped: Skipped[] = [];
  #planned = 0;
  /** The target has said something that could be read. */
  #spoke = false;
  /** Scenarios that waited in vain for a first word. */
  #unanswered = 0;

  constructor(options: CheckOptions) {
    this.options = options;
    this.only = new Set(options.requirements.map(({ id }) => id));
  }

  /** Whether no more scenario is to begin. */
  stopped(): boolean {
    return this.options.signal.aborted || (this.options.failFast && this.broken) || this.#isSilent();
  }

  /** Whether the target seems to speak nothing that is known here: to ask on would only take time. */
  #isSilent(): boolean {
    return !this.#spoke && this.#unanswered >= enoughUnanswered;
  }

  /** Takes down whether a scenario brought a word from the target. */
  heard({ outcome }: Played, events: readonly TraceEvent[]): void {
    this.#spoke ||= outcome !== 'ended-early' || events.some(isReadable);
    if (!this.#spoke) this.#unanswered++;
  }

  /** Takes down what the target claims, on the wire and in its statement. */
  claim(drive: string, advertised: readonly string[]): void {
    const { suite, stated } = this.options;
    this.claims = { ...this.claims, drive, features: claimedFeatures(suite.features, advertised, stated) };
    for (const name of stated ?? []) {
      const feature = suite.features.find((f) => f.name === name);
      if (feature?.advertised === true && !advertised.includes(name)) {
        this.problems.push(
          `the statement claims ${name}, which the target does not advertise (it advertises ${advertised.join(', ') || 'nothing'})`,
        );
      }
    }
  }

  /** Queues the scenarios that fit what is claimed and selected, but for `probe`, lowest rank first. */
  plan(probe: string | undefined, rank: (scenario: Scenario) => number): void {
    for (const scenario of this.options.scenarios) {
      if (scenario.name === probe) continue;
      const relevant = scenario.exercises.length === 0 || scenario.exercises.some((id) => this.only.has(id));
      const why = unmet(scenario, this.claims);
      if (!relevant)
        this.#skip({ scenario, because: 'selection', reason: 'exercises nothing that was selected' });
      else if (why !== undefined) this.#skip({ scenario, ...why });
      else this.queue.push(scenario);
    }
    this.queue = this.queue.toSorted((a, b) => rank(a) - rank(b));
    this.#planned = this.queue.length;
  }

  #skip(skipped: Skipped): void {
    this.#skipped.push(skipped);
    const { scenario, reason } = skipped;
    this.#outcomes.push({ name: scenario.name, outcome: 'skipped', reason, duration_ms: 0 });
  }

  /** A scenario is over, after `ms`. */
  ended(scenario: Scenario, played: Played | NotPlayed, ms: number): void {
    const reason = played.reason === undefined ? {} : { reason: played.reason };
    this.#outcomes.push({
      name: scenario.name,
      outcome: played.outcome,
      ...reason,
      duration_ms: Math.round(ms),
    });
    this.options.progress(this.#planned - this.queue.length, this.#planned, scenario.name);
  }

  /** What is left in the queue is not run, because the run was stopped. */
  drop(): void {
    const mute = `not run: the target said nothing that could be read in the first ${this.#unanswered} scenarios`;
    const reason = this.options.signal.aborted
      ? 'not run: interrupted'
      : this.#isSilent()
        ? mute
        : 'not run: --fail-fast, and something failed';
    for (const scenario of this.queue.splice(0)) this.ended(scenario, { outcome: 'not-run', reason }, 0);
  }

  /** A trace is over. */
  recorded(trace: CheckedTrace, output: readonly string[]): void {
    const violated = [...trace.found.values()].some((f) => f.violations.length > 0);
    if (violated && this.output.length === 0) this.output.push(...output.slice(-20));
    this.traces.push(trace);
  }

  /** What came of the check. */
  checked(): Checked {
    const checked = { report: this.#report(), traces: this.traces };
    return this.absent === undefined ? checked : { ...checked, absent: this.absent };
  }

  #report(): Report {
    const o = this.options;
    return reportOf({
      kit: o.kit,
      suite: o.suite.id,
      revision: o.revision,
      target: o.targetName,
      drive: this.claims.drive,
      driveNamed: o.drive !== 'auto',
      features: this.claims.features,
      seed: o.seed,
      durationMs: performance.now() - this.#began,
      interrupted: o.signal.aborted,
      strict: o.strict,
      requirements: o.requirements,
      traces: this.traces,
      scenarios: o.scenarios,
      skipped: this.#skipped,
      outcomes: this.#outcomes,
      expected: o.expected,
      unready: this.unready,
      absent: this.absent !== undefined,
      today: o.today,
      handles: o.handles,
      problems: this.problems,
      notes: this.notes,
      targetOutput: this.output,
      replay: o.replay,
    });
  }
}
