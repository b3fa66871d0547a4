/** spec/llm/SERVER-MUTATIONS.md: its second part, and tables of Markdown. */

/** The heading of the second part. `npm run sdks` writes what follows it. */
export const everyMember = '## Every member of every unit\n';

/** A table of Markdown with columns of equal width. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join(
    '\n',
  );
}
