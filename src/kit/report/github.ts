/** The report on GitHub: annotations for its runner, and a step summary of a size that GitHub takes. */
import type { Report, RequirementOutcome } from '../base/index.ts';
import { neutraliseCommands, visible } from './escape.ts';
import { markdownReport, shortMarkdownReport } from './markdown.ts';
import { failuresOf, verdictLine } from './verdict.ts';

/** GitHub shows at most this many annotations of a step (GitHub Actions, "Workflow commands", limits). */
export const mostAnnotations = 10;

/** GitHub drops the summary of a step above this size (bytes; "Adding a job summary", step isolation and limits). */
export const mostSummaryBytes: number = 1 << 20;

interface Annotation {
  readonly command: 'error' | 'warning' | 'notice';
  readonly title: string;
  /** Each becomes a line. */
  readonly lines: readonly string[];
}

/**
 * At most ten annotations as workflow commands, a line each: `error` for a fatal failure, `warning` for a violated SHOULD
 * and for a problem such as a stale expected failure, and last the verdict as `notice`. No text in them is a command.
 *
 * @example
 * import { passing } from './sample.test-helper.ts';
 *
 * githubAnnotations(passing); // '::notice title=fold/agent::conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive\n'
 */
export const githubAnnotations = (report: Report): string => {
  const found = [...errorsOf(report), ...warningsOf(report)];
  const room = mostAnnotations - 1;
  const shown = found.length <= room ? found : found.slice(0, room - 1);
  const omitted = found.length - shown.length;
  const verdict: Annotation = { command: 'notice', title: report.suite, lines: [verdictLine(report)] };
  return [...shown, ...(omitted === 0 ? [] : [more(omitted)]), verdict].map(line).join('');
};

const errorsOf = (report: Report): readonly Annotation[] => {
  const errors = report.requirements.filter((row) => row.verdict === 'error');
  return [
    ...failuresOf(report).fatal.map((row) => violation('error', row, '')),
    ...errors.map((row) => violation('error', row, ', the kit failed')),
  ];
};

const warningsOf = (report: Report): readonly Annotation[] => [
  ...report.problems.map((problem): Annotation => ({
    command: 'warning',
    title: report.suite,
    lines: [problem],
  })),
  ...failuresOf(report)
    .tolerated.filter(({ level }) => level === 'SHOULD')
    .map((row) => violation('warning', row, ', not fatal')),
];

const violation = (
  command: Annotation['command'],
  { id, level, text, message, reason, replay }: RequirementOutcome,
  weight: string,
): Annotation => ({
  command,
  title: `${visible(id, { limit: 100 })} ${level}${weight}`,
  lines: [text, message ?? reason ?? '', ...(replay === undefined ? [] : [`again: ${replay}`])],
});

const more = (n: number): Annotation => ({
  command: 'warning',
  title: 'Wireproof',
  lines: [`${n} more ${n === 1 ? 'finding is' : 'findings are'} in the summary of this step`],
});

/** Longer than most messages, shorter than GitHub's limit of 4096 characters of three lines. */
const longLine = { limit: 1000 } as const;

const line = ({ command, title, lines }: Annotation): string => {
  const data = lines.filter((text) => text !== '').map((text) => visible(text, longLine));
  return `::${command} title=${escapeProperty(title)}::${escapeData(neutraliseCommands(data.join('\n')))}\n`;
};

/** Text after the second `::` of a workflow command: the escapes of GitHub's own toolkit (actions/toolkit, command.ts). */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A property of a workflow command, in which `:` and `,` act too. */
const escapeProperty = (text: string): string =>
  escapeData(neutraliseCommands(visible(text)))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');

/**
 * The summary of a step in at most `room` bytes: the markdown report, or when that is too long its head and numbers.
 * Undefined when neither fits.
 */
export const githubSummary = (report: Report, room: number = mostSummaryBytes): string | undefined =>
  [markdownReport(report), shortMarkdownReport(report)].find((text) => byteLength(text) <= room);

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
