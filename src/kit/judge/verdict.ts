/** Turns findings into verdicts: a pure function of a run. A requirement that was not exercised has not passed. */
import { verdicts } from '../base/index.ts';
import type {
  OverallVerdict,
  Report,
  RequirementOutcome,
  ScenarioOutcome,
  SelectedPart,
  TraceEvent,
  Verdict,
  Scenario,
} from '../base/index.ts';
import type { ExpectedFailure, Requirement } from '../spec/index.ts';
import { excerpt } from './excerpt.ts';
import { noteFollowing, scenarioAt } from './follows.ts';
import type { RequirementFindings } from './judge.ts';
import type { SkippedScenario } from '../scenario/index.ts';

/** One trace of a run with its findings. */
export interface JudgedTrace {
  readonly name: string;
  readonly events: readonly TraceEvent[];
  readonly found: ReadonlyMap<string, RequirementFindings>;
}

/** The facts that a verdict depends on. */
export interface RunFacts {
  readonly kit: string;
  readonly suite: string;
  readonly revision: string;
  readonly target: string;
  readonly drive: string;
  /** Whether the user named the drive. Then an untestable requirement does not make the run inconclusive. */
  readonly driveNamed: boolean;
  readonly features: ReadonlySet<string>;
  readonly seed: string;
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly strict: boolean;
  readonly requirements: readonly Requirement[];
  /** The user's selection, if it leaves out a part of the suite. Then the run cannot be conformant. */
  readonly selected?: SelectedPart | undefined;
  readonly traces: readonly JudgedTrace[];
  readonly scenarios: readonly Scenario[];
  readonly skipped: readonly SkippedScenario[];
  readonly outcomes: readonly ScenarioOutcome[];
  readonly expected: readonly ExpectedFailure[];
  /** The reason why the target could not be tested at all. */
  readonly unready: string | undefined;
  /** Whether the target could not be started or reached. */
  readonly absent: boolean;
  /** Today, `YYYY-MM-DD`: expected failures expire. */
  readonly today: string;
  /** By requirement: the reason why the kit had no handle on it in this run. */
  readonly handles: { readonly [id: string]: string };
  /** By requirement: the reason why the statement makes it not applicable. */
  readonly excused?: { readonly [id: string]: string };
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** Whether the target crashed. Its output is in the report whatever the verdict. */
  readonly crashed?: boolean;
  readonly targetOutput: readonly string[];
  /** The command that repeats the judging of a requirement. */
  readonly replay: (requirement: string, scenario: string | undefined) => string;
}

/** Makes the report of a run. */
export function reportOf(run: RunFacts): Report {
  const judged = run.requirements.filter((row) => row.excluded === undefined);
  const problems = [...run.problems];
  const outcomes = judged.map((row) => expectation(run, row, outcomeOf(run, row), problems));
  const rows = noteFollowing(outcomes, judged, run.traces);
  const applicable = rows.filter(
    (r) => r.level === 'MUST' && r.verdict !== 'not-applicable' && r.verdict !== 'untestable',
  );
  const must = {
    applicable: applicable.length,
    exercised: applicable.filter((r) => r.exercised > 0).length,
    untestable: rows.filter((r) => r.level === 'MUST' && r.verdict === 'untestable').length,
  };
  const count = (v: Verdict): number =>
    rows.filter((r) => r.verdict === v && r.follows_from === undefined).length;
  if (run.unready !== undefined && !run.interrupted && rows.every((r) => r.verdict !== 'fail'))
    problems.push(run.unready);
  const verdict = overall(run, rows, problems.length > 0, must);
  return {
    wireproof: 'report/1',
    kit: run.kit,
    suite: run.suite,
    revision: run.revision,
    target: run.target,
    drive: run.drive,
    features: [...run.features],
    seed: run.seed,
    duration_ms: Math.round(run.durationMs),
    interrupted: run.interrupted,
    strict: run.strict,
    verdict,
    scope: { drive: run.drive, must, ...(run.selected === undefined ? {} : { selected: run.selected }) },
    counts: Object.fromEntries(verdicts.map((v) => [v, count(v)])) as { [V in Verdict]: number },
    requirements: rows,
    excluded: run.requirements.flatMap(({ id, excluded }) =>
      excluded === undefined ? [] : [{ id, reason: excluded }],
    ),
    scenarios: run.outcomes,
    problems,
    notes: run.notes,
    ...((run.crashed === true || rows.some((r) => r.verdict === 'fail')) && run.targetOutput.length > 0
      ? { target_output: run.targetOutput }
      : {}),
  };
}

function outcomeOf(run: RunFacts, row: Requirement): RequirementOutcome {
  const { id, level, text, source } = row;
  const finds = run.traces.flatMap((trace) => {
    const found = trace.found.get(id);
    return found === undefined ? [] : [{ trace, found }];
  });
  const exercised = finds.reduce((n, { found }) => n + found.exercised, 0);
  const proves = row.directive === 'shim' && run.drive === 'directive' ? { proves: 'shim' as const } : {};
  const base = { id, level, text, source, exercised, ...proves };
  if (row.feature !== undefined && !run.features.has(row.feature)) {
    return {
      ...base,
      exercised: 0,
      verdict: 'not-applicable',
      reason: `the target does not claim ${row.feature}`,
    };
  }
  const excuse = run.excused?.[id];
  if (excuse !== undefined) return { ...base, exercised: 0, verdict: 'not-applicable', reason: excuse };
  const broken = finds.find(({ found }) => found.violations.length > 0);
  if (broken !== undefined && level !== 'MAY') {
    const worst = finds.find(({ found }) => unexpected(run, id, found) !== undefined) ?? broken;
    return failure(run, base, worst.trace, worst.found);
  }
  const reasons = finds.flatMap(({ found }) => found.unknowable ?? []);
  const [unknowable] = reasons;
  const untestable = (reason: string): RequirementOutcome => ({ ...base, verdict: 'untestable', reason });
  // When no trace can show it, the early end of a scenario is not the reason.
  if (unknowable !== undefined && reasons.length === finds.length) return untestable(unknowable);
  const lost = lostWith(run, row);
  if (lost !== undefined) return { ...base, exercised: 0, verdict: 'not-observed', reason: lost };
  if (unknowable !== undefined) return untestable(unknowable);
  if (exercised > 0 && broken === undefined) return { ...base, verdict: 'pass' };
  return { ...base, exercised: 0, ...unexercised(run, row) };
}

/** The first violation that the expected failure does not describe. An expected failure must not hide another one. */
function unexpected(
  run: RunFacts,
  id: string,
  { violations }: RequirementFindings,
): RequirementFindings['violations'][number] | undefined {
  const { message } = run.expected.find((e) => e.id === id) ?? {};
  return message === undefined ? violations[0] : violations.find((v) => !v.message.includes(message));
}

function failure(
  run: RunFacts,
  base: Omit<RequirementOutcome, 'verdict'>,
  trace: JudgedTrace,
  found: RequirementFindings,
): RequirementOutcome {
  const first = unexpected(run, base.id, found) ?? found.violations[0];
  if (first === undefined) return { ...base, verdict: 'error', message: 'a violation without a finding' };
  const seqs = [first.seq, ...(first.also ?? [])];
  return {
    ...base,
    verdict: 'fail',
    message: first.message,
    evidence: seqs.map((seq) => ({ trace: trace.name, seq })),
    excerpt: excerpt(trace.events, first.seq, first.also ?? []),
    replay: run.replay(base.id, scenarioAt(trace.events, Math.min(...seqs))),
  };
}

/**
 * A scenario that is there to show the requirement, and that ended early although the target could have played on. The
 * requirement cannot pass without it, because only that scenario may have met the condition of its sentence.
 */
function lostWith(run: RunFacts, row: Requirement): string | undefined {
  if (run.interrupted) return undefined;
  const showing = new Set(
    run.scenarios.flatMap(({ name, exercises }) => (exercises.includes(row.id) ? [name] : [])),
  );
  const early = run.outcomes.find(
    ({ name, outcome, reason = '' }) =>
      outcome === 'ended-early' && showing.has(name) && !reason.includes('unsupported: '),
  );
  return early === undefined ? undefined : `scenario ${early.name} ended early: ${early.reason ?? ''}`;
}

/** The reason why a requirement was not exercised. */
function unexercised(
  run: RunFacts,
  row: Requirement,
): { readonly verdict: Verdict; readonly reason: string } {
  if (run.unready !== undefined) return { verdict: 'not-observed', reason: run.unready };
  const handle = run.handles[row.id];
  if (handle !== undefined) return { verdict: 'untestable', reason: handle };
  const mine = run.scenarios.filter((s) => s.exercises.includes(row.id));
  const left = run.skipped.filter(({ scenario }) => mine.includes(scenario));
  const tool = left.find(({ because }) => because === 'tool');
  if (tool !== undefined && left.length === mine.length)
    return { verdict: 'not-observed', reason: tool.reason };
  const untraced = left.find(({ because }) => because === 'process');
  if (untraced !== undefined && left.length === mine.length)
    return { verdict: 'untestable', reason: untraced.reason };
  const carrier = left.find(({ because }) => because === 'carrier');
  if (carrier !== undefined && left.length === mine.length)
    return { verdict: 'not-applicable', reason: carrier.reason };
  const model = left.find(({ because }) => because === 'model');
  if (model !== undefined && left.length === mine.length)
    return {
      verdict: 'not-applicable',
      reason: `the statement says nothing of the model: it ${model.reason}`,
    };
  const drive = left.find(({ because }) => because === 'drive');
  if (
    run.drive === 'passive' &&
    (row.directive === 'needed' || (drive !== undefined && left.length === mine.length))
  ) {
    return { verdict: 'untestable', reason: 'needs the directive drive; this target was driven passively' };
  }
  const lacking = left.find(({ because }) => because === 'operation');
  if (lacking !== undefined && left.length === mine.length)
    return { verdict: 'untestable', reason: lacking.reason };
  const played = run.outcomes.filter(({ name }) => mine.some((s) => s.name === name));
  const unsupported = played.find(({ reason }) => reason?.includes('unsupported: ') === true);
  if (unsupported !== undefined) return { verdict: 'untestable', reason: unsupported.reason ?? '' };
  const early = played.find(({ outcome }) => outcome === 'ended-early');
  if (early !== undefined)
    return { verdict: 'not-observed', reason: `scenario ${early.name} ended early: ${early.reason ?? ''}` };
  const notRun = played.find(({ outcome }) => outcome === 'not-run');
  if (notRun !== undefined)
    return { verdict: 'not-observed', reason: notRun.reason ?? 'its scenarios were not run' };
  const [skipped] = left;
  if (skipped !== undefined && left.length === mine.length)
    return { verdict: 'not-observed', reason: `its scenarios were left out: ${skipped.reason}` };
  const refused = played.find(({ outcome, reason }) => outcome === 'done' && reason !== undefined);
  const cause = refused === undefined ? '' : `; in scenario ${refused.name} ${refused.reason ?? ''}`;
  return { verdict: 'not-observed', reason: `it did not come up in what was played${cause}` };
}

/** Compares an outcome with the expected failures of the statement. */
function expectation(
  run: RunFacts,
  row: Requirement,
  outcome: RequirementOutcome,
  problems: string[],
): RequirementOutcome {
  const expected = run.expected.find((e) => e.id === row.id);
  if (expected === undefined) return outcome;
  if (expected.expires !== undefined && expected.expires < run.today) {
    problems.push(`the expected failure of ${row.id} expired on ${expected.expires}: mend it, or renew it`);
    return outcome;
  }
  if (outcome.verdict === 'pass' && expected.known === true) return outcome;
  if (outcome.verdict === 'pass') {
    problems.push(`${row.id} is an expected failure and passes: take it out of the list`);
    return outcome;
  }
  if (outcome.verdict !== 'fail') return outcome;
  if (expected.message !== undefined && outcome.message?.includes(expected.message) !== true) {
    if (expected.known === true) return outcome;
    problems.push(
      `${row.id} fails in another way than expected: expected a message with ${JSON.stringify(expected.message)}`,
    );
    return outcome;
  }
  const { reason, issue } = expected;
  return { ...outcome, expected_failure: issue === undefined ? { reason } : { reason, issue } };
}

function overall(
  run: RunFacts,
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
  const missing = must.exercised < must.applicable || (must.untestable > 0 && !run.driveNamed);
  if (run.interrupted || !passed || missing) return 'inconclusive';
  return run.selected === undefined ? 'conformant' : 'partial';
}
