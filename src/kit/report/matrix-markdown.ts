/** Reports side by side as GitHub-flavoured markdown. */
import { markdownText } from './escape.ts';
import { cellWords, totals } from './matrix.ts';
import type { MatrixSection } from './matrix.ts';
import { verdictLine } from './verdict.ts';

const long = { limit: 2000 } as const;

/** A table for each section, with a final line feed. No text in it becomes markup, a link or a mention. */
export const markdownMatrix = (sections: readonly MatrixSection[]): string =>
  sections.flatMap(section).join('\n\n') + '\n';

const section = ({ suite, revision, columns, rows }: MatrixSection): readonly string[] => [
  `## ${markdownText(suite)}, revision ${markdownText(revision)}`,
  table([
    ['Requirement', 'Level', ...columns.map(({ report }) => markdownText(report.target))],
    ['---', '---', ...columns.map(() => '---')],
    ...rows.map(({ id, level, cells }) => [markdownText(id), level, ...cells.map(cell)]),
    ['**Totals**', '', ...columns.map(({ report }) => totals(report))],
  ]),
  columns
    .map(
      ({ name, report }) =>
        `- ${markdownText(report.target)} (${markdownText(name)}): ${markdownText(verdictLine(report), long)}`,
    )
    .join('\n'),
];

const cell = (row: Parameters<typeof cellWords>[0]): string => cellWords(row).slice(0, 2).join(' ').trim();

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
