/** The verdict of each pair as a table; the ids in it lead to the rows of the requirements. */
import type { Report } from '../../base/index.ts';
import { gridRows, tellsMore } from '../grid.ts';
import type { CellWords } from '../grid.ts';
import { join, rowAnchor, t } from './text.ts';

/** The most ids that a cell lists. */
const idsShown = 24;

/** The grid; empty where the suite has no pairs, or one. */
export function gridSection({ grid, requirements }: Report): string {
  if (!tellsMore(grid)) return '';
  const anchors = new Map(requirements.map(({ id }, i) => [id, rowAnchor(id, i)]));
  const link = (id: string): string => {
    const anchor = anchors.get(id);
    return anchor === undefined ? t(id) : `<a href="#${t(anchor)}">${t(id)}</a>`;
  };
  const cell = ({ sign, text, ids, kind }: CellWords): string => {
    const more = ids.length > idsShown ? ` and ${ids.length - idsShown} more` : '';
    const listed =
      ids.length === 0 ? '' : `<span class="ids">${ids.slice(0, idsShown).map(link).join(' ')}${more}</span>`;
    return `<td class="pair"><span class="verdict ${kind}"><span class="shape" aria-hidden="true">${sign}</span> ${text}</span>${listed}</td>`;
  };
  return join(
    '<section aria-labelledby="pairs">',
    '<h2 id="pairs">Pairs</h2>',
    '<div class="wide" tabindex="0" role="region" aria-label="Pairs"><table class="grid">',
    `<thead><tr><th scope="col">${t(grid.rows.name)} × ${t(grid.columns.name)}</th>`,
    ...grid.columns.values.map((value) => `<th scope="col">${t(value)}</th>`),
    '</tr></thead><tbody>',
    ...gridRows(grid).map(
      (row) => `<tr><th scope="row">${t(row.name)}</th>${row.cells.map(cell).join('')}</tr>`,
    ),
    '</tbody></table></div></section>',
  );
}
