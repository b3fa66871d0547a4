/** A failed call of a scenario's operator: the scenario need not wait any longer. */
import type { EventPattern, ScenarioStep, TraceEvent } from '../base/index.ts';
import { matchesPattern } from './pattern.ts';

/** A call of the operator that ended with an error. */
export interface FailedCall {
  /** Such as `send`. */
  readonly verb: string;
  /** The status of the call, as one line. */
  readonly status: string;
}

/** The reason why a scenario ends with a failed call. */
export const failedCallReason = ({ verb, status }: FailedCall): string =>
  `the operator's ${verb} ended with an error: ${status}`;

/** Whether a step awaits an event of this kind by name, and the event may be that one. */
export const awaitsEvent = (steps: readonly ScenarioStep[], event: TraceEvent): boolean =>
  steps.some((step) => {
    if ('await' in step)
      return [step.await, step.else?.await].some((one) => one !== undefined && names(one, event));
    if ('repeat' in step) return awaitsEvent(step.repeat.steps, event);
    return 'parallel' in step && step.parallel.some((branch) => awaitsEvent(branch, event));
  });

/** Variables of the pattern may have no value yet, so only the peers and the kind are compared. */
function names({ match: _match, ...pattern }: EventPattern, event: TraceEvent): boolean {
  return pattern.kind !== undefined && matchesPattern(event, pattern);
}
