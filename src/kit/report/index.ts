/**
 * Writes a {@link Report} for a terminal, a program, a CI dashboard or a job summary. Every format is a pure function of
 * the report (html also of its traces) and shows the verdict with its scope. No text of the implementation under test can act on the reader's
 * terminal, CI, XML parser or page.
 *
 * @example
 * import { renderers } from './index.ts';
 * import { passing } from './sample.test-helper.ts';
 *
 * const text = renderers.console(passing, { color: false });
 * text.trimEnd().split('\n').at(-1); // 'conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive'
 */
import type { Report } from '../base/index.ts';
import { consoleReport } from './console.ts';
import { badgeReport } from './badge.ts';
import { ctrfReport } from './ctrf.ts';
import { githubAnnotations } from './github.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { ReportOptions } from './options.ts';

export { consoleDiff, diffReports, jsonDiff } from './diff.ts';
export type { ReportDiff } from './diff.ts';
export { htmlMatrix } from './matrix-html.ts';
export { markdownMatrix } from './matrix-markdown.ts';
export { matrixOf } from './matrix.ts';
export type { NamedReport } from './matrix.ts';
export { githubSummary, mostSummaryBytes } from './github.ts';
export { consoleReport, htmlReport, jsonReport, junitReport, markdownReport };
export { usesColour } from './color.ts';
export { neutraliseCommands, visible } from './escape.ts';
export type { EscapeOptions } from './escape.ts';
export { summaryLine, trafficLine, violationLine } from './live.ts';
export type { TrafficLine } from './live.ts';
export type { ReportOptions, ReportTrace } from './options.ts';
export { verdictLine } from './verdict.ts';

/** The formats of `--report`, in the order of help. */
export const reportFormats = [
  'console',
  'json',
  'junit',
  'markdown',
  'html',
  'github',
  'ctrf',
  'badge',
] as const;

/** One of {@link reportFormats}. */
export type ReportFormat = (typeof reportFormats)[number];

/** Writes a report in one format; the text ends with a line feed. */
export type Renderer = (report: Report, options: ReportOptions) => string;

/** The writer of each format. */
export const renderers: { readonly [F in ReportFormat]: Renderer } = {
  console: consoleReport,
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  html: htmlReport,
  // Its step summary goes to a file next to them (githubSummary).
  github: githubAnnotations,
  ctrf: ctrfReport,
  badge: badgeReport,
};
