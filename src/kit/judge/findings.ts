/**
 * Joins the findings of all traces of a run, requirement by requirement. The result is JSON: verdicts are made of it, also
 * when it comes from the reports of shards.
 */
import type {
  GridPlace,
  JudgedRow,
  Report,
  RowFindings,
  ScenarioOutcome,
  SelectedPart,
  ShownViolation,
  VerdictFacts,
} from '../base/index.ts';
import type { ExpectedFailure, Requirement } from '../spec/index.ts';
import { excerpt } from './excerpt.ts';
import { scenarioAt } from './follows.ts';
import type { RequirementFindings } from './judge.ts';
import type { JudgedTrace, RunFacts } from './run-facts.ts';
import { cellFindings, tracesInPairs } from './grid-findings.ts';
import { inOrder } from './scenario-order.ts';

/** The members of a report that need no judgement. */
type GivenMembers = Pick<
  Report,
  | 'kit'
  | 'suite'
  | 'revision'
  | 'target'
  | 'drive'
  | 'features'
  | 'seed'
  | 'duration_ms'
  | 'interrupted'
  | 'strict'
  | 'notes'
>;

/** A run without its events: all that its report is made of. */
export interface JudgedRun extends GivenMembers, VerdictFacts {
  readonly selected?: SelectedPart | undefined;
  readonly outcomes: readonly ScenarioOutcome[];
  /** Whether the target crashed. */
  readonly crashed: boolean;
  readonly target_output: readonly string[];
}

/** Joins the findings of a run. */
export function judgedRun(run: RunFacts): JudgedRun {
  const { kit, suite, revision, target, drive, seed, interrupted, strict, notes } = run;
  const pairs = run.axes === undefined ? undefined : tracesInPairs(run, run.axes);
  return {
    kit,
    suite,
    revision,
    target,
    drive,
    seed,
    interrupted,
    strict,
    notes,
    features: [...run.features],
    duration_ms: Math.round(run.durationMs),
    selected: run.selected,
    outcomes: inOrder(run.outcomes, run.scenarios),
    crashed: run.crashed === true,
    target_output: run.targetOutput,
    drive_named: run.driveNamed,
    today: run.today,
    absent: run.absent,
    ...(run.unready === undefined ? {} : { unready: run.unready }),
    requirements: run.requirements.map(judgedRow),
    scenarios: scenarioFacts(run.scenarios, run.axes),
    skipped: run.skipped.map(({ scenario: { name }, because, reason }) => ({ name, because, reason })),
    expected: run.expected,
    handles: run.untestable,
    excused: run.notApplicable ?? {},
    problems: run.problems,
    ...(run.busy === true ? { busy: true } : {}),
    ...(run.claimed === undefined ? {} : { claimed: run.claimed }),
    ...(run.axes === undefined ? {} : { axes: { rows: run.axes.rows, columns: run.axes.columns } }),
    findings: run.requirements.flatMap((row) =>
      row.excluded === undefined ? rowFindings(run, row.id, pairs) : [],
    ),
  };
}

/** The facts of scenarios that verdicts depend on. */
export const scenarioFacts = (
  scenarios: RunFacts['scenarios'],
  axes: RunFacts['axes'],
): VerdictFacts['scenarios'] =>
  scenarios.map((scenario) => {
    const { name, exercises } = scenario;
    const place = axes?.placeOf(scenario);
    return place === undefined ? { name, exercises } : { name, exercises, place };
  });

const judgedRow = ({
  id,
  level,
  text,
  source,
  feature,
  directive,
  entails,
  excluded,
}: Requirement): JudgedRow => ({
  id,
  level,
  text,
  source,
  ...(feature === undefined ? {} : { feature }),
  ...(directive === undefined ? {} : { directive }),
  ...(entails === undefined ? {} : { entails }),
  ...(excluded === undefined ? {} : { excluded }),
});

/** A trace in which the rule of a requirement ran. */
export interface Find {
  readonly trace: JudgedTrace;
  readonly found: RequirementFindings;
}

/** The findings about a requirement; empty when its rule ran in no trace. */
function rowFindings(
  run: RunFacts,
  id: string,
  pairs: ReadonlyMap<JudgedTrace, GridPlace> | undefined,
): readonly RowFindings[] {
  const finds = inOrder(run.traces, run.scenarios).flatMap((trace): Find[] => {
    const found = trace.found.get(id);
    return found === undefined ? [] : [{ trace, found }];
  });
  if (finds.length === 0) return [];
  const unshown = finds.flatMap(({ found }) => found.unshown ?? []);
  const showsNothing = unshown.length === finds.length;
  const reasons = showsNothing ? unshown : finds.flatMap(({ found }) => found.unknowable ?? []);
  const violation = shownViolation(run, id, finds);
  return [
    {
      id,
      traces: finds.length,
      exercised: finds.reduce((n, { found }) => n + found.exercised, 0),
      unknowable: reasons.length,
      ...(reasons[0] === undefined ? {} : { reason: reasons[0] }),
      ...(violation === undefined ? {} : { violation, places: placesOf(finds) }),
      ...(pairs === undefined ? {} : { cells: cellFindings(finds, pairs) }),
    },
  ];
}

/** The first violation that no expected failure describes, or else the first one. */
function shownViolation(run: RunFacts, id: string, finds: readonly Find[]): ShownViolation | undefined {
  const expected = run.expected.find((e) => e.id === id);
  const broken = finds.find(({ found }) => found.violations.length > 0);
  if (broken === undefined) return undefined;
  const { trace, found } = finds.find((find) => unexpected(expected, find.found) !== undefined) ?? broken;
  const worst = unexpected(expected, found);
  const first = worst ?? found.violations[0];
  if (first === undefined) return undefined;
  const seqs = [first.seq, ...(first.also ?? [])];
  const scenario = scenarioAt(trace.events, Math.min(...seqs));
  return {
    scenario: scenario ?? '',
    message: first.message,
    evidence: seqs.map((seq) => ({ trace: trace.name, seq })),
    excerpt: excerpt(trace.events, first.seq, first.also ?? []),
    ...(first.comparison === undefined ? {} : { comparison: first.comparison }),
    replay: run.replay(id, scenario),
    unexpected: worst !== undefined,
  };
}

/** The first violation that the expected failure does not describe. An expected failure must not hide another one. */
const unexpected = (
  expected: ExpectedFailure | undefined,
  { violations }: RequirementFindings,
): RequirementFindings['violations'][number] | undefined => {
  const { message } = expected ?? {};
  return message === undefined ? violations[0] : violations.find((v) => !v.message.includes(message));
};

/** The traces and scenarios in which a row failed, each once. */
function placesOf(finds: readonly Find[]): NonNullable<RowFindings['places']> {
  const places = finds.flatMap(({ trace: { name, events }, found }) =>
    found.violations.map(({ seq, also = [] }) => ({
      trace: name,
      scenario: scenarioAt(events, Math.min(seq, ...also)) ?? '',
    })),
  );
  return [...new Map(places.map((place) => [`${place.trace} ${place.scenario}`, place])).values()];
}
