/** Turns findings into verdicts: a pure function of a run. A requirement that was not exercised has not passed. */
import { clip, entryOf, verdicts } from '../base/index.ts';
import type {
  ExpectedFacts,
  JudgedRow,
  OverallVerdict,
  Report,
  RequirementOutcome,
  RowFindings,
  ShardFacts,
  Verdict,
} from '../base/index.ts';
import { firstFailure } from './first-failure.ts';
import { judgedRun, scenarioFacts } from './findings.ts';
import type { JudgedRun } from './findings.ts';
import { noteFollowing } from './follows.ts';
import { gridOf } from './grid.ts';
import type { RunFacts, ShardOfRun } from './run-facts.ts';
import { indexOf } from './run-index.ts';
import type { RunIndex } from './run-index.ts';
import { lostWith, unexercised } from './unexercised.ts';

/** Makes the report of a run. */
export function reportOf(run: RunFacts): Report {
  const judged = judgedRun(run);
  const plain = reportOfJudged(judged);
  const first = firstFailure(run, plain.requirements);
  const report = first === undefined ? plain : { ...plain, first_failure: first };
  return run.shard === undefined ? report : { ...report, shard: shardFacts(judged, run.shard, run.axes) };
}

/** The facts that the merge of a shard's report needs. */
function shardFacts(
  run: JudgedRun,
  { part, of, name, met, scenarios, selected }: ShardOfRun,
  axes: RunFacts['axes'],
): ShardFacts {
  return {
    part,
    of,
    ...(name === undefined ? {} : { name }),
    met,
    drive_named: run.drive_named,
    today: run.today,
    ...(run.unready === undefined ? {} : { unready: run.unready }),
    absent: run.absent,
    ...(selected === undefined ? {} : { selected }),
    requirements: run.requirements,
    scenarios: scenarioFacts(scenarios, axes),
    skipped: run.skipped,
    expected: run.expected,
    handles: run.handles,
    excused: run.excused,
    problems: run.problems,
    ...(run.busy === undefined ? {} : { busy: run.busy }),
    ...(run.axes === undefined ? {} : { axes: run.axes }),
    ...(run.claimed === undefined ? {} : { claimed: run.claimed }),
    findings: run.findings,
  };
}

/** Makes the report of a run whose findings are joined. */
export function reportOfJudged(run: JudgedRun): Report {
  const judged = run.requirements.filter((row) => row.excluded === undefined);
  const findings = new Map(run.findings.map((found) => [found.id, found]));
  const problems = [...run.problems, ...unshownClaims(run)];
  const index = indexOf(run);
  const outcomes = judged.map((row) =>
    expectation(run, index.expected.get(row.id), outcomeOf(run, index, row, findings.get(row.id)), problems),
  );
  const rows = noteFollowing(outcomes, judged, findings);
  const must = mustScope(rows);
  const hasFailed = rows.some((r) => r.verdict === 'fail');
  if (run.unready !== undefined && !run.interrupted && !hasFailed) problems.push(run.unready);
  const grid = gridOf(run, rows);
  return {
    wireproof: 'report/1',
    kit: run.kit,
    suite: run.suite,
    revision: run.revision,
    target: run.target,
    drive: run.drive,
    features: run.features,
    seed: run.seed,
    duration_ms: run.duration_ms,
    interrupted: run.interrupted,
    strict: run.strict,
    verdict: overall(run, rows, problems.length > 0, must),
    scope: { drive: run.drive, must, ...(run.selected === undefined ? {} : { selected: run.selected }) },
    counts: countsOf(rows),
    requirements: rows,
    ...(grid === undefined ? {} : { grid }),
    excluded: run.requirements.flatMap(({ id, excluded }) =>
      excluded === undefined ? [] : [{ id, reason: excluded }],
    ),
    scenarios: run.outcomes,
    problems,
    notes: run.notes,
    ...outputOf(run, hasFailed),
  };
}

/** The output of the target, when it crashed or failed. */
const outputOf = (
  { crashed, target_output }: JudgedRun,
  hasFailed: boolean,
): Pick<Report, 'target_output'> =>
  (crashed || hasFailed) && target_output.length > 0 ? { target_output } : {};

/** The number of failures and so on, without those that follow from another one. */
function countsOf(rows: readonly RequirementOutcome[]): Report['counts'] {
  const count = (v: Verdict): number =>
    rows.filter((r) => r.verdict === v && r.follows_from === undefined).length;
  return Object.fromEntries(verdicts.map((v) => [v, count(v)])) as { [V in Verdict]: number };
}

function mustScope(rows: readonly RequirementOutcome[]): Report['scope']['must'] {
  const musts = rows.filter(({ level }) => level === 'MUST');
  const applicable = musts.filter(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'untestable');
  return {
    applicable: applicable.length,
    exercised: applicable.filter((r) => r.exercised > 0 && r.verdict !== 'not-observed').length,
    untestable: musts.filter((r) => r.verdict === 'untestable').length,
  };
}

/** The features of the statement that the target should have advertised, as problems. */
function unshownClaims({ claimed }: JudgedRun): readonly string[] {
  if (claimed === undefined || claimed.open) return [];
  const advertised = new Set(claimed.advertised);
  const shown = clip([...advertised].join(', '), mostOfFeatures) || 'nothing';
  const unshown = claimed.stated.filter((name) => !advertised.has(name));
  const more = unshown.length - mostClaims;
  return [
    ...unshown
      .slice(0, mostClaims)
      .map(
        (name) =>
          `the statement claims ${name}, which the target does not advertise (it advertises ${shown})`,
      ),
    ...(more > 0 ? [`the statement claims ${more} more features that the target does not advertise`] : []),
  ];
}

/** The most characters of the advertised features in a problem. */
const mostOfFeatures = 2000;

/** The most claims that have a problem of their own. */
const mostClaims = 100;

/** Why a MAY that was violated has neither failed nor passed. */
const otherThanMay = 'it came, but in another way than this MAY describes';

/** The reason why a requirement does not apply to the target. */
function notApplicable(
  run: JudgedRun,
  { features }: RunIndex,
  { id, feature }: JudgedRow,
): string | undefined {
  return feature !== undefined && !features.has(feature)
    ? `the target does not claim ${feature}`
    : entryOf(run.excused, id);
}

function outcomeOf(
  run: JudgedRun,
  index: RunIndex,
  row: JudgedRow,
  found: RowFindings | undefined,
): RequirementOutcome {
  const { id, level, text, source } = row;
  const { traces = 0, exercised = 0, unknowable = 0, reason: why, violation } = found ?? {};
  const proves = row.directive === 'shim' && run.drive === 'directive' ? { proves: 'shim' as const } : {};
  const base = { id, level, text, source, exercised, ...proves };
  const without = notApplicable(run, index, row);
  if (without !== undefined) return { ...base, exercised: 0, verdict: 'not-applicable', reason: without };
  if (violation !== undefined) {
    const { message, evidence, excerpt, replay, comparison } = violation;
    const seen = { message, evidence, excerpt, replay, ...(comparison === undefined ? {} : { comparison }) };
    return level === 'MAY'
      ? { ...base, exercised: 0, verdict: 'not-observed', reason: otherThanMay, ...seen }
      : { ...base, verdict: 'fail', ...seen };
  }
  const untestable = (reason: string): RequirementOutcome => ({ ...base, verdict: 'untestable', reason });
  // When no trace can show it, the early end of a scenario is not the reason.
  if (why !== undefined && unknowable === traces) return untestable(why);
  const scenarios = index.scenariosOf(id);
  const lost = lostWith(run, scenarios);
  if (lost !== undefined) {
    const elsewhere =
      exercised === 0
        ? ''
        : `; elsewhere it was exercised ${exercised === 1 ? 'once' : `${exercised} times`}`;
    return { ...base, verdict: 'not-observed', reason: `${lost}${elsewhere}` };
  }
  if (why !== undefined) return untestable(why);
  if (exercised > 0) return { ...base, verdict: 'pass' };
  return { ...base, exercised: 0, ...unexercised(run, row, scenarios) };
}

/** Compares an outcome with the expected failures of the statement. */
function expectation(
  run: JudgedRun,
  expected: ExpectedFacts | undefined,
  outcome: RequirementOutcome,
  problems: string[],
): RequirementOutcome {
  if (expected === undefined) return outcome;
  if (expected.expires !== undefined && expected.expires < run.today) {
    problems.push(
      `the expected failure of ${expected.id} expired on ${expected.expires}: mend it, or renew it`,
    );
    return outcome;
  }
  if (outcome.verdict === 'pass' && expected.known === true) return outcome;
  // The scenario in which it fails may be one of those that were left out.
  if (outcome.verdict === 'pass' && run.selected?.scenarios !== undefined) return outcome;
  if (outcome.verdict === 'pass') {
    problems.push(`${expected.id} is an expected failure and passes: take it out of the list`);
    return outcome;
  }
  if (outcome.verdict !== 'fail') return outcome;
  if (expected.message !== undefined && outcome.message?.includes(expected.message) !== true) {
    if (expected.known === true) return outcome;
    problems.push(
      `${expected.id} fails in another way than expected: expected a message with ${JSON.stringify(expected.message)}`,
    );
    return outcome;
  }
  const { reason, issue } = expected;
  return { ...outcome, expected_failure: issue === undefined ? { reason } : { reason, issue } };
}

function overall(
  run: JudgedRun,
  rows: readonly RequirementOutcome[],
  problems: boolean,
  must: { readonly applicable: number; readonly exercised: number; readonly untestable: number },
): OverallVerdict {
  if (run.absent || rows.some((r) => r.verdict === 'error')) return 'error';
  const fatal = (r: RequirementOutcome): boolean =>
    r.verdict === 'fail' &&
    r.expected_failure === undefined &&
    r.follows_from === undefined &&
    (r.level === 'MUST' || (run.strict && r.level === 'SHOULD'));
  if (rows.some(fatal) || problems) return 'not-conformant';
  const passed = rows.some((r) => r.verdict === 'pass');
  const missing = must.exercised < must.applicable || (must.untestable > 0 && !run.drive_named);
  if (run.interrupted || !passed || missing) return 'inconclusive';
  return run.selected === undefined ? 'conformant' : 'partial';
}
