/** The record of one check: what is planned, played, found and said; and the report made of it. */
import { WireproofError } from '../base/index.ts';
import type { Report, Scenario, ScenarioOutcome, TraceEvent } from '../base/index.ts';
import { reportOf } from '../judge/index.ts';
import { claimedFeatures, unmet } from '../scenario/index.ts';
import type { Claims, Played, Skipped } from '../scenario/index.ts';
import { TargetSession } from '../suite/index.ts';
import { realClock, seededRandom } from '../world/index.ts';
import type { CheckOptions, Checked, CheckedTrace } from './check-options.ts';
import type { Failure, MakeSession } from './target.ts';

/** What came of a scenario that was not played. */
type NotPlayed = { readonly outcome: 'not-run'; readonly reason: string };

/** After this many scenarios in which the target said nothing, no more are played. */
const enoughSilent = 3;

/** Whether an event shows that the target speaks: it said something readable, or a scenario came to its end. */
const isReadable = ({ from, kind, data }: TraceEvent): boolean =>
  kind === 'mark'
    ? data['outcome'] === 'done'
    : from === 'target' && (kind === 'message' || kind === 'headers');

/** See the file's head. */
export class CheckRun {
  readonly options: CheckOptions;
  /** The ids of the requirements that are judged. */
  readonly only: ReadonlySet<string>;
  readonly traces: CheckedTrace[] = [];
  readonly notes: string[] = [];
  readonly problems: string[] = [];
  claims: Claims = { drive: 'passive', features: new Set() };
  /** Requirements that cannot be judged of this target, and why. */
  untestable: { readonly [id: string]: string } = {};
  /** Scenarios that are still to be played. */
  queue: Scenario[] = [];
  /** Why no scenario can be played with the target, if so. */
  unready: string | undefined;
  /** Set when there is no target at all. */
  absent: WireproofError | undefined;
  /** Whether a target has come. */
  came = false;
  /** The end of what the target printed when something first failed. */
  #output: readonly string[] = [];
  /** Whether a requirement was violated. */
  #violated = false;
  readonly #began = performance.now();
  readonly #outcomes: ScenarioOutcome[] = [];
  readonly #skipped: Skipped[] = [];
  #sessions = 0;
  #planned = 0;
  /** Whether the target has said something readable. */
  #spoke = false;
  /** Traces until it did. */
  #silent = 0;

  constructor(options: CheckOptions) {
    this.options = options;
    this.only = new Set(options.requirements.map(({ id }) => id));
  }

  /** A timeout of the check, on this machine (ms). */
  time(name: string, otherwise: number): number {
    return (this.options.timeouts[name] ?? otherwise) * this.options.timeoutScale;
  }

  /** How long late events are watched for (ms). */
  late(): number {
    return this.options.signal.aborted ? 0 : this.time('late', 300);
  }

  /** A session with a target, in which scenarios are played and judged. */
  readonly session: MakeSession = (more) => {
    const { suite, timeouts, timeoutScale, redact, seed } = this.options;
    const session = new TargetSession({
      suite,
      timeouts,
      timeoutScale,
      redact,
      only: this.only,
      drive: this.claims.drive,
      clock: realClock(),
      random: seededRandom(`${seed} ${this.#sessions++}`),
      ...more,
    });
    session.judge.onViolation = () => (this.#violated = true);
    return session;
  };

  /** A target came, and spoke. */
  met(): void {
    this.came = true;
    this.#spoke = true;
  }

  /** A target did not come, or did not get ready: if it is the first one, there is nothing to check. */
  lost(failure: Failure, output: readonly string[] = []): void {
    const { signal, target } = this.options;
    if (this.came) return;
    this.unready ??= signal.aborted ? 'interrupted before the target was ready' : failure.why;
    if (signal.aborted || failure.is === 'refused') return;
    const printed = target.kind === 'command' ? printedSentence(output) : '';
    this.absent ??= failure.error ?? new WireproofError('environment', `${failure.why}${printed}`);
  }

  /** Takes for granted what the target advertises, before it shows that. */
  assume(drive: string, advertised: readonly string[]): void {
    const { suite, stated } = this.options;
    this.claims = { ...this.claims, drive, features: claimedFeatures(suite.features, advertised, stated) };
  }

  /** Takes what the target advertises. A statement that claims more is a problem. */
  claim(drive: string, advertised: readonly string[]): void {
    this.assume(drive, advertised);
    const { suite, stated } = this.options;
    for (const name of stated ?? []) {
      const feature = suite.features.find((f) => f.name === name);
      if (feature?.advertised === true && !advertised.includes(name)) {
        this.problems.push(
          `the statement claims ${name}, which the target does not advertise (it advertises ${advertised.join(', ') || 'nothing'})`,
        );
      }
    }
  }

  /** Notes which drive was found, where nobody named one. */
  found(obeys: boolean): string {
    this.notes.push(
      obeys
        ? 'directive drive: the target obeyed a directive'
        : 'passive drive: the target did not obey a directive (see wireproof explain drive); --drive passive takes this at its word',
    );
    return obeys ? 'directive' : 'passive';
  }

  /** Queues the scenarios that fit what is claimed and selected, but for the opening one, lowest rank first. */
  plan(opening: string | undefined, rank: (scenario: Scenario) => number): void {
    for (const scenario of this.options.scenarios) {
      if (scenario.name === opening) continue;
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

  /** Takes the next scenario to play; undefined when none is left, or the check was stopped. */
  next(): Scenario | undefined {
    return this.#stopped() === undefined ? this.queue.shift() : undefined;
  }

  /** Why no more scenarios begin; undefined while they do. */
  #stopped(): string | undefined {
    if (this.options.signal.aborted) return 'interrupted';
    if (this.absent !== undefined) return 'there was no target';
    if (this.options.failFast && this.#violated) return '--fail-fast, and something failed';
    if (!this.#spoke && this.#silent >= enoughSilent)
      return `the target said nothing that could be read in the first ${this.#silent} scenarios`;
    return undefined;
  }

  /** Drops the scenarios that are left. */
  drop(): void {
    const reason = `not run: ${this.#stopped() ?? ''}`;
    for (const scenario of this.queue.splice(0)) this.ended(scenario, { outcome: 'not-run', reason }, 0);
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

  /** A trace is over. */
  recorded(trace: CheckedTrace, output: readonly string[]): void {
    this.came = true;
    this.#spoke ||= trace.events.some(isReadable);
    if (!this.#spoke) this.#silent++;
    const violated = [...trace.found.values()].some((f) => f.violations.length > 0);
    if (violated && this.#output.length === 0) this.#output = output.slice(-20);
    this.traces.push(trace);
  }

  /** What came of the check. */
  checked(): Checked {
    const checked = { report: this.#report(), traces: this.traces };
    return this.absent === undefined ? checked : { ...checked, absent: this.absent };
  }

  #report(): Report {
    const { options } = this;
    return reportOf({
      ...options,
      suite: options.suite.id,
      target: options.targetName,
      drive: this.claims.drive,
      driveNamed: options.drive !== 'auto',
      features: this.claims.features,
      durationMs: performance.now() - this.#began,
      interrupted: options.signal.aborted,
      traces: this.traces,
      skipped: this.#skipped,
      outcomes: this.#outcomes,
      unready: this.unready,
      absent: this.absent !== undefined,
      handles: { ...options.handles, ...this.untestable },
      problems: this.problems,
      notes: this.notes,
      targetOutput: this.#output,
    });
  }
}

/** Lines of a target's output that a sentence shows. */
const linesShown = 12;

/** The end of what a target printed, to follow a sentence about it. */
function printedSentence(output: readonly string[]): string {
  if (output.length === 0) return '; it printed nothing';
  // The first line says how much was dropped before it.
  const [first = '', ...rest] = output;
  const kept = output.length <= linesShown ? output : rest.slice(1 - linesShown);
  const lines = kept !== output && first.startsWith('…') ? [first, ...kept] : kept;
  const shown = lines.map((line) => `    ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  return `; it printed:\n${shown.join('\n')}`;
}
