import type { Comparison } from './comparison.ts';
import type { Grid } from './grid.ts';
import type { Evidence, Level, SelectedPart, Source } from './requirement.ts';
import type { ShardFacts } from './shard.ts';

/** The verdicts of a requirement (ISO/IEC 9646 calls `not-observed` inconclusive). */
export const verdicts = [
  /** Exercised, never violated. */
  'pass',
  'fail',
  /** Never exercised: nothing is known. */
  'not-observed',
  /** The implementer does not claim the feature. */
  'not-applicable',
  /** The kit had no handle on it in this drive; the reason says why. */
  'untestable',
  /** The kit failed. */
  'error',
] as const;

/** One of {@link verdicts}. */
export type Verdict = (typeof verdicts)[number];

/** One requirement's outcome in a report. */
export interface RequirementOutcome {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly source: Source;
  readonly verdict: Verdict;
  /** The number of times that the requirement was exercised. */
  readonly exercised: number;
  /** The reason for not-observed, not-applicable or untestable. */
  readonly reason?: string;
  /** The expectation and the observation. A MAY has it, too, when something else came than it describes. */
  readonly message?: string;
  readonly evidence?: readonly Evidence[];
  /** The wire events around the violation, as lines for a person. */
  readonly excerpt?: readonly string[];
  /** The two messages of the violation side by side, where it is about what became of a message. */
  readonly comparison?: Comparison;
  readonly expected_failure?: { readonly reason: string; readonly issue?: string };
  /** The failed requirement that this failure follows from. Such a failure is not counted. */
  readonly follows_from?: { readonly id: string; readonly why: string };
  /** The command that repeats it. */
  readonly replay?: string;
  /** In the directive drive: `shim` when the row proves only the conformance agent, not the library under it. */
  readonly proves?: 'shim';
}

/** The verdict over a whole run. `partial`: nothing failed in the part that the user selected. */
export type OverallVerdict = 'conformant' | 'not-conformant' | 'inconclusive' | 'partial' | 'error';

/** The outcome of a scenario in a run. */
export interface ScenarioOutcome {
  readonly name: string;
  /** `done`: played to its end; `ended-early`: an await was not met; `skipped`: a need was not met. */
  readonly outcome: 'done' | 'ended-early' | 'skipped' | 'not-run';
  /** For `done`: the refusal of the last HTTP request, if it was refused. */
  readonly reason?: string;
  /** For `ended-early`: set when the target, or its face to the kit, does not have what the scenario needs. */
  readonly unsupported?: true;
  readonly duration_ms: number;
}

/** Of several failures, the first by time. */
export interface FirstFailure {
  readonly id: string;
  readonly scenario: string;
  /** When it was seen (ms since the run began). */
  readonly at_ms: number;
  readonly message: string;
  /** The number of failed requirements, with those that follow from another one. */
  readonly failures: number;
  /** The usual mistake behind it. */
  readonly trap?: string;
}

/** The result of a run. The `json` report is this value. */
export interface Report {
  readonly wireproof: 'report/1';
  /** Version of the kit. */
  readonly kit: string;
  readonly suite: string;
  readonly revision: string;
  readonly target: string;
  readonly drive: string;
  readonly features: readonly string[];
  readonly seed: string;
  readonly duration_ms: number;
  readonly interrupted: boolean;
  /** Whether a violated SHOULD makes the run not conformant (`--strict`). */
  readonly strict: boolean;
  readonly verdict: OverallVerdict;
  readonly scope: {
    readonly drive: string;
    readonly must: {
      readonly applicable: number;
      readonly exercised: number;
      readonly untestable: number;
    };
    /** Absent: the whole suite. */
    readonly selected?: SelectedPart;
  };
  /** The number of requirements with each verdict. Failures that follow from another one are not counted. */
  readonly counts: { readonly [V in Verdict]: number };
  readonly requirements: readonly RequirementOutcome[];
  /** In a suite that is played for pairs of two choices: the verdict of each pair. */
  readonly grid?: Grid;
  /** When several requirements failed: the first one, whose cause is often that of the others. */
  readonly first_failure?: FirstFailure;
  readonly excluded: readonly { readonly id: string; readonly reason: string }[];
  readonly scenarios: readonly ScenarioOutcome[];
  /** Problems that concern no requirement: a statement that claims too much, a stale expected failure. */
  readonly problems: readonly string[];
  /** Notes about the run, such as the chosen drive and the reason. */
  readonly notes: readonly string[];
  /** The end of the output of the target, when a requirement failed. */
  readonly target_output?: readonly string[];
  /** In the report of a shard: the facts that `report merge` needs. */
  readonly shard?: ShardFacts;
}
