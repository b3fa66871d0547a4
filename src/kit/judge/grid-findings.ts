/** The findings about a requirement by pairs, for the grid of a suite that is played for pairs of two choices. */
import type { CellFindings, GridPlace, SuiteAxes } from '../base/index.ts';
import type { RequirementFindings } from './judge.ts';
import type { JudgedTrace, RunFacts } from './run-facts.ts';

/** The pair of each trace. One that has scenarios of two pairs, or of none, counts for no pair. */
export function tracesInPairs(run: RunFacts, axes: SuiteAxes): ReadonlyMap<JudgedTrace, GridPlace> {
  const places = new Map(run.scenarios.map((scenario) => [scenario.name, axes.placeOf(scenario)]));
  const pairs = new Map<JudgedTrace, GridPlace>();
  for (const trace of run.traces) {
    const [first, ...others] = scenariosIn(trace).map((name) => places.get(name));
    if (first !== undefined && others.every((other) => other !== undefined && samePlace(first, other)))
      pairs.set(trace, first);
  }
  return pairs;
}

const samePlace = (a: GridPlace, b: GridPlace): boolean => a.row === b.row && a.column === b.column;

/** The scenarios that the marks of a trace name, each once. */
function scenariosIn({ events }: JudgedTrace): readonly string[] {
  const names = new Set<string>();
  for (const { kind, data } of events)
    if (kind === 'mark' && typeof data['scenario'] === 'string') names.add(data['scenario']);
  return [...names];
}

/** The findings about one requirement, by pairs. */
export const cellFindings = (
  finds: readonly { readonly trace: JudgedTrace; readonly found: RequirementFindings }[],
  pairs: ReadonlyMap<JudgedTrace, GridPlace>,
): readonly CellFindings[] =>
  joinedCells(
    finds.flatMap(({ trace, found }) => {
      const place = pairs.get(trace);
      return place === undefined
        ? []
        : { ...place, exercised: found.exercised, unknowable: found.unknowable === undefined ? 0 : 1 };
    }),
  );

/** Adds up the findings of each pair. A pair in which nothing was found is left out. */
export function joinedCells(cells: readonly CellFindings[]): readonly CellFindings[] {
  const sums = new Map<string, CellFindings>();
  for (const cell of cells) {
    if (cell.exercised === 0 && cell.unknowable === 0) continue;
    const key = JSON.stringify([cell.row, cell.column]);
    const { exercised = 0, unknowable = 0 } = sums.get(key) ?? {};
    sums.set(key, {
      row: cell.row,
      column: cell.column,
      exercised: exercised + cell.exercised,
      unknowable: unknowable + cell.unknowable,
    });
  }
  return [...sums.values()];
}
