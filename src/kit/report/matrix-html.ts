/** Reports side by side as one HTML page, without a script and without a file next to it. */
import type { Report } from '../base/index.ts';
import { xmlText } from './escape.ts';
import { cellWords, totals } from './matrix.ts';
import type { MatrixRow, MatrixSection, NamedReport } from './matrix.ts';
import { verdictLine } from './verdict.ts';

/** The style of the page. Its hash is in the page's policy: {@link styleHash}. */
export const matrixStyle: string = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; font-size: 15px; }
body { margin: 1.5rem; }
.scroll { max-height: 90vh; overflow: auto; border: 1px solid #8888; }
table { border-collapse: separate; border-spacing: 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }
thead th, tfoot td, tfoot th { position: sticky; background: Canvas; z-index: 1; }
thead th { top: 0; }
tfoot td, tfoot th { bottom: 0; border-top: 1px solid #8888; }
tbody th, thead th:first-child, tfoot th { position: sticky; left: 0; background: Canvas; font-weight: 600; }
thead th:first-child, tfoot th { z-index: 2; }
tbody th { max-width: 26rem; }
small { display: block; font-weight: 400; opacity: .8; }
td { white-space: nowrap; }
.pass { background: #2da44e26; }
.fail, .error { background: #cf222e33; font-weight: 600; }
.expected { background: #bf870033; }
.not-observed, .untestable { background: #bf87001a; }
.not-applicable, .absent { opacity: .7; }
`;

/** The SHA-256 of {@link matrixStyle}; a test holds it. */
const styleHash = 'MmrzRBsQscstHKgR2ZEU7savjneUTod+AjjGbk9m4qI=';

const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * The page, with a final line feed. The heads of rows and columns stay in view. A verdict has a sign and a word, so it can
 * be read without colours. No text in the page is markup.
 */
export const htmlMatrix = (sections: readonly MatrixSection[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Wireproof: implementations and requirements</title>
<style>${matrixStyle}</style>
</head>
<body>
<h1>Implementations and requirements</h1>
${sections.map(sectionOf).join('\n')}
</body>
</html>
`;

const sectionOf = ({ suite, revision, columns, rows }: MatrixSection): string => `<section>
<h2>${xmlText(suite)}, revision ${xmlText(revision)}</h2>
<ul>
${columns.map(verdictItem).join('\n')}
</ul>
<div class="scroll" tabindex="0" role="region" aria-label="${xmlText(suite)}">
<table>
<thead><tr><th scope="col">Requirement</th>${columns.map(columnHead).join('')}</tr></thead>
<tbody>
${rows.map(rowOf).join('\n')}
</tbody>
<tfoot><tr><th scope="row">Totals</th>${columns.map(({ report }) => `<td>${totalsOf(report)}</td>`).join('')}</tr></tfoot>
</table>
</div>
</section>`;

const verdictItem = ({ name, report }: NamedReport): string =>
  `<li><b>${xmlText(report.target)}</b> (${xmlText(name)}): ${xmlText(verdictLine(report), { limit: 2000 })}</li>`;

const columnHead = ({ name, report }: NamedReport): string =>
  `<th scope="col">${xmlText(report.target)}<small>${xmlText(name)}</small></th>`;

const rowOf = ({ id, level, text, cells }: MatrixRow): string =>
  `<tr><th scope="row">${xmlText(id)} ${level}<small>${xmlText(text)}</small></th>${cells.map(cell).join('')}</tr>`;

const cell = (row: MatrixRow['cells'][number]): string => {
  const [sign, word, kind] = cellWords(row);
  const why = row?.message ?? row?.reason;
  const title = why === undefined ? '' : ` title="${xmlText(why)}"`;
  return `<td class="${kind}"${title}>${sign === '' ? '' : `<span aria-hidden="true">${sign}</span> `}${word}</td>`;
};

const totalsOf = (report: Report): string => totals(report).split(', ').join('<br>');
