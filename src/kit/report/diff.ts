/** The differences of two reports of one suite: what became worse, what became better, what is new and what is gone. */
import type { Level, OverallVerdict, Report, RequirementOutcome, Verdict } from '../base/index.ts';
import { quietJson } from '../base/index.ts';
import { neutraliseCommands, visible } from './escape.ts';
import { verdictLine } from './verdict.ts';
import { count } from './words.ts';

/** The verdict of a requirement; `expected` is a failure that the statement lists. */
export type RowState = Verdict | 'expected';

/** A requirement that differs. */
export interface RowDifference {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Absent: the requirement is new. */
  readonly old?: RowState;
  /** Absent: the requirement is gone. */
  readonly new?: RowState;
  /** What came, or why it was not judged, in the report that has it last. */
  readonly reason?: string;
}

export interface ComparedReport {
  readonly target: string;
  readonly revision: string;
  readonly kit: string;
  readonly verdict: OverallVerdict;
  readonly interrupted: boolean;
  readonly verdict_line: string;
}

/** The differences of two reports, as `--json` writes them. */
export interface ReportDiff {
  readonly wireproof: 'report-diff/1';
  readonly suite: string;
  readonly old: ComparedReport;
  readonly new: ComparedReport;
  /** Whether a requirement or the verdict of the run became worse. */
  readonly became_worse: boolean;
  /** A failure that was none, or a requirement that passed and does not pass any more. */
  readonly worse: readonly RowDifference[];
  /** A requirement that passes and did not pass. */
  readonly better: readonly RowDifference[];
  /** Other differences, such as a failure that was not put to the test again. */
  readonly changed: readonly RowDifference[];
  readonly added: readonly RowDifference[];
  readonly gone: readonly RowDifference[];
}

/**
 * Compares two reports of one suite. Requirements that only one of them has are no better and no worse.
 *
 * @example
 * import { mixed, passing } from './sample.test-helper.ts';
 *
 * diffReports(passing, mixed).worse.map(({ id }) => id); // ['FOLD-A15', 'FOLD-A27', 'FOLD-A30', 'FOLD-A43', 'FOLD-A31', 'FOLD-A32', 'FOLD-A40', 'FOLD-A41']
 */
export const diffReports = (old: Report, now: Report): ReportDiff => {
  const before = new Map(old.requirements.map((row) => [row.id, row]));
  const after = new Set(now.requirements.map(({ id }) => id));
  const both = now.requirements.flatMap((row) => {
    const was = before.get(row.id);
    return was === undefined || stateOf(was) === stateOf(row) ? [] : [{ was, row }];
  });
  const differing = (kind: Kind): readonly RowDifference[] =>
    both.filter(({ was, row }) => kindOf(stateOf(was), stateOf(row)) === kind).map(difference);
  const worse = differing('worse');
  return {
    wireproof: 'report-diff/1',
    suite: now.suite,
    old: compared(old),
    new: compared(now),
    became_worse: worse.length > 0 || weight(now) < weight(old),
    worse,
    better: differing('better'),
    changed: differing('changed'),
    added: now.requirements.filter(({ id }) => !before.has(id)).map((row) => difference({ row })),
    gone: old.requirements.filter(({ id }) => !after.has(id)).map((was) => difference({ was })),
  };
};

const stateOf = ({ verdict, expected_failure: expected }: RequirementOutcome): RowState =>
  verdict === 'fail' && expected !== undefined ? 'expected' : verdict;

type Kind = 'worse' | 'better' | 'changed';

/** A requirement that passed has lost something, whatever it is now. One that failed has gained only when it passes. */
const kindOf = (was: RowState, is: RowState): Kind => {
  if (is === 'pass') return 'better';
  if (was === 'pass') return 'worse';
  const failed = is === 'fail' || is === 'error';
  return failed && was !== 'fail' && was !== 'error' ? 'worse' : 'changed';
};

/** The verdict of a run as a number: the higher, the better. An interrupted run has none. */
const weight = ({ verdict, interrupted }: Report): number => {
  if (verdict === 'conformant' || verdict === 'partial') return interrupted ? 2 : 3;
  return { inconclusive: 2, 'not-conformant': 1, error: 0 }[verdict];
};

const difference = ({
  was,
  row,
}: {
  readonly was?: RequirementOutcome;
  readonly row?: RequirementOutcome;
}): RowDifference => {
  const last = row ?? was;
  const reason = last?.message ?? last?.reason;
  return {
    id: last?.id ?? '',
    level: last?.level ?? 'MUST',
    text: last?.text ?? '',
    ...(was === undefined ? {} : { old: stateOf(was) }),
    ...(row === undefined ? {} : { new: stateOf(row) }),
    ...(reason === undefined ? {} : { reason }),
  };
};

const compared = (report: Report): ComparedReport => {
  const { target, revision, kit, verdict, interrupted } = report;
  return { target, revision, kit, verdict, interrupted, verdict_line: verdictLine(report) };
};

/** The differences as JSON with a final line feed (spec/formats/report-diff.schema.json). */
export const jsonDiff = (diff: ReportDiff): string => `${quietJson(JSON.stringify(diff, null, 2))}\n`;

const sections = [
  ['worse', 'became worse'],
  ['better', 'became better'],
  ['changed', 'changed'],
  ['added', 'new'],
  ['gone', 'gone'],
] as const;

const words: { readonly [S in RowState]: string } = {
  pass: 'pass',
  fail: 'FAIL',
  expected: 'fail, expected',
  'not-observed': 'not observed',
  'not-applicable': 'not applicable',
  untestable: 'untestable',
  error: 'ERROR',
};

/** The differences for people, with a final line feed. The last line says whether something became worse. */
export const consoleDiff = (diff: ReportDiff): string => {
  const blocks = [
    [`${visible(diff.suite)}: ${asLine(diff.old)}`, `${' '.repeat(diff.suite.length)}→ ${asLine(diff.new)}`],
    ...sections.map(([key, title]) =>
      diff[key].length === 0 ? [] : [title, ...diff[key].flatMap((row) => rowLines(row))],
    ),
    [`old  ${diff.old.verdict_line}`, `new  ${diff.new.verdict_line}`],
    [summary(diff)],
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return neutraliseCommands(`${text.join('\n\n')}\n`);
};

const asLine = ({ target, revision, kit }: ComparedReport): string =>
  `${visible(target)}, revision ${visible(revision)}, wireproof ${visible(kit)}`;

const rowLines = ({ id, level, text, reason, ...row }: RowDifference): readonly string[] => {
  const { old, new: now } = row;
  const states = [old, now].flatMap((state) => (state === undefined ? [] : [words[state]]));
  return [
    `  ${visible(id)} ${level}  ${states.join(' → ')}`,
    `    ${visible(text)}`,
    ...(reason === undefined ? [] : [`    ${visible(reason)}`]),
  ];
};

const summary = (diff: ReportDiff): string => {
  const numbers = sections
    .filter(([key]) => diff[key].length > 0)
    .map(([key, title]) => `${count(diff[key].length, 'requirement')} ${title}`);
  const rows = numbers.length === 0 ? 'no requirement differs' : numbers.join(', ');
  if (!diff.became_worse) return `nothing became worse: ${rows}`;
  return diff.worse.length > 0 ? `worse: ${rows}` : `worse: the verdict of the run; ${rows}`;
};
