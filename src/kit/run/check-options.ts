/** The options of a check, and its result. */
import type { Report, Scenario, SelectedPart, WireproofError } from '../base/index.ts';
import type { ExpectedFailure, Requirement, Statement } from '../spec/index.ts';
import type { Suite, TargetPlan } from '../suite/index.ts';
import type { JudgedTrace, ShardOfRun } from '../judge/index.ts';

export interface CheckOptions {
  readonly kit: string;
  readonly suite: Suite;
  readonly revision: string;
  /** The requirements to judge. */
  readonly requirements: readonly Requirement[];
  readonly scenarios: readonly Scenario[];
  /** The user's selection, if it leaves out a part of the suite. */
  readonly selected?: SelectedPart | undefined;
  /** Whether the user named the scenarios. Then they are played, whatever rows they list. */
  readonly namesScenarios?: boolean;
  /** The shard that is played; absent: all scenarios. */
  readonly shard?: Omit<ShardOfRun, 'met'> | undefined;
  readonly target: TargetPlan;
  /** The target's name in reports. */
  readonly targetName: string;
  /** `auto`, or one of the suite's drives. */
  readonly drive: string;
  /** The implementer's statement: keys, an operator's commands, and all else that no other option gives. */
  readonly statement: Statement | undefined;
  /** The features that the statement claims; undefined: all features that targets do not advertise. */
  readonly stated: readonly string[] | undefined;
  /** The features of the protocol's other suites: a program for several of them may claim these in the same `hello`. */
  readonly otherFeatures?: () => Promise<readonly string[]>;
  readonly expected: readonly ExpectedFailure[];
  readonly methods: readonly string[];
  /** The gRPC service that a flag or the statement names. */
  readonly service?: string | undefined;
  readonly timeouts: { readonly [name: string]: number };
  /** The timeouts that a statement or a flag names. */
  readonly named?: ReadonlySet<string>;
  readonly timeoutScale: number;
  readonly jobs: number;
  readonly seed: string;
  readonly strict: boolean;
  readonly failFast: boolean;
  readonly redact: ((secret: string) => string) | undefined;
  readonly maxReceive: number;
  readonly today: string;
  /** By requirement: the reason why it cannot be judged in this run. */
  readonly untestable: { readonly [id: string]: string };
  /** By requirement: the reason why the statement makes it not applicable. */
  readonly notApplicable?: { readonly [id: string]: string };
  /** Ends the check early. A report is still made. */
  readonly signal: AbortSignal;
  /** The command that repeats the judging of a requirement. */
  readonly replay: (requirement: string, scenario: string | undefined) => string;
  /** Called when a scenario is over. */
  readonly progress: (done: number, of: number, now: string) => void;
  /** Called when the kit waits for a target that is started by hand. */
  readonly listening: (port: number, about: ManualStart) => void;
}

/** A wait for a target that is started by hand. */
export interface ManualStart {
  /** Set when its stream ended: how long the kit waits for it to come again (ms). */
  readonly again?: number;
  /** What the person does with the target; absent: nothing. */
  readonly instruction?: string;
}

export interface CheckedTrace extends JudgedTrace {
  /** Unix milliseconds. */
  readonly started: number;
  readonly scenarios: readonly string[];
}

/** A finished check. */
export interface Checked {
  readonly report: Report;
  /** Set when there was no target to check. The report has the same sentence. */
  readonly absent?: WireproofError;
  readonly traces: readonly CheckedTrace[];
}
