/** The position of one strand of a scenario in play. */
import type { AwaitStep, EventPattern, ScenarioStep } from '../base/index.ts';
import type { Timer } from '../world/index.ts';
import type { ScenarioWait } from './stage.ts';

/** A scenario, or a branch of `parallel`, with its own position in the trace. */
export interface Strand {
  readonly steps: readonly ScenarioStep[];
  /** A variable that counts rounds, and the number of steps in a round. */
  readonly counts: { readonly name: string; readonly steps: number } | undefined;
  at: number;
  cursor: number;
  waiting: Waiting | undefined;
  readonly whenDone: (cursor: number) => void;
  readonly siblings: Siblings | undefined;
}

/** The branches of one `parallel`: the number that still play, and those that wait at each barrier. */
export interface Siblings {
  playing: number;
  readonly waiting: Map<string, Strand[]>;
}

/** A wait for an event. */
export interface Waiting {
  readonly patterns: readonly EventPattern[];
  readonly step: AwaitStep;
  /** The event of the step's `soon`. */
  readonly soon: EventPattern | undefined;
  /** The longest time of the wait, once that event came (ms). */
  atMost?: number;
  left: number;
  timer: Timer | undefined;
  wait: ScenarioWait | undefined;
}
