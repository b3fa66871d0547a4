/** The facts from which a report is made, without the events. A report of a shard holds them, so that shards can be merged. */
import type { Comparison } from './comparison.ts';
import type { GridAxes, GridPlace } from './grid.ts';
import type { Evidence, Level, SelectedPart, Source } from './requirement.ts';

/** A requirement of the run, with all that its verdict depends on. */
export interface JudgedRow {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly source: Source;
  readonly feature?: string;
  readonly directive?: 'needed' | 'shim';
  readonly entails?: readonly { readonly id: string; readonly why: string }[];
  readonly excluded?: string;
}

/** The violation that the report of a run shows. */
export interface ShownViolation {
  /** The scenario that played; empty: none. */
  readonly scenario: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly excerpt: readonly string[];
  readonly comparison?: Comparison;
  readonly replay: string;
  /** Whether the expected failures do not describe it. */
  readonly unexpected: boolean;
}

/** The findings about one requirement in the traces of one pair. */
export interface CellFindings extends GridPlace {
  readonly exercised: number;
  /** The number of traces that lack a fact which the rule needs. */
  readonly unknowable: number;
}

/** The findings about one requirement in all traces of a run. */
export interface RowFindings {
  readonly id: string;
  /** The number of traces in which its rule ran. */
  readonly traces: number;
  readonly exercised: number;
  /** The number of traces that lack a fact which the rule needs. */
  readonly unknowable: number;
  /** The first reason for these. */
  readonly reason?: string;
  readonly violation?: ShownViolation;
  /** The places of all violations: a trace and a scenario. */
  readonly places?: readonly { readonly trace: string; readonly scenario: string }[];
  /** The findings by pairs; absent: the suite has no grid. */
  readonly cells?: readonly CellFindings[];
}

/** The advertisable features: those that the statement claims, and those that the target showed. */
export interface ClaimedFeatures {
  readonly stated: readonly string[];
  readonly advertised: readonly string[];
  /** Whether scenarios that were not played may show more. */
  readonly open: boolean;
}

/** A scenario of the run, and the requirements that it is there to show. */
export interface ScenarioFacts {
  readonly name: string;
  readonly exercises: readonly string[];
  /** The pair that it plays. */
  readonly place?: GridPlace;
}

/** A scenario that was left out, with the need that was not met. */
export interface SkippedFacts {
  readonly name: string;
  readonly because:
    'drive' | 'carrier' | 'timeout' | 'tool' | 'process' | 'model' | 'operation' | 'feature' | 'selection';
  readonly reason: string;
}

/** A known failure of a statement or a profile. */
export interface ExpectedFacts {
  readonly id: string;
  readonly reason: string;
  readonly issue?: string;
  readonly expires?: string;
  readonly message?: string;
  readonly known?: true;
}

/** The facts on which the verdicts of a run depend, besides the members that a report has anyway. */
export interface VerdictFacts {
  /** Whether the user named the drive. */
  readonly drive_named: boolean;
  /** The day of the run, `YYYY-MM-DD`: expected failures expire. */
  readonly today: string;
  /** The reason why the target could not be tested at all. */
  readonly unready?: string;
  /** Whether the target could not be started or reached. */
  readonly absent: boolean;
  readonly requirements: readonly JudgedRow[];
  readonly scenarios: readonly ScenarioFacts[];
  /** The axes of the grid; absent: the suite has none. */
  readonly axes?: GridAxes;
  readonly skipped: readonly SkippedFacts[];
  readonly expected: readonly ExpectedFacts[];
  /** By requirement: the reason why the kit had no handle on it. */
  readonly handles: { readonly [id: string]: string };
  /** By requirement: the reason why the statement makes it not applicable. */
  readonly excused: { readonly [id: string]: string };
  /** Problems of the run, without those that follow from verdicts. */
  readonly problems: readonly string[];
  /** Set when a busy machine held up the run. */
  readonly busy?: true;
  /** Absent: the statement claims no advertisable feature, or was not read. */
  readonly claimed?: ClaimedFeatures;
  readonly findings: readonly RowFindings[];
}

/** The part of a run that a shard played, and its facts. `scenarios` are those of the whole run. */
export interface ShardFacts extends VerdictFacts {
  /** From 1. */
  readonly part: number;
  readonly of: number;
  /** The name of the target in a statement of several targets; absent: the statement names none. */
  readonly name?: string;
  /** Whether the target showed its drive and features. A shard without a scenario may not have met it. */
  readonly met: boolean;
  /** The selection of the whole run; absent: the whole suite. */
  readonly selected?: SelectedPart;
}
