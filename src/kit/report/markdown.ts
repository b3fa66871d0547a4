/** The report for a CI job summary or a comment, in GitHub-flavoured markdown. */
import type { Comparison, Report, RequirementOutcome, Verdict } from '../base/index.ts';
import { verdicts } from '../base/index.ts';
import { absentPart, comparedMessages, lawful } from './comparison.ts';
import { markdownFence, markdownText } from './escape.ts';
import { gridRows, tellsMore } from './grid.ts';
import { failuresOf, verdictLine } from './verdict.ts';
import {
  cause,
  count,
  duration,
  evidenceLine,
  expectation,
  idList,
  requirementGroups,
  sourceLine,
} from './words.ts';

/**
 * The report as markdown with a final line feed: the verdict with its scope, the violations with folded wire events,
 * the requirements that were not exercised with the reasons, and the counts. No text in it becomes markup, a link or a
 * mention.
 */
export const markdownReport = (report: Report): string =>
  [
    ...heading(report),
    ...violations(report),
    ...pairs(report),
    ...unexercised(report),
    ...numbers(report),
    ...remarks(report),
    ...targetOutput(report),
  ].join('\n\n') + '\n';

/** The head of the markdown report, and its numbers: for a reader that takes no long text. */
export const shortMarkdownReport = (report: Report): string =>
  [
    ...heading(report),
    'The report is too long to be shown here. Write it to a file, such as `--report markdown=report.md`.',
    ...numbers(report),
  ].join('\n\n') + '\n';

/** The number of violations that are shown in full; a job summary may hold 1 MiB. */
const detailLimit = 20;
/** The number of lines of the target's output that are shown. */
const outputLines = 50;

const long = { limit: 2000 };

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const heading = (report: Report): readonly string[] => [
  `## Wireproof: ${markdownText(report.suite)}`,
  `**${markdownText(verdictLine(report), long)}**`,
  `Target ${markdownText(report.target)}, revision ${markdownText(report.revision)}, ` +
    `${markdownText(report.drive)} drive, ` +
    `${report.features.length === 0 ? '' : `features ${markdownText(report.features.join(', '))}, `}seed ${markdownText(report.seed)}, ` +
    `${duration(report.duration_ms)}, wireproof ${markdownText(report.kit)}.`,
];

const violations = (report: Report): readonly string[] => {
  const { fatal, tolerated } = failuresOf(report);
  const errors = report.requirements.filter((row) => row.verdict === 'error');
  const rows = [...fatal, ...tolerated, ...errors];
  if (rows.length === 0) return [];
  const told = rows.filter(({ excerpt, replay, comparison }) =>
    [excerpt, replay, comparison].some((one) => one !== undefined),
  );
  const remaining = told.length - detailLimit;
  return [
    '### Violations',
    table(
      ['Requirement', 'Level', 'What it says', 'What came'],
      rows.map((row) => [
        markdownText(row.id),
        level(row, tolerated),
        `${markdownText(row.text)}<br>${markdownText(sourceLine(row.source))}`,
        markdownText(row.message ?? row.reason ?? ''),
      ]),
    ),
    ...told.slice(0, detailLimit).map(details),
    ...(remaining > 0 ? [`${count(remaining, 'more is', 'more are')} told in the JSON report.`] : []),
  ];
};

const level = (row: RequirementOutcome, tolerated: readonly RequirementOutcome[]): string => {
  if (row.verdict === 'error') return `${row.level}, the kit failed`;
  return tolerated.includes(row) ? `${row.level}, not fatal` : row.level;
};

const details = (row: RequirementOutcome): string => {
  const evidence = evidenceLine(row);
  return [
    `<details><summary>${markdownText(row.id)} on the wire</summary>`,
    ...(row.comparison === undefined ? [] : compared(row.comparison)),
    ...(row.excerpt === undefined ? [] : [markdownFence(row.excerpt)]),
    ...(evidence === '' ? [] : [`At ${markdownText(evidence)}.`]),
    ...(row.replay === undefined ? [] : [`Again:\n\n${markdownFence([row.replay], Infinity)}`]),
    '</details>',
  ].join('\n\n');
};

/** The two messages side by side; the part that differs is the first row, in bold. */
const compared = (comparison: Comparison): readonly string[] => {
  const { came, became, parts } = comparedMessages(comparison);
  const due = lawful(comparison);
  const cell = (text: string): string => markdownText(text === '' ? absentPart : text);
  return [
    table(
      ['', markdownText(came), markdownText(became)],
      parts.map((part) => [
        part.differs ? `**${markdownText(part.name)}**` : markdownText(part.name),
        cell(part.came),
        cell(part.became),
      ]),
    ),
    ...(due === undefined ? [] : [`${due[0]} ${markdownText(due[1], long)}`]),
  ];
};

/** The verdict of each pair, with the ids behind it. */
const pairs = ({ grid }: Report): readonly string[] => {
  if (!tellsMore(grid)) return [];
  const name = `${markdownText(grid.rows.name)} × ${markdownText(grid.columns.name)}`;
  const rows = gridRows(grid).map((row) => [
    markdownText(row.name),
    ...row.cells.map(({ sign, text, ids }) => {
      const listed = ids.length === 0 ? '' : `<br>${markdownText(idList(ids, idsInCell), long)}`;
      return `${sign} ${text}${listed}`.trim();
    }),
  ]);
  return ['### Pairs', table([name, ...grid.columns.values.map((value) => markdownText(value))], rows)];
};

/** The most ranges of ids that a cell of a table has. */
const idsInCell = 12;

const unexercised = (report: Report): readonly string[] => {
  const rows = (['not-observed', 'untestable', 'not-applicable'] as const).flatMap((verdict) =>
    requirementGroups(report, verdict).map(({ reason, names }) => [
      verdict,
      markdownText(reason),
      markdownText(idList(names), { limit: Infinity }),
    ]),
  );
  return rows.length === 0 ? [] : ['### Not exercised', table(['Verdict', 'Why', 'Requirements'], rows)];
};

const numbers = (report: Report): readonly string[] => {
  const cell = (rows: readonly RequirementOutcome[], verdict: Verdict): string =>
    String(rows.filter((row) => row.verdict === verdict && row.follows_from === undefined).length);
  const lines = (['MUST', 'SHOULD', 'MAY'] as const)
    .map((name) => ({ name, rows: report.requirements.filter((row) => row.level === name) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows }) => [name, ...verdicts.map((verdict) => cell(rows, verdict))]);
  return lines.length === 0 ? [] : ['### Numbers', table(['Level', ...verdicts], lines)];
};

const remarks = (report: Report): readonly string[] => {
  const lines = [
    ...failuresOf(report).expected.map(
      (row) => `- ${markdownText(row.id)} failed as expected: ${markdownText(expectation(row))}`,
    ),
    ...failuresOf(report).following.map((row) => `- ${markdownText(row.id)} ${markdownText(cause(row))}`),
    ...failuresOf(report).unlike.map(
      (row) => `- ${markdownText(row.id)} ${row.level}: ${markdownText(row.message ?? '')}`,
    ),
    ...report.problems.map((text) => `- Problem: ${markdownText(text)}`),
    ...report.notes.map((text) => `- Note: ${markdownText(text)}`),
    ...(report.excluded.length === 0
      ? []
      : [`- Excluded: ${markdownText(idList(report.excluded.map(({ id }) => id)), long)}`]),
  ];
  return lines.length === 0 ? [] : ['### Remarks', lines.join('\n')];
};

const targetOutput = (report: Report): readonly string[] => {
  const lines = (report.target_output ?? []).slice(-outputLines);
  if (lines.length === 0 || report.verdict === 'conformant') return [];
  return [
    `<details><summary>The last output of the target</summary>\n\n${markdownFence(lines)}\n\n</details>`,
  ];
};
