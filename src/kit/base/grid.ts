/** The verdicts of a suite that is played for pairs of two choices: a row for each first choice, a column for each second one. */
import type { Scenario } from './scenario.ts';

/** A place in a grid. */
export interface GridPlace {
  readonly row: string;
  readonly column: string;
}

/** The names of both choices. */
export interface GridAxes {
  readonly rows: string;
  readonly columns: string;
}

/** The axes of a suite, and the place of each of its scenarios; undefined: a scenario has none. */
export interface SuiteAxes extends GridAxes {
  placeOf(scenario: Scenario): GridPlace | undefined;
}

/** The verdict of one pair. */
export interface GridCell extends GridPlace {
  /**
   * `fail`: a requirement failed here, and makes the run not conformant. `not-observed`: nothing was exercised here, or a
   * MUST was not that a scenario of this pair is there to show.
   */
  readonly verdict: 'pass' | 'fail' | 'not-observed';
  /** The number of requirements that were exercised here. */
  readonly exercised: number;
  /** The requirements that failed here, of every level; without expected failures, and those that follow from another one. */
  readonly failed: readonly string[];
  /** The MUSTs that scenarios of this pair are there to show, and that were not exercised here. */
  readonly missing: readonly string[];
}

/** The choices of one axis, in the order of the scenarios. */
export interface GridAxis {
  readonly name: string;
  readonly values: readonly string[];
}

/** The pairs that were played, each with its verdict. */
export interface Grid {
  readonly rows: GridAxis;
  readonly columns: GridAxis;
  readonly cells: readonly GridCell[];
}
