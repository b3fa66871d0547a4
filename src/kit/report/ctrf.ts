/** The report as CTRF (Common Test Report Format, ctrf.io) for dashboards: a test for each requirement. */
import type { Report, RequirementOutcome } from '../base/index.ts';
import { quietJson } from '../base/index.ts';
import { comparisonLines } from './comparison.ts';
import { visible } from './escape.ts';
import type { ReportOptions } from './options.ts';
import type { Failures } from './verdict.ts';
import { failuresOf, verdictLine } from './verdict.ts';
import { cause, evidenceLine, expectation, sourceLine } from './words.ts';

/** The version of the format (npm package `ctrf`, ctrf-schema-0.0.json). */
const specVersion = '0.0.0';

const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const;

type Status = (typeof statuses)[number];

interface Test {
  readonly name: string;
  readonly status: Status;
  readonly duration: number;
  readonly suite: readonly string[];
  readonly testId?: string;
  readonly rawStatus?: string;
  readonly message?: string;
  readonly trace?: string;
  readonly tags?: readonly string[];
}

/**
 * The report as CTRF JSON with a final line feed. A test is `failed` only for a violation that makes the run not
 * conformant, so that no dashboard is red where the exit code is 0. A violation that is not fatal, is expected or follows
 * from another one is `other`. A requirement that was not observed is `pending`, one that the run could not or need not
 * judge is `skipped`. A run without a verdict gets a test of its own.
 */
export const ctrfReport = (report: Report, { now }: ReportOptions): string => {
  const failures = failuresOf(report);
  const rows = report.requirements.map((row) => testOf(report, row, failures));
  const tests = [...rows, ...runTest(report, rows)];
  const counts = Object.fromEntries(
    statuses.map((status) => [status, tests.filter((test) => test.status === status).length]),
  );
  const duration = Math.round(report.duration_ms);
  const stop = now ?? duration;
  const { kit, suite, target, revision, drive, seed, verdict, shard, grid } = report;
  const document = {
    reportFormat: 'CTRF',
    specVersion,
    generatedBy: 'wireproof',
    results: {
      tool: { name: 'wireproof', version: kit },
      summary: { tests: tests.length, ...counts, start: stop - duration, stop, duration },
      tests,
      environment: {
        appName: visible(target),
        testEnvironment: visible(drive),
        healthy: isHealthy(report),
        ...(shard === undefined ? {} : { shardId: `${shard.part}/${shard.of}` }),
      },
      extra: {
        suite,
        revision,
        seed,
        verdict,
        verdict_line: verdictLine(report),
        ...(grid === undefined ? {} : { grid }),
      },
    },
  };
  return `${quietJson(JSON.stringify(document, null, 2))}\n`;
};

const isHealthy = ({ verdict, interrupted }: Report): boolean =>
  !interrupted && (verdict === 'conformant' || verdict === 'partial');

const testOf = (report: Report, row: RequirementOutcome, failures: Failures): Test => {
  const { status, message } = outcomeOf(row, failures);
  const trace = row.verdict === 'fail' || row.verdict === 'error' ? traceOf(row) : '';
  return {
    name: visible(`${row.id} ${row.text}`),
    status,
    duration: 0,
    suite: [visible(report.suite)],
    ...(row.id === '' ? {} : { testId: visible(row.id) }),
    rawStatus: row.verdict,
    ...(message === undefined ? {} : { message: visible(message, long) }),
    ...(trace === '' ? {} : { trace }),
    tags: [row.level],
  };
};

/** The limit for messages and commands, which are longer than other texts. */
const long = { limit: 2000 } as const;

const outcomeOf = (
  row: RequirementOutcome,
  failures: Failures,
): { readonly status: Status; readonly message?: string | undefined } => {
  switch (row.verdict) {
    case 'pass':
      return { status: 'passed' };
    case 'fail':
      if (failures.expected.includes(row)) {
        return { status: 'other', message: `expected failure: ${expectation(row)}` };
      }
      if (failures.following.includes(row)) return { status: 'other', message: cause(row) };
      if (failures.tolerated.includes(row)) {
        return { status: 'other', message: `${row.level} violated, not fatal: ${row.message ?? ''}` };
      }
      return { status: 'failed', message: row.message ?? row.text };
    case 'error':
      return { status: 'failed', message: row.message ?? row.reason ?? 'the kit failed' };
    case 'not-observed':
      return { status: 'pending', message: row.reason };
    case 'not-applicable':
    case 'untestable':
      return { status: 'skipped', message: `${row.verdict}: ${row.reason ?? 'no reason given'}` };
    default:
      return row.verdict satisfies never;
  }
};

/** The source, the wire events and the command that repeats it. */
const traceOf = (row: RequirementOutcome): string => {
  const evidence = evidenceLine(row);
  const lines = [
    sourceLine(row.source),
    ...(row.comparison === undefined ? [] : comparisonLines(row.comparison)),
    ...(row.excerpt ?? []),
    ...(evidence === '' ? [] : [`at ${evidence}`]),
    ...(row.replay === undefined ? [] : [`again: ${row.replay}`]),
  ];
  return lines.map((line) => visible(line, long)).join('\n');
};

/** A test for a run that is not conformant, or has no verdict, for another reason than its requirements. */
const runTest = (report: Report, rows: readonly Test[]): readonly Test[] => {
  const isOpen = report.verdict === 'inconclusive' && !report.interrupted;
  const isBad = report.interrupted || report.verdict === 'not-conformant' || report.verdict === 'error';
  if (!isOpen && (!isBad || rows.some(({ status }) => status === 'failed'))) return [];
  return [
    {
      name: 'the run as a whole',
      status: isOpen ? 'pending' : 'failed',
      duration: Math.round(report.duration_ms),
      suite: [visible(report.suite)],
      rawStatus: report.verdict,
      message: [verdictLine(report), ...report.problems.map((text) => visible(text, long))].join('\n'),
    },
  ];
};
