/** The report as JUnit XML for CI dashboards: a testsuite for the suite, a testcase for each requirement. */
import type { Report, RequirementOutcome } from '../base/index.ts';
import { comparisonLines } from './comparison.ts';
import { xmlAttribute, xmlText } from './escape.ts';
import { pairLine, tellsMore } from './grid.ts';
import type { Failures } from './verdict.ts';
import { failuresOf, verdictLine } from './verdict.ts';
import { cause, evidenceLine, expectation, sourceLine } from './words.ts';

/**
 * The report as JUnit XML with a final line feed, well-formed for every text. A requirement that was not exercised is
 * `skipped`. A violated SHOULD of a run that was not strict is a note in `system-out`. A run that is not conformant for
 * a reason besides requirements gets its own testcase, so that no dashboard is green.
 */
export const junitReport = (report: Report): string => {
  const failures = failuresOf(report);
  const cases = report.requirements.map((row) => requirementCase(report, row, failures));
  const line = verdictLine(report);
  const pairs = tellsMore(report.grid) ? report.grid.cells.map(pairLine) : [];
  const own = runCase(report, cases, line);
  const all = own === undefined ? cases : [...cases, own];
  const tally = (kind: Outcome['kind']): number => all.filter(({ outcome }) => outcome.kind === kind).length;
  const totals =
    `tests="${all.length}" failures="${tally('failure')}" errors="${tally('error')}" ` +
    `skipped="${tally('skipped')}" time="${report.duration_ms / 1000}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wireproof" ${totals}>`,
    `  <testsuite name="${xmlAttribute(report.suite)}" ${totals}>`,
    ...properties(report, line),
    ...all.map(writeCase),
    writeOutput('system-out', [line, ...pairs, ...report.problems, ...report.notes]),
    writeOutput('system-err', report.target_output ?? []),
    '  </testsuite>',
    '</testsuites>\n',
  ]
    .filter((part) => part !== '')
    .join('\n');
};

interface Outcome {
  readonly kind: 'passed' | 'skipped' | 'failure' | 'error';
  readonly type?: string;
  readonly message?: string;
}

interface Case {
  readonly className: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** Lines for a person, shown with the outcome. */
  readonly details: readonly string[];
}

/** The limit for verdicts, messages and replay commands, which are longer than other texts. */
const longLimit = 2000;

const requirementCase = (report: Report, row: RequirementOutcome, failures: Failures): Case => ({
  className: report.suite,
  name: `${row.id} ${row.text}`,
  outcome: outcomeOf(row, failures),
  details: row.verdict === 'fail' || row.verdict === 'error' ? details(row, failures) : [],
});

const outcomeOf = (row: RequirementOutcome, failures: Failures): Outcome => {
  switch (row.verdict) {
    case 'pass':
      return { kind: 'passed' };
    case 'fail':
      if (row.expected_failure !== undefined) {
        return { kind: 'skipped', message: `expected failure: ${expectation(row)}` };
      }
      if (row.follows_from !== undefined) return { kind: 'skipped', message: cause(row) };
      if (failures.tolerated.includes(row)) return { kind: 'passed' };
      return { kind: 'failure', type: row.level, message: row.message ?? row.text };
    case 'error':
      return { kind: 'error', type: 'kit', message: row.message ?? row.reason ?? 'the kit failed' };
    case 'not-observed':
    case 'not-applicable':
    case 'untestable':
      return { kind: 'skipped', message: `${row.verdict}: ${row.reason ?? 'no reason given'}` };
  }
};

const details = (row: RequirementOutcome, { tolerated }: Failures): readonly string[] => {
  const evidence = evidenceLine(row);
  return [
    ...(tolerated.includes(row) ? [`${row.level} violated, not fatal`] : []),
    row.text,
    sourceLine(row.source),
    ...(row.message === undefined ? [] : [row.message]),
    ...(row.comparison === undefined ? [] : comparisonLines(row.comparison)),
    ...(row.excerpt ?? []),
    ...(evidence === '' ? [] : [`at ${evidence}`]),
    ...(row.replay === undefined ? [] : [`again: ${row.replay}`]),
  ];
};

const runCase = (report: Report, cases: readonly Case[], line: string): Case | undefined => {
  const isBad = report.interrupted || report.verdict === 'not-conformant' || report.verdict === 'error';
  if (!isBad || cases.some(({ outcome }) => outcome.kind === 'failure' || outcome.kind === 'error')) {
    return undefined;
  }
  const isFailure = report.verdict === 'not-conformant';
  return {
    className: report.suite,
    name: 'the run as a whole',
    outcome: { kind: isFailure ? 'failure' : 'error', type: 'run', message: line },
    details: report.problems,
  };
};

const properties = (report: Report, line: string): readonly string[] => {
  const { kit, revision, target, drive, seed, interrupted } = report;
  const pairs = {
    kit,
    revision,
    target,
    drive,
    seed,
    interrupted: String(interrupted),
    verdict: line,
  };
  return [
    '    <properties>',
    ...Object.entries(pairs).map(
      ([name, value]) => `      <property name="${name}" value="${xmlAttribute(value, longLimit)}"/>`,
    ),
    '    </properties>',
  ];
};

/** Each line is escaped separately, so that a text cannot add lines. */
const writeLines = (lines: readonly string[]): string =>
  lines.map((line) => xmlText(line, { limit: longLimit })).join('\n');

const writeCase = ({ className, name, outcome, details: lines }: Case): string => {
  const open = `    <testcase classname="${xmlAttribute(className)}" name="${xmlAttribute(name)}" time="0"`;
  if (outcome.kind === 'passed' && lines.length === 0) return `${open}/>`;
  const type = outcome.type === undefined ? '' : ` type="${xmlAttribute(outcome.type)}"`;
  const message = `message="${xmlAttribute(outcome.message ?? '', longLimit)}"`;
  const isSkipped = outcome.kind === 'skipped';
  const body = [
    `${open}>`,
    isSkipped ? `      <skipped ${message}/>` : '',
    outcome.kind === 'failure' || outcome.kind === 'error'
      ? `      <${outcome.kind} ${message}${type}>${writeLines(lines)}</${outcome.kind}>`
      : '',
    (isSkipped || outcome.kind === 'passed') && lines.length > 0
      ? `      <system-out>${writeLines(lines)}</system-out>`
      : '',
    '    </testcase>',
  ];
  return body.filter((part) => part !== '').join('\n');
};

const writeOutput = (element: 'system-out' | 'system-err', lines: readonly string[]): string =>
  lines.length === 0 ? '' : `    <${element}>${writeLines(lines)}</${element}>`;
