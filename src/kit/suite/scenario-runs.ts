/** Plays a target through scenarios on virtual time, and sums up the findings by requirement. */
import type { Scenario } from '../base/index.ts';
import { simulate } from './simulated.ts';
import type { Suite } from './suite.ts';

/** The findings of one target in all scenarios. */
export interface ScenarioRuns {
  /** By requirement and scenario: the message of the first violation. */
  readonly violated: Map<string, Map<string, string>>;
  /** By requirement: the scenarios that exercised it. */
  readonly exercised: Map<string, string[]>;
  /** By requirement: the reason why it cannot pass. */
  readonly unknowable: Map<string, string>;
  /** By scenario: the reason why it ended early. */
  readonly early: Map<string, string>;
}

export interface RunConditions {
  readonly scenarios: readonly Scenario[];
  readonly seed: string;
  /** Timeouts that differ from the suite's (ms). */
  readonly timeouts?: { readonly [name: string]: number };
  /** Steps of the virtual clock after which a run counts as endless; default 200000. */
  readonly steps?: number;
  /** The drive; default: the suite's own. */
  readonly drive?: string;
}

const stepLimit = 200_000;

/** Plays a new target in each scenario. */
export function runScenarios<V>(
  suite: Suite<V>,
  { scenarios, seed, timeouts = {}, steps = stepLimit, drive }: RunConditions,
  target: Suite<V>['reference'],
): ScenarioRuns {
  const runs: ScenarioRuns = {
    violated: new Map(),
    exercised: new Map(),
    unknowable: new Map(),
    early: new Map(),
  };
  for (const scenario of scenarios) {
    const { found, played } = simulate({
      suite,
      scenario,
      target: target(scenario.reference),
      seed,
      timeouts,
      steps,
      ...(drive === undefined ? {} : { drive }),
    });
    if (played.outcome !== 'done') runs.early.set(scenario.name, played.reason ?? '');
    for (const [id, { exercised, violations, unknowable }] of found) {
      const [first] = violations;
      if (exercised > 0) runs.exercised.set(id, [...(runs.exercised.get(id) ?? []), scenario.name]);
      if (unknowable !== undefined) runs.unknowable.set(id, unknowable);
      if (first !== undefined)
        runs.violated.set(id, (runs.violated.get(id) ?? new Map()).set(scenario.name, first.message));
    }
  }
  return runs;
}
