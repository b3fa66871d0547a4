/** The requirements of the page: one row each, failures first and open. */
import type { Report, RequirementOutcome, Verdict } from '../../base/index.ts';
import type { ReportTrace } from '../options.ts';
import { cause, expectation, sourceLine } from '../words.ts';
import { comparisonTable } from './comparison-table.ts';
import { fact, join, lines, rowAnchor, t } from './text.ts';
import type { TracePlaces } from './traces.ts';

/** The shape and the words of each verdict: nobody needs to tell colours apart. */
export const verdictSigns: { readonly [V in Verdict]: readonly [shape: string, words: string] } = {
  fail: ['✕', 'fail'],
  error: ['!', 'error'],
  'not-observed': ['○', 'not observed'],
  untestable: ['◇', 'untestable'],
  'not-applicable': ['–', 'not applicable'],
  pass: ['✓', 'pass'],
};

/** The verdicts in the order of the page. */
const order = Object.keys(verdictSigns) as readonly Verdict[];

/** A verdict as a word with its shape. */
export const verdictMark = (verdict: Verdict): string => {
  const [shape, words] = verdictSigns[verdict];
  return `<span class="verdict ${verdict}"><span class="shape" aria-hidden="true">${shape}</span> ${words}</span>`;
};

/** Buttons that show the requirements of a verdict. Without a script they only count. */
export const verdictCounts = ({ requirements }: Report): string => {
  const buttons = order.flatMap((verdict) => {
    const count = requirements.filter((row) => row.verdict === verdict).length;
    return count === 0
      ? []
      : `<button type="button" class="count" data-verdict="${verdict}" aria-pressed="false"><b>${count}</b> ${verdictMark(verdict)}</button>`;
  });
  return `<div class="counts" role="group" aria-label="Show requirements with this verdict">${buttons.join('\n')}</div>`;
};

/** The rows of the page in two sections: violations, which a reader came for, and the others. */
export function requirementSections(
  report: Report,
  traces: readonly ReportTrace[],
  places: TracePlaces,
): { readonly violations: string; readonly others: string } {
  const rows = report.requirements.map((row, i) => ({ row, anchor: rowAnchor(row.id, i) }));
  const sorted = rows.toSorted((a, b) => order.indexOf(a.row.verdict) - order.indexOf(b.row.verdict));
  const section = (name: string, title: string, wanted: (verdict: Verdict) => boolean): string => {
    const some = sorted.filter(({ row }) => wanted(row.verdict));
    if (some.length === 0) return '';
    return join(
      `<section aria-labelledby="${name}">`,
      `<h2 id="${name}">${title}</h2>`,
      '<div class="rows">',
      ...some.map(({ row, anchor }) => requirementRow(row, anchor, traces, places)),
      '</div>',
      '<p class="none" hidden>None of these matches.</p>',
      '</section>',
    );
  };
  const isViolated = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'error';
  return {
    violations: section('violations', 'Violations', isViolated),
    others: section('requirements', 'Other requirements', (verdict) => !isViolated(verdict)),
  };
}

function requirementRow(
  row: RequirementOutcome,
  anchor: string,
  traces: readonly ReportTrace[],
  places: TracePlaces,
): string {
  const open = row.verdict === 'fail' || row.verdict === 'error' ? ' open' : '';
  return join(
    `<details class="row ${row.verdict}" id="${t(anchor)}" data-verdict="${row.verdict}"${open}>`,
    `<summary>${verdictMark(row.verdict)}<span class="id">${t(row.id)}</span>` +
      `<span class="level">${t(row.level)}</span><span class="sentence">${t(row.text)}</span></summary>`,
    '<div class="body">',
    row.message === undefined ? undefined : `<p class="message">${t(row.message)}</p>`,
    comparisonTable(row),
    row.excerpt === undefined ? undefined : `<pre class="excerpt" tabindex="0">${lines(row.excerpt)}</pre>`,
    '<dl>',
    fact('Why', row.reason && t(row.reason)),
    fact('At', evidenceLinks(row, places)),
    fact('Exercised', exercisedWhere(row, traces, places)),
    fact('Follows', row.follows_from && t(cause(row))),
    fact('Expected', row.expected_failure && t(expectation(row))),
    fact('Proves', row.proves && 'only the conformance agent, not the library under it'),
    fact('Source', t(sourceLine(row.source))),
    fact('Again', row.replay && `<code class="command">${t(row.replay, 4000)}</code>`),
    '</dl>',
    `<a class="self" href="#${t(anchor)}" aria-label="Link to ${t(row.id)}">Link to this row</a>`,
    '</div></details>',
  );
}

/** The most positions that a row lists. */
const mostLinks = 8;

/** A position in a trace: a link when the page shows the trace. */
const position = (trace: string, seq: number | undefined, words: string, places: TracePlaces): string => {
  const key = places.keyOf(trace);
  return key === undefined
    ? t(words)
    : `<a href="#${t(seq === undefined ? key : `${key}:${seq}`)}" data-event>${t(words)}</a>`;
};

const more = (count: number): string => (count > 0 ? `, and ${count} more` : '');

function evidenceLinks({ evidence = [] }: RequirementOutcome, places: TracePlaces): string {
  const links = evidence
    .slice(0, mostLinks)
    .map(({ trace, seq }) => position(trace, seq, `${trace} event ${seq}`, places));
  return links.join(', ') + more(evidence.length - mostLinks);
}

function exercisedWhere(
  { id, exercised }: RequirementOutcome,
  traces: readonly ReportTrace[],
  places: TracePlaces,
): string {
  if (exercised === 0) return 'never';
  const where = traces.flatMap(({ name, scenarios, found }) => {
    const { exercised: times = 0, first } = found?.get(id) ?? {};
    return times === 0 ? [] : [{ name, scenarios, times, first }];
  });
  const links = where.slice(0, mostLinks).map(({ name, scenarios, times, first }) => {
    const scenario =
      scenarios.length === 1 && !name.startsWith(scenarios[0] ?? '') ? ` (${scenarios[0]})` : '';
    const from = first === undefined ? '' : `${times === 1 ? ' at' : ' from'} event ${first}`;
    return position(name, first, `${name}${scenario} ${times}×${from}`, places);
  });
  const total = `${exercised} ${exercised === 1 ? 'time' : 'times'}`;
  return links.length === 0 ? total : `${total}: ${links.join(', ')}${more(where.length - mostLinks)}`;
}
