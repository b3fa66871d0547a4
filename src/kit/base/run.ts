/** RFC 2119 level of a requirement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** Where a requirement is written down. */
export interface Source {
  readonly document: string;
  readonly revision?: string;
  readonly section: string;
}

/** What came of one requirement (ISO/IEC 9646 calls `not-observed` inconclusive). */
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

/** A position in a trace. */
export interface Evidence {
  /** Name of the trace (its file, without folder, when it was written). */
  readonly trace: string;
  readonly seq: number;
}

/** One requirement's outcome in a report. */
export interface RequirementOutcome {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly source: Source;
  readonly verdict: Verdict;
  /** How often the requirement was put to the test. */
  readonly exercised: number;
  /** Why it is not-observed, not-applicable or untestable. */
  readonly reason?: string;
  /** What was expected and what was seen. */
  readonly message?: string;
  readonly evidence?: readonly Evidence[];
  /** The wire events around the violation, as lines for a person. */
  readonly excerpt?: readonly string[];
  readonly expected_failure?: { readonly reason: string; readonly issue?: string };
  /** The command that shows it again. */
  readonly replay?: string;
  /** In the directive drive: what the row proves, the library under the shim or only the shim. */
  readonly proves?: 'shim';
}

/** The verdict over a whole run. */
export type OverallVerdict = 'conformant' | 'not-conformant' | 'inconclusive' | 'error';

/** A scenario's part in a run. */
export interface ScenarioOutcome {
  readonly name: string;
  /** `done`: played to its end; `ended-early`: an await was not met; `skipped`: a need was not met. */
  readonly outcome: 'done' | 'ended-early' | 'skipped' | 'not-run';
  readonly reason?: string;
  readonly duration_ms: number;
}

/** Everything a run found out; the `json` report is this, as it is. */
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
  };
  readonly counts: { readonly [V in Verdict]: number };
  readonly requirements: readonly RequirementOutcome[];
  readonly excluded: readonly { readonly id: string; readonly reason: string }[];
  readonly scenarios: readonly ScenarioOutcome[];
  /** What a person should know that is no requirement: a statement that claims too much, a stale expected failure. */
  readonly problems: readonly string[];
  /** Notes about the run, such as which drive was chosen and why. */
  readonly notes: readonly string[];
  /** The end of what the target printed, when something failed. */
  readonly target_output?: readonly string[];
}
