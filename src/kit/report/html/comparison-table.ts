/** The two messages of a violation in two columns. The part that differs is the first row. */
import type { RequirementOutcome } from '../../base/index.ts';
import { absentPart, comparedMessages, lawful } from '../comparison.ts';
import { join, t } from './text.ts';

/** The table of a row; undefined: its violation compares no messages. */
export function comparisonTable({ id, comparison }: RequirementOutcome): string | undefined {
  if (comparison === undefined) return undefined;
  const { came, became, parts } = comparedMessages(comparison);
  const due = lawful(comparison);
  const cell = (text: string): string =>
    text === '' ? `<td class="quiet">${absentPart}</td>` : `<td><code>${t(text)}</code></td>`;
  return join(
    `<div class="wide" tabindex="0" role="region" aria-label="The two messages of ${t(id)}">`,
    '<table class="compared">',
    `<thead><tr><td></td><th scope="col">${t(came)}</th><th scope="col">${t(became)}</th></tr></thead>`,
    '<tbody>',
    ...parts.map(
      (part) =>
        `<tr${part.differs ? ' class="differs"' : ''}><th scope="row">${part.differs ? '<span aria-hidden="true">✕ </span>' : ''}${t(part.name)}</th>${cell(part.came)}${cell(part.became)}</tr>`,
    ),
    '</tbody></table></div>',
    due === undefined ? undefined : `<p class="due"><span class="quiet">${due[0]}</span> ${t(due[1])}</p>`,
  );
}
