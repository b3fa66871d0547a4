/** The lists of a run, by requirement and by scenario: a report that is merged may have any number of each. */
import type { ExpectedFacts, ScenarioOutcome, SkippedFacts } from '../base/index.ts';
import type { JudgedRun } from './findings.ts';

/** The scenarios that are there to show a requirement. */
export interface RowScenarios {
  /** Their number in the run. */
  readonly count: number;
  /** Those that were left out, in the order of the run. */
  readonly left: readonly SkippedFacts[];
  /** The outcomes of the others, in the order of the run. */
  readonly played: readonly ScenarioOutcome[];
}

export interface RunIndex {
  readonly features: ReadonlySet<string>;
  /** The first expected failure of each requirement. */
  readonly expected: ReadonlyMap<string, ExpectedFacts>;
  /** The scenarios of a requirement. */
  scenariosOf(id: string): RowScenarios;
}

/** Makes the index of a run. */
export function indexOf(run: JudgedRun): RunIndex {
  const byRow = grouped(
    run.scenarios.flatMap(({ name, exercises }) => [...new Set(exercises)].map((id) => [id, name] as const)),
  );
  const skipped = grouped(run.skipped.map((one, i) => [one.name, [i, one]] as const));
  const outcomes = grouped(run.outcomes.map((one, i) => [one.name, [i, one]] as const));
  return {
    features: new Set(run.features),
    expected: new Map(run.expected.toReversed().map((one) => [one.id, one])),
    scenariosOf(id) {
      const names = byRow.get(id) ?? [];
      const unique = [...new Set(names)];
      return { count: names.length, left: inOrder(unique, skipped), played: inOrder(unique, outcomes) };
    },
  };
}

/** An item, and its position in its list. */
type Placed<T> = readonly [at: number, item: T];

const inOrder = <T>(names: readonly string[], items: ReadonlyMap<string, readonly Placed<T>[]>): T[] =>
  names
    .flatMap((name) => items.get(name) ?? [])
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

function grouped<T>(pairs: readonly (readonly [string, T])[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, item] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
