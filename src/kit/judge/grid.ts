/** The grid of a report: the verdict of each pair of a suite that is played for pairs of two choices. */
import type { Grid, GridCell, GridPlace, RequirementOutcome } from '../base/index.ts';
import type { JudgedRun } from './findings.ts';

/** What the traces of a pair show of one requirement. */
interface InPair {
  /** Whether a scenario of the pair is there to show it. */
  due: boolean;
  /** Whether such a scenario ended early although the target could have played on. */
  lost: boolean;
  exercised: boolean;
  unknowable: boolean;
  broken: boolean;
}

/** A pair that was played, or should have been. */
interface Pair extends GridPlace {
  /** Whether a scenario of it was not played, because the run was interrupted. */
  cut: boolean;
  readonly shown: Map<string, InPair>;
}

/** The grid of a run; undefined: the suite has no axes, or no pair was played. */
export function gridOf(run: JudgedRun, rows: readonly RequirementOutcome[]): Grid | undefined {
  if (run.axes === undefined) return undefined;
  const pairs = pairsOf(run);
  if (pairs.length === 0) return undefined;
  const known = new Map(rows.map((row, at) => [row.id, { row, at }]));
  const order = [...new Set(pairs.flatMap(({ row, column }) => [row, column]))];
  // Both axes have one order: the same choice on both is on the diagonal.
  const values = (of: (pair: Pair) => string): readonly string[] => {
    const used = new Set(pairs.map(of));
    return order.filter((value) => used.has(value));
  };
  return {
    rows: { name: run.axes.rows, values: values(({ row }) => row) },
    columns: { name: run.axes.columns, values: values(({ column }) => column) },
    cells: pairs.map((pair) => cellOf(run, pair, known)),
  };
}

const keyOf = ({ row, column }: GridPlace): string => JSON.stringify([row, column]);

/** The pairs in the order of the scenarios, without those of which every scenario was skipped. */
function pairsOf(run: JudgedRun): readonly Pair[] {
  const skipped = new Set(run.skipped.map(({ name }) => name));
  const outcomes = new Map(run.outcomes.map((one) => [one.name, one]));
  const pairs = new Map<string, Pair>();
  const byScenario = new Map<string, Pair>();
  for (const { name, exercises, place } of run.scenarios) {
    if (place === undefined || skipped.has(name)) continue;
    const { row, column } = place;
    const pair = pairs.get(keyOf(place)) ?? { row, column, cut: false, shown: new Map<string, InPair>() };
    pairs.set(keyOf(place), pair);
    byScenario.set(name, pair);
    const { outcome, unsupported } = outcomes.get(name) ?? {};
    pair.cut ||= run.interrupted && outcome === 'not-run';
    for (const id of exercises)
      note(pair, id, { due: true, lost: outcome === 'ended-early' && unsupported !== true });
  }
  for (const { id, cells = [], places = [] } of run.findings) {
    for (const { exercised, unknowable, ...place } of cells)
      note(pairs.get(keyOf(place)), id, { exercised: exercised > 0, unknowable: unknowable > 0 });
    for (const { scenario } of places) note(byScenario.get(scenario), id, { exercised: true, broken: true });
  }
  return [...pairs.values()];
}

/** Adds what is known about a requirement in a pair. */
function note(pair: Pair | undefined, id: string, more: Partial<InPair>): void {
  if (pair === undefined) return;
  const known = pair.shown.get(id) ?? {
    due: false,
    lost: false,
    exercised: false,
    unknowable: false,
    broken: false,
  };
  pair.shown.set(id, known);
  known.due ||= more.due === true;
  known.lost ||= more.lost === true;
  known.exercised ||= more.exercised === true;
  known.unknowable ||= more.unknowable === true;
  known.broken ||= more.broken === true;
}

type KnownRows = ReadonlyMap<string, { readonly row: RequirementOutcome; readonly at: number }>;

function cellOf({ strict }: JudgedRun, { row, column, cut, shown }: Pair, known: KnownRows): GridCell {
  const here = [...shown]
    .flatMap(([id, found]) => {
      const one = known.get(id);
      return one === undefined || one.row.verdict === 'not-applicable' ? [] : { ...one, found };
    })
    .toSorted((a, b) => a.at - b.at);
  const failed = here.filter((one) => one.found.broken && hasFailed(one.row)).map((one) => one.row);
  const missing = here.filter((one) => isMissing(one.row, one.found)).map((one) => one.row.id);
  const exercised = here.filter(({ found }) => found.exercised).length;
  const isFatal = failed.some(({ level }) => level === 'MUST' || (level === 'SHOULD' && strict));
  const isOpen = exercised === 0 || missing.length > 0 || cut;
  const verdict = isFatal ? 'fail' : isOpen ? 'not-observed' : 'pass';
  return { row, column, verdict, exercised, failed: failed.map(({ id }) => id), missing };
}

/** Whether it failed, neither as expected nor as the consequence of another failure. */
const hasFailed = ({ verdict, expected_failure, follows_from }: RequirementOutcome): boolean =>
  verdict === 'fail' && expected_failure === undefined && follows_from === undefined;

/** Whether it is a MUST that the pair was there to show, and did not. */
function isMissing({ level, verdict }: RequirementOutcome, found: InPair): boolean {
  if (level !== 'MUST' || !found.due || found.broken) return false;
  if (verdict === 'untestable' && !found.unknowable) return false;
  return found.lost || found.unknowable || !found.exercised;
}
