/** The frames of the diagrams, which the page's script fills, and the data that it reads. */
import type { ReportOptions } from '../options.ts';
import { count } from '../words.ts';
import type { FittedTrace } from './page-trace.ts';
import { join, t } from './text.ts';
import type { PlacedTrace } from './traces.ts';

/** All traces of the page. */
export function traceSections(
  fitted: ReadonlyMap<PlacedTrace, FittedTrace>,
  shown: readonly PlacedTrace[],
  { traces = [], missing = [] }: ReportOptions,
  suite: string,
): string {
  const others = traces.length - shown.reduce((sum, { names }) => sum + names.length, 0);
  return join(
    '<section aria-labelledby="traces">',
    '<h2 id="traces">Traces</h2>',
    shown.length === 0
      ? '<p>This page has no diagram: no trace with a violation was given to it.</p>'
      : '<p class="quiet">Time runs downwards. Long waits are shortened, and labelled with their length. Choose an event to see its data.</p>',
    shown.length === 0
      ? undefined
      : '<noscript><p class="quiet">The diagrams need the script of this page. The rows above show the events around each violation.</p></noscript>',
    ...shown.map((trace, i) => traceSection(trace, fitted.get(trace), i === 0, roleOf(suite))),
    others > 0
      ? `<p class="quiet">${count(others, 'more trace')} of this run ${others === 1 ? 'is' : 'are'} not on this page; with --trace all it has every trace.</p>`
      : undefined,
    ...missing.map(
      ({ name, reason }) => `<p class="quiet">${t(name)} is not on this page: ${t(reason)}.</p>`,
    ),
    '</section>',
  );
}

/** The data of the diagrams, one element each, so that the script reads only those that are opened. */
export const traceData = (
  fitted: ReadonlyMap<PlacedTrace, FittedTrace>,
  shown: readonly PlacedTrace[],
): string =>
  join(
    ...shown.map(
      (trace) =>
        `<script type="application/json" id="data-${t(trace.key)}">${fitted.get(trace)?.json ?? 'null'}</script>`,
    ),
  );

/** The role under test: the end of the name of a suite. */
const roleOf = (suite: string): string => suite.split('/').at(-1) ?? '';

function traceSection(
  trace: PlacedTrace,
  fitted: FittedTrace | undefined,
  first: boolean,
  role: string,
): string {
  const { key, names, scenarios, events, faults } = trace;
  const faulty =
    faults.length === 0
      ? ''
      : ` <span class="verdict fail"><span class="shape" aria-hidden="true">✕</span> ${count(faults.length, 'event')} at fault</span>`;
  return join(
    `<details class="trace" id="${t(key)}" data-role="${t(role, 24)}"${first ? ' open' : ''}>`,
    `<summary><span class="id">${t(names.join(', '), 200)}</span><span class="quiet">${count(events.length, 'event')}</span>${faulty}</summary>`,
    '<div class="body">',
    scenarios.length > 0
      ? `<p class="quiet">${scenarios.length === 1 ? 'Scenario' : 'Scenarios'}: ${t(scenarios.join(', '))}</p>`
      : undefined,
    leftOut(trace, fitted),
    '<div class="stage"></div>',
    '</div></details>',
  );
}

/** What the page does not show of a trace. */
function leftOut({ events }: PlacedTrace, fitted: FittedTrace | undefined): string | undefined {
  if (fitted === undefined) return undefined;
  const { kept, cut, payload } = fitted;
  const facts = [
    ...(kept < events.length
      ? [`it shows ${kept} of ${events.length} events, those nearest to a violation or to the begin`]
      : []),
    ...(cut > 0 ? [`the data of ${count(cut, 'event')} is cut to about ${payload} characters`] : []),
  ];
  return facts.length === 0
    ? undefined
    : `<p class="quiet">This page is kept small: ${facts.join('; ')}. The trace file has all of it (--trace all keeps it).</p>`;
}
