/** The grid of a report on a terminal: a table where it fits, and the ids of each pair below. */
import type { Page } from './console-page.ts';
import { labelWidth, labelled, plain } from './console-page.ts';
import { visible } from './escape.ts';
import { gridCellWords, gridLines, gridRows, pairName, tellsMore } from './grid.ts';
import type { CellWords } from './grid.ts';
import type { Paint } from './wrap.ts';

/** The verdict of each pair; empty where the suite has no pairs, or one. */
export function gridBlock(page: Page): readonly string[] {
  const { grid } = page.report;
  if (!tellsMore(grid)) return [];
  const rows = gridRows(grid);
  const titles = [`${grid.rows.name} × ${grid.columns.name}`, ...grid.columns.values].map((text) =>
    visible(text),
  );
  const table = rows.map(({ name, cells }) => [
    { text: visible(name), paint: plain },
    ...cells.map(painted(page)),
  ]);
  const widths = titles.map(
    (title, i) => Math.max(title.length, ...table.map((line) => line[i]?.text.length ?? 0)) + 2,
  );
  const fits = widths.reduce((sum, width) => sum + width, 0) <= page.width + 2;
  const lines = [
    titles.map((title, i) => title.padEnd(widths[i] ?? 0)).join(''),
    ...table.map((line) => line.map(({ text, paint }, i) => paint(text.padEnd(widths[i] ?? 0))).join('')),
  ];
  return [
    ...(fits ? lines.map((line) => line.trimEnd()) : pairList(page)),
    ...gridLines(grid).flatMap((line) => labelled(page, '', line, plain)),
  ];
}

/** Each pair on a line of its own, for narrow terminals. */
const pairList = (page: Page): readonly string[] =>
  (page.report.grid?.cells ?? []).map((cell) => {
    const shown = painted(page)(gridCellWords(cell));
    return `${shown.paint(shown.text.padEnd(labelWidth))}  ${pairName(cell)}`;
  });

const painted =
  ({ paint }: Page) =>
  ({ sign, text, kind }: CellWords): { readonly text: string; readonly paint: Paint } => {
    const colours: { readonly [K in CellWords['kind']]: Paint } = {
      pass: paint.green,
      fail: paint.red,
      'not-observed': paint.yellow,
      absent: paint.dim,
    };
    return { text: `${sign} ${text}`.trim(), paint: colours[kind] };
  };
