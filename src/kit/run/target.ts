/** What the runner needs of targets. A target dials, listens, or is met on a carrier: what differs stands behind these. */
import type { Scenario, WireproofError } from '../base/index.ts';
import type { Played } from '../scenario/index.ts';
import type { TargetSession, TargetSessionOptions } from '../suite/index.ts';

/** Why a target cannot be given work. */
export type Failure =
  /** It opened a stream and did not get ready: that is judged. */
  | { readonly is: 'refused'; readonly why: string }
  /** It never came. `error`: the exception that says so, where there was one. */
  | { readonly is: 'absent'; readonly why: string; readonly error?: WireproofError };

/** One target. One worker uses it at a time, for one scenario or for several. */
export interface Target {
  /** Its trace, its peers and its judge; undefined before it was started. */
  readonly session: TargetSession<unknown> | undefined;
  /**
   * Starts it, and waits until it can be given work. Some scenarios begin meanwhile.
   *
   * @returns why it cannot; undefined when it can
   * @throws WireproofError 'environment' when it cannot be started or reached
   */
  start(): Promise<Failure | undefined>;
  /** Plays a scenario, or waits for the end of one that has begun. */
  play(scenario: Scenario): Promise<Played>;
  /** Whether another scenario may be played with it; absent: it may not. */
  fit?(): boolean;
  /** Why it counts as absent though it was started: it has said nothing that a target would say. */
  unheard?(): string | undefined;
  /** Takes what the end of the trace leaves over: bytes of no whole message, features that were shown. */
  settle?(): void;
  /** Ends a wait for it, and the scenario in play. */
  interrupt(): void;
  /** Ends the trace and the connections, and stops what the kit started for it. */
  stop(): Promise<void>;
  /** The end of what it printed; complete when it was stopped. */
  output(): readonly string[];
}

/** The targets of one check, which are all reached in the same way. */
export interface Targets<T extends Target = Target> {
  /** The scenario that is played first, before the others are chosen; absent: none is. */
  readonly opening?: Scenario | undefined;
  /** How many are used side by side, at most. */
  readonly jobs: number;
  /**
   * Says what is claimed before a scenario was played, and starts what targets share.
   *
   * @throws WireproofError 'environment' when there is no target, 'usage' when the statement lacks something
   */
  prepare?(): Promise<void>;
  /** Makes a target for a scenario, or for those that share one with it. */
  make(scenario: Scenario): T;
  /** Whether a scenario gets a target of its own. The others share one as long as it is fit. */
  own(scenario: Scenario): boolean;
  /** Takes what the first target can do. Plays the opening scenario, unless that had a target of its own. */
  learn?(first: T): Promise<void>;
  /** Scenarios of a lower rank are played first. */
  rank(scenario: Scenario): number;
  /** Takes what the targets have shown, once all scenarios are over. */
  conclude?(): void;
  /** Stops what targets share. */
  stop?(): Promise<void>;
}

/** Makes a session with what its check says, and more. */
export type MakeSession = (
  more: Pick<TargetSessionOptions<unknown>, 'fault'> & Partial<TargetSessionOptions<unknown>>,
) => TargetSession<unknown>;
