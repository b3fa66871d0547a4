/** What a check is run with, and what comes of it. */
import type { Report, Scenario, WireproofError } from '../base/index.ts';
import type { ExpectedFailure, Requirement, Statement } from '../spec/index.ts';
import type { Suite, TargetPlan } from '../suite/index.ts';
import type { JudgedTrace } from '../judge/index.ts';

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
  /** `auto`, or what the suite's targets can be driven by. */
  readonly drive: string;
  /** The implementer's statement, for what only it says: keys, an operator's commands. */
  readonly statement: Statement | undefined;
  /** What a statement claims; undefined: all that is only stated. */
  readonly stated: readonly string[] | undefined;
  readonly expected: readonly ExpectedFailure[];
  readonly methods: readonly string[];
  readonly timeouts: { readonly [name: string]: number };
  /** Those that a statement or a flag names. */
  readonly named?: ReadonlySet<string>;
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

/** A trace of a check. */
export interface CheckedTrace extends JudgedTrace {
  /** Unix milliseconds. */
  readonly started: number;
  readonly scenarios: readonly string[];
}

/** A finished check. */
export interface Checked {
  readonly report: Report;
  /** Set when the target could not be had: the report says so too. */
  readonly absent?: WireproofError;
  readonly traces: readonly CheckedTrace[];
}
