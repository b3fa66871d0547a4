/** Reports side by side: a section for each suite and revision, a row for each requirement, a column for each report. */
import type { Level, Report, RequirementOutcome, Verdict } from '../base/index.ts';
import { verdicts } from '../base/index.ts';

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A requirement in all reports of a section. */
export interface MatrixRow {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** One a column; undefined: the report does not have the requirement. */
  readonly cells: readonly (RequirementOutcome | undefined)[];
}

/** The reports of one suite and revision. */
export interface MatrixSection {
  readonly suite: string;
  readonly revision: string;
  readonly columns: readonly NamedReport[];
  readonly rows: readonly MatrixRow[];
}

/** Puts reports side by side. Sections and rows come in the order in which the reports first show them. */
export const matrixOf = (reports: readonly NamedReport[]): readonly MatrixSection[] => {
  const sections = new Map<string, NamedReport[]>();
  for (const one of reports) {
    const key = JSON.stringify([one.report.suite, one.report.revision]);
    const section = sections.get(key);
    if (section === undefined) sections.set(key, [one]);
    else section.push(one);
  }
  return [...sections.values()].flatMap((columns) => {
    const [first] = columns;
    if (first === undefined) return [];
    const { suite, revision } = first.report;
    return [{ suite, revision, columns, rows: rowsOf(columns) }];
  });
};

const rowsOf = (columns: readonly NamedReport[]): readonly MatrixRow[] => {
  const byId = columns.map(({ report }) => new Map(report.requirements.map((row) => [row.id, row] as const)));
  const all = new Map(
    columns
      .toReversed()
      .flatMap(({ report }) => report.requirements)
      .map((row) => [row.id, row]),
  );
  const ids = new Set(columns.flatMap(({ report }) => report.requirements.map(({ id }) => id)));
  return [...ids].flatMap((id) => {
    const row = all.get(id);
    if (row === undefined) return [];
    return [{ id, level: row.level, text: row.text, cells: byId.map((rows) => rows.get(id)) }];
  });
};

/** The sign and the word of a cell: neither colour nor sign alone tells the verdict. */
export const cellWords = (
  row: RequirementOutcome | undefined,
): readonly [sign: string, word: string, kind: Verdict | 'expected' | 'absent'] => {
  if (row === undefined) return ['', 'not in the report', 'absent'];
  if (row.verdict === 'fail' && row.expected_failure !== undefined)
    return ['✗', 'fail, expected', 'expected'];
  const word = row.verdict === 'fail' && row.follows_from !== undefined ? 'fail, follows' : row.verdict;
  return [signs[row.verdict], word.replaceAll('-', ' '), row.verdict];
};

const signs: { readonly [V in Verdict]: string } = {
  pass: '✓',
  fail: '✗',
  'not-observed': '?',
  'not-applicable': '–',
  untestable: '∅',
  error: '!',
};

/** The totals of a report: the number of requirements with each verdict, without verdicts that none has. */
export const totals = ({ counts }: Report): string =>
  verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict.replaceAll('-', ' ')}`)
    .join(', ');
