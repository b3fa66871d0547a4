/** The facts of a run: its traces with their findings, its scenarios, and the claims about its target. */
import type {
  ClaimedFeatures,
  Scenario,
  ScenarioOutcome,
  SelectedPart,
  SuiteAxes,
  TraceEvent,
} from '../base/index.ts';
import type { SkippedScenario } from '../scenario/index.ts';
import type { ExpectedFailure, Requirement } from '../spec/index.ts';
import type { RequirementFindings } from './judge.ts';

/** One trace of a run with its findings. */
export interface JudgedTrace {
  readonly name: string;
  readonly events: readonly TraceEvent[];
  readonly found: ReadonlyMap<string, RequirementFindings>;
}

/** The facts that a verdict depends on. */
export interface RunFacts {
  readonly kit: string;
  readonly suite: string;
  readonly revision: string;
  readonly target: string;
  readonly drive: string;
  /** Whether the user named the drive. Then an untestable requirement does not make the run inconclusive. */
  readonly driveNamed: boolean;
  readonly features: ReadonlySet<string>;
  readonly seed: string;
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly strict: boolean;
  readonly requirements: readonly Requirement[];
  /** The user's selection, if it leaves out a part of the suite. Then the run cannot be conformant. */
  readonly selected?: SelectedPart | undefined;
  readonly traces: readonly JudgedTrace[];
  readonly scenarios: readonly Scenario[];
  /** The axes of the suite's grid; absent: it has none. */
  readonly axes?: SuiteAxes | undefined;
  readonly skipped: readonly SkippedScenario[];
  readonly outcomes: readonly ScenarioOutcome[];
  /** When each scenario began (ms since the run began). */
  readonly scenarioStarts?: ReadonlyMap<string, number>;
  readonly expected: readonly ExpectedFailure[];
  /** The reason why the target could not be tested at all. */
  readonly unready: string | undefined;
  /** Whether the target could not be started or reached. */
  readonly absent: boolean;
  /** Today, `YYYY-MM-DD`: expected failures expire. */
  readonly today: string;
  /** By requirement: the reason why the kit had no handle on it in this run. */
  readonly untestable: { readonly [id: string]: string };
  /** By requirement: the reason why the statement makes it not applicable. */
  readonly notApplicable?: { readonly [id: string]: string };
  readonly problems: readonly string[];
  /** The advertisable features of the statement. One that the target does not advertise is a problem. */
  readonly claimed?: ClaimedFeatures | undefined;
  readonly notes: readonly string[];
  /** Whether a busy machine held up the run. Then a missing event may be the fault of the machine. */
  readonly busy?: boolean;
  /** Whether the target crashed. Its output is in the report whatever the verdict. */
  readonly crashed?: boolean;
  readonly targetOutput: readonly string[];
  /** The command that repeats the judging of a requirement. */
  readonly replay: (requirement: string, scenario: string | undefined) => string;
  /** The shard of a larger run; absent: the run is whole. Its report holds what a merge needs. */
  readonly shard?: ShardOfRun | undefined;
}

/** A shard of a larger run, and the facts of the whole one. */
export interface ShardOfRun {
  readonly part: number;
  readonly of: number;
  /** The name of the target in a statement of several targets. */
  readonly name?: string | undefined;
  /** Whether the target showed its drive and features. */
  readonly met: boolean;
  /** The scenarios of the whole run. */
  readonly scenarios: readonly Scenario[];
  /** The selection of the whole run, if it leaves out a part of the suite. */
  readonly selected: SelectedPart | undefined;
}
