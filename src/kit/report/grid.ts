/** The grid of a report in words: the verdict of each pair. */
import type { Grid, GridCell } from '../base/index.ts';
import { visible } from './escape.ts';
import { idList } from './words.ts';

/** The words of a cell: its sign, its verdict in short, and its ids. Neither colour nor sign alone tells the verdict. */
export interface CellWords {
  readonly sign: string;
  readonly text: string;
  /** The requirements that the text counts. */
  readonly ids: readonly string[];
  readonly kind: GridCell['verdict'] | 'absent';
}

/** A verdict without a failure that counts, and the number of the failures that do not. */
const withTolerated = (words: string, failed: readonly string[]): string =>
  failed.length === 0 ? words : `${words}, ${failed.length} not fatal`;

/** The words of a cell; undefined: the pair is not served. */
export function gridCellWords(cell: GridCell | undefined): CellWords {
  if (cell === undefined) return { sign: '–', text: '', ids: [], kind: 'absent' };
  const { verdict: kind, failed, missing } = cell;
  if (kind === 'fail') return { sign: '✗', text: `${failed.length} failed`, ids: failed, kind };
  if (kind === 'not-observed') {
    const open = missing.length === 0 ? 'not observed' : `${missing.length} not observed`;
    return { sign: '?', text: withTolerated(open, failed), ids: [...missing, ...failed], kind };
  }
  const text = withTolerated('pass', failed);
  return { sign: '✓', text, ids: failed, kind };
}

/** The cells of each row, in the order of the columns. */
export function gridRows({
  rows,
  columns,
  cells,
}: Grid): readonly { readonly name: string; readonly cells: readonly CellWords[] }[] {
  const byPlace = new Map(cells.map((cell) => [JSON.stringify([cell.row, cell.column]), cell]));
  return rows.values.map((name) => ({
    name,
    cells: columns.values.map((column) => gridCellWords(byPlace.get(JSON.stringify([name, column])))),
  }));
}

/** The most ranges of ids of a cell that a line has. */
const idsShown = 12;

/** A pair in a line, escaped: its choices, its verdict and its ids. */
export function pairLine(cell: GridCell): string {
  const { text, ids } = gridCellWords(cell);
  return `${pairName(cell)}: ${text}${ids.length === 0 ? '' : `: ${idList(ids, idsShown)}`}`;
}

/** A line for each pair with ids, escaped. */
export const gridLines = ({ cells }: Grid): readonly string[] =>
  cells.filter((cell) => gridCellWords(cell).ids.length > 0).map(pairLine);

/** The names of both choices, escaped. */
export const pairName = ({ row, column }: Pick<GridCell, 'row' | 'column'>): string =>
  `${visible(row)} × ${visible(column)}`;

/** Whether a grid says more than the report without it: a single pair is the report. */
export const tellsMore = (grid: Grid | undefined): grid is Grid =>
  grid !== undefined && grid.cells.length > 1;
