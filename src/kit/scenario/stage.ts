/** The interface between the player and the world of its scenario. */
import type { JsonObject, TraceEvent, UnknownField } from '../base/index.ts';
import type { Clock, Fault } from '../world/index.ts';

/** The world of a scenario: the trace, the peers and the clock. */
export interface Stage {
  readonly clock: Clock;
  /** The trace so far. */
  readonly events: readonly TraceEvent[];
  /** `unknown`: fields that the schema does not know, added to the bytes of the message. */
  send(peer: string, message: JsonObject, unknown: readonly UnknownField[]): void;
  raw(peer: string, bytes: Uint8Array): void;
  end(peer: string, code: number, message: string): void;
  fault(peer: string, fault: Fault): void;
  /** Asks the target to stop in an orderly way. */
  stop(): void;
  mark(data: JsonObject): void;
  /** The time (ms) until no requirement awaits an event of the target any more; 0 when none does. */
  openWait(): number;
  /** How long a busy machine has held up the kit and the target so far (ms). */
  delay(): number;
}

export interface ScenarioEnd {
  readonly outcome: 'done' | 'ended-early';
  /** Why it ended early; for `done`: why steps were left out. */
  readonly reason?: string;
  /** Set for `ended-early` when the target, or its face to the kit, does not have what the scenario needs. */
  readonly unsupported?: true;
  /** Set for `ended-early` when the user interrupted the check: the target has no part in it. */
  readonly interrupted?: true;
  /** Set for `done` when the target refused the last HTTP request: its status and the beginning of its body. */
  readonly refusal?: string;
  /** The timeout, by its name in the scenario, that passed without the awaited event. */
  readonly unmet?: string;
  /** The awaited event that did not come, in words. */
  readonly missing?: string;
  /** The awaited events that came, in words. */
  readonly met?: ReadonlySet<string>;
}

/** The members of the mark at the end of a scenario. */
export const endMark = ({ outcome, reason, unsupported, interrupted }: ScenarioEnd): JsonObject => ({
  outcome,
  ...(reason === undefined ? {} : { reason }),
  ...(unsupported === undefined ? {} : { unsupported }),
  ...(interrupted === undefined ? {} : { interrupted }),
});

/** A wait of a scenario in play. */
export interface ScenarioWait {
  /** The awaited event, in a few words. */
  readonly text: string;
  /** Milliseconds on the scenario's clock. */
  readonly since: number;
  /** The time limit (ms). */
  readonly within: number;
}
