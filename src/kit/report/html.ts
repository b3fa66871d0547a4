/**
 * The report as one page that needs nothing else: verdicts, reasons, and a sequence diagram of each trace with a violation.
 * It works without its script, but for the diagrams. No text in it can act: a policy (CSP) forbids every script and style
 * but the page's own, and every request.
 */
import type { OverallVerdict, Report } from '../base/index.ts';
import { pageScript, pageStyle } from './generated/page.ts';
import { gridSection } from './html/grid-section.ts';
import { requirementSections, verdictCounts } from './html/requirement-rows.ts';
import { fact, join, lines, t } from './html/text.ts';
import { traceData, traceSections } from './html/trace-sections.ts';
import { fitTraces, placeTraces } from './html/traces.ts';
import type { ReportOptions } from './options.ts';
import { verdictLine } from './verdict.ts';
import { duration, groupByReason } from './words.ts';

/** The most bytes of a page. A browser opens it at once, and it fits into a mail. */
export const pageLimit = 2_000_000;

/** The report as a page of HTML, with the diagrams that the options give traces for. */
export const htmlReport = (report: Report, options: ReportOptions): string => {
  const { traces = [], scenario } = options;
  const places = placeTraces(report, options);
  const { violations, others } = requirementSections(report, traces, places);
  const rest = remarks(report);
  const pairs = gridSection(report);
  const taken =
    Buffer.byteLength(violations + others + rest + pairs) + frameSize + places.shown.length * 2000;
  const fitted = fitTraces(places, scenario, Math.max(0, pageLimit - taken));
  return (
    join(
      '<!doctype html>',
      '<html lang="en">',
      head(report),
      '<body>',
      banner(report),
      '<main>',
      pairs,
      violations,
      traceSections(fitted, places.shown, options, report.suite),
      others,
      rest,
      '</main>',
      footer(report),
      traceData(fitted, places.shown),
      `<script>${pageScript.text}</script>`,
      '</body>',
      '</html>',
    ) + '\n'
  );
};

/** The room for script, style and header (bytes). */
const frameSize = pageScript.text.length + pageStyle.text.length + 20_000;

/** Nothing is fetched or sent, nothing but this script and this style acts, and no text becomes markup later. */
const policy = [
  "default-src 'none'",
  `script-src '${pageScript.hash}'`,
  `style-src '${pageStyle.hash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const head = (report: Report): string =>
  join(
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${t(report.suite, 200)} ${t(verdictLine(report), 300)}</title>`,
    `<style>${pageStyle.text}</style>`,
    '</head>',
  );

/** The tone of the verdict over the run, and its shape. The line next to it has the words. */
const tones: { readonly [V in OverallVerdict]: readonly [tone: string, shape: string] } = {
  conformant: ['good', '✓'],
  partial: ['good', '✓'],
  'not-conformant': ['bad', '✕'],
  inconclusive: ['open', '○'],
  error: ['bad', '!'],
};

/** The verdict without its scope is never shown: the line next to the shape has both. */
const banner = (report: Report): string => {
  const { verdict, interrupted } = report;
  const [tone, shape] = interrupted ? tones.inconclusive : tones[verdict];
  return join(
    '<header class="banner">',
    `<p class="product">Wireproof <span class="quiet">conformance report</span></p>`,
    `<h1>${t(report.suite)}</h1>`,
    `<p class="overall ${tone}"><span class="shape" aria-hidden="true">${shape}</span><span>${t(verdictLine(report), 4000)}</span></p>`,
    '<dl class="facts">',
    fact('Target', `<code>${t(report.target)}</code>`),
    fact('Revision', t(report.revision)),
    fact('Drive', t(report.drive)),
    fact('Features', t(report.features.join(', '))),
    fact('Seed', `<code>${t(report.seed)}</code>`),
    fact('Took', duration(report.duration_ms)),
    '</dl>',
    verdictCounts(report),
    '</header>',
    '<div class="tools" id="tools" hidden>',
    '<label class="search"><span class="label">Search</span><input id="search" type="search" placeholder="ids, sentences, event data" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd>/</kbd></label>',
    '<p id="found" role="status" aria-live="polite"></p>',
    '<nav aria-label="Sections"><a href="#pairs">Pairs</a> <a href="#violations">Violations</a> <a href="#traces">Traces</a> <a href="#requirements">Requirements</a></nav>',
    '</div>',
  );
};

const list = (title: string, items: readonly string[]): string | undefined =>
  items.length === 0
    ? undefined
    : `<section><h2>${title}</h2>\n<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul></section>`;

/** Scenarios, problems, notes and the output of the target. */
function remarks(report: Report): string {
  const { scenarios, problems, notes, excluded, target_output: output = [] } = report;
  const rows = scenarios.map(
    ({ name, outcome, reason, duration_ms: took }) =>
      `<tr class="${outcome}"><th scope="row">${t(name)}</th><td>${outcome.replace('-', ' ')}</td><td class="number">${took > 0 ? duration(took) : ''}</td><td>${t(reason ?? '')}</td></tr>`,
  );
  return join(
    list(
      'Problems',
      problems.map((text) => t(text)),
    ),
    list(
      'Notes',
      notes.map((text) => t(text)),
    ),
    rows.length === 0
      ? undefined
      : join(
          '<section><h2>Scenarios</h2><div class="wide" tabindex="0" role="region" aria-label="Scenarios"><table>',
          '<thead><tr><th scope="col">Scenario</th><th scope="col">Outcome</th><th scope="col">Took</th><th scope="col">Why</th></tr></thead>',
          `<tbody>${rows.join('\n')}</tbody></table></div></section>`,
        ),
    list(
      'Requirements that no check can judge',
      groupByReason(excluded.map(({ id, reason }) => ({ name: id, reason }))).map(
        ({ reason, names }) => `<span class="id">${t(names.join(', '))}</span>: ${t(reason)}`,
      ),
    ),
    output.length === 0
      ? undefined
      : `<section><h2>The last output of the target</h2><pre tabindex="0">${lines(output.slice(-200))}</pre></section>`,
  );
}

const footer = ({ kit }: Report): string =>
  join(
    '<footer>',
    '<p class="keys" id="keys" hidden><kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next and previous event <kbd>n</kbd> <kbd>p</kbd> next and previous violation <kbd>Enter</kbd> data <kbd>Esc</kbd> close</p>',
    `<p class="quiet">Made by wireproof ${t(kit, 100)}. This page loads and sends nothing.</p>`,
    '</footer>',
  );
