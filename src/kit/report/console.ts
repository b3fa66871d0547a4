/** The report for a terminal: failures and their reasons first, the verdict with its scope last. */
import picocolors from 'picocolors';
import type { Report, RequirementOutcome } from '../base/index.ts';
import { comparedLines } from './console-compared.ts';
import { gridBlock } from './console-grid.ts';
import { indented, labelled, labelWidth, plain } from './console-page.ts';
import type { Page } from './console-page.ts';
import { scenarioWords, summary, verdictWords } from './console-summary.ts';
import { neutraliseCommands, visible } from './escape.ts';
import type { ReportOptions } from './options.ts';
import { failuresOf, verdictLine } from './verdict.ts';
import { cause, count, duration, evidenceLine, expectation, idList, shimIds, sourceLine } from './words.ts';
import { wrap, wrapParts } from './wrap.ts';
import type { Paint, PaintedPart } from './wrap.ts';

/**
 * The report as text for a terminal, with a final line feed. Failures come first, the verdict is the last line. A run
 * without failures takes at most about fifteen lines. No text in it can act on a terminal or a CI log.
 *
 * @example
 * import { passing } from './sample.test-helper.ts';
 *
 * const text = consoleReport(passing, { color: false });
 * text.trimEnd().split('\n').at(-1); // 'conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive'
 */
export const consoleReport = (report: Report, options: ReportOptions): string => {
  const page: Page = {
    report,
    paint: picocolors.createColors(options.color),
    width: Math.max(40, options.width ?? 100),
    lineWidth: options.width === undefined ? Infinity : Math.max(40, options.width),
  };
  const blocks = [
    headline(page),
    ...failureBlocks(page),
    options.verbose === true ? everyRow(page) : summary(page),
    gridBlock(page),
    remarks(page),
    targetOutput(page),
    firstFailure(page),
    verdict(page),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return neutraliseCommands(`${text.join('\n\n')}\n`);
};

const headline = ({ report, paint, lineWidth }: Page): readonly string[] =>
  wrapParts(lineWidth, '', [
    [visible(report.target), paint.bold],
    [
      `: ${visible(report.suite)} revision ${visible(report.revision)}, ${visible(report.drive)} drive, ` +
        `seed ${visible(report.seed)}, ${duration(report.duration_ms)}, wireproof ${visible(report.kit)}`,
      plain,
    ],
  ]);

const failureBlocks = (page: Page): readonly (readonly string[])[] => {
  const { report, paint } = page;
  const { fatal, tolerated } = failuresOf(report);
  const levelOrder = [...fatal, ...tolerated].toSorted(
    (a, b) => Number(a.level !== 'MUST') - Number(b.level !== 'MUST'),
  );
  const errors = report.requirements.filter((row) => row.verdict === 'error');
  return [
    ...levelOrder.map((row) => {
      const isFatal = fatal.includes(row);
      const label: PaintedPart = isFatal
        ? ['FAIL', (text) => paint.red(paint.bold(text))]
        : ['fail', paint.yellow];
      return failure(page, row, [label, ...idParts(page, row), [weight(row, isFatal), plain]]);
    }),
    ...errors.map((row) =>
      failure(page, row, [['ERROR', paint.magenta], ...idParts(page, row), [', the kit failed', plain]]),
    ),
  ];
};

const idParts = ({ paint }: Page, { id, level }: RequirementOutcome): readonly PaintedPart[] => [
  [' ', plain],
  [visible(id), paint.bold],
  [` ${level}`, plain],
];

const weight = (row: RequirementOutcome, isFatal: boolean): string => {
  const shim = row.proves === 'shim' ? ', of the shim only' : '';
  if (row.level === 'MUST') return shim;
  return `, ${isFatal ? 'fatal with --strict' : 'not fatal'}${row.level === 'SHOULD' && !isFatal ? ' without --strict' : ''}${shim}`;
};

/** One failed requirement: its text and source, the observation, the wire events around it, the command that repeats it. */
const failure = (page: Page, row: RequirementOutcome, title: readonly PaintedPart[]): readonly string[] => {
  const { paint } = page;
  const evidence = evidenceLine(row);
  return [
    ...wrapParts(page.lineWidth, '', title),
    ...indented(page, '  ', visible(row.text)),
    ...indented(page, '  ', visible(sourceLine(row.source)), paint.dim),
    ...(row.reason === undefined ? [] : indented(page, '  ', visible(row.reason))),
    ...(row.message === undefined ? [] : indented(page, '  ', visible(row.message), paint.red)),
    ...(row.comparison === undefined ? [] : comparedLines(page, row.comparison)),
    ...(row.excerpt ?? []).flatMap((line) => excerptLines(page, visible(line))),
    ...(evidence === '' ? [] : indented(page, '  ', `at ${visible(evidence)}`, paint.dim)),
    // A wrapped command cannot be copied.
    ...(row.replay === undefined ? [] : [`  again: ${paint.cyan(visible(row.replay, { limit: Infinity }))}`]),
  ];
};

/** Lines of an excerpt that an event at fault may take. */
const faultLines = 3;

/** Where a line ends that has this room: between words, if one ends in its last third. */
function breakBefore(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const blank = text.lastIndexOf(' ', room);
  return blank > (room * 2) / 3 ? blank : wholeEnd(text, room);
}

/** The end of a cut at a place, which splits no surrogate pair. */
const wholeEnd = (text: string, at: number): number =>
  at - (/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? 1 : 0);

/** A line of an excerpt, cut to the width. The event at fault has more room, because it is the reason of the verdict. */
const excerptLines = ({ width, paint }: Page, line: string): readonly string[] => {
  const isFault = line.startsWith('>');
  const room = width - 4;
  const rest = room - 4;
  const lines = [line.slice(0, breakBefore(line, room))];
  for (let at = lines[0]?.length ?? 0; at < line.length;) {
    const piece = line.slice(at, at + breakBefore(line.slice(at), rest));
    lines.push(`    ${piece.trimStart()}`);
    at += piece.length;
  }
  const most = isFault ? faultLines : 1;
  if (lines.length > most) {
    const cut = most === 1 ? line : (lines[most - 1] ?? '');
    lines.splice(most - 1, Infinity, `${cut.slice(0, wholeEnd(cut, room - 1))}…`);
  }
  return lines.map((text) => `    ${(isFault ? paint.bold : paint.dim)(text)}`);
};

/** Above the verdict, when several requirements failed: the first failure, and the mistake that is often behind it. */
const firstFailure = (page: Page): readonly string[] => {
  const first = page.report.first_failure;
  if (first === undefined) return [];
  const { id, scenario, at_ms: at, message, failures, trap } = first;
  const cause =
    trap === undefined ? `wireproof explain ${id} says more.` : `Often the cause is: ${trap.trim()}`;
  const which = failuresOf(page.report).tolerated.length > 0 ? 'the first fatal one' : 'the first';
  const text = `${failures} requirements failed; ${which} was ${id} in scenario ${scenario} at ${duration(at)}: ${message}. ${cause}`;
  return wrap(page.width, '', visible(text, { limit: 1500 }));
};

/** Every requirement and every scenario on a line of its own. */
const everyRow = (page: Page): readonly string[] => {
  const { requirements, excluded, scenarios } = page.report;
  const { fatal, expected, following, unlike } = failuresOf(page.report);
  const line = (label: string, text: string, tail: string | undefined): readonly string[] => {
    const end: PaintedPart = [tail === undefined ? '' : ` (${visible(tail)})`, page.paint.dim];
    const [first = '', ...rest] = wrapParts(page.lineWidth, ' '.repeat(labelWidth), [[text, plain], end]);
    return [label.padEnd(labelWidth) + first.slice(labelWidth), ...rest];
  };
  const rowLabel = (row: RequirementOutcome): string => {
    if (row.verdict !== 'fail' || fatal.includes(row)) return verdictWords[row.verdict];
    if (following.includes(row)) return 'fail, follows';
    return expected.includes(row) ? 'fail, expected' : 'fail, not fatal';
  };
  return [
    ...requirements.flatMap((row) => {
      const passed = `exercised ${count(row.exercised, 'time')}`;
      const why = unlike.includes(row) ? row.message : row.reason;
      const tail = row.verdict === 'pass' ? passed : following.includes(row) ? cause(row) : why;
      return line(rowLabel(row), `${visible(row.id)} ${row.level.padEnd(6)} ${visible(row.text)}`, tail);
    }),
    ...excluded.flatMap(({ id, reason }) => line('excluded', visible(id), reason)),
    ...scenarios.flatMap(({ name, outcome, reason, duration_ms: ms }) =>
      line('scenario', `${visible(name)} ${scenarioWords[outcome]} after ${duration(ms)}`, reason),
    ),
  ];
};

/** Expected failures, problems and notes. */
const remarks = (page: Page): readonly string[] => {
  const { report, paint } = page;
  const { expected, following, unlike } = failuresOf(report);
  const shim = shimIds(report);
  return [
    ...(report.features.length === 0
      ? []
      : labelled(page, 'features', report.features.map((feature) => visible(feature)).join(', '))),
    ...expected.flatMap((row) =>
      labelled(page, 'expected', `${visible(row.id)} failed as expected: ${visible(expectation(row))}`),
    ),
    ...following.flatMap((row) =>
      labelled(page, 'follows', `${visible(row.id)} ${row.level} ${visible(cause(row))}`),
    ),
    ...unlike.flatMap((row) =>
      labelled(page, 'note', `${visible(row.id)} ${row.level}: ${visible(row.message ?? '')}`),
    ),
    ...report.problems.flatMap((text) => labelled(page, 'problem', visible(text), paint.red)),
    ...(shim.length === 0 ? [] : labelled(page, 'note', `proves only the shim: ${idList(shim)}`)),
    ...report.notes.flatMap((text) => labelled(page, 'note', visible(text))),
  ];
};

/** The number of lines of the target's output that are shown, from its end. */
const outputLines = 20;

const targetOutput = ({ report, paint, lineWidth }: Page): readonly string[] => {
  const lines = report.target_output ?? [];
  if (lines.length === 0 || report.verdict === 'conformant' || report.verdict === 'partial') return [];
  const omitted = lines.length - outputLines;
  return [
    `${paint.bold('the last output of the target')}${omitted > 0 ? ` (${count(omitted, 'line')} before it omitted)` : ''}`,
    ...lines
      .slice(-outputLines)
      .flatMap((line) => wrapParts(lineWidth, '  | ', [[visible(line), paint.dim]])),
  ];
};

const verdict = ({ report, paint, lineWidth }: Page): readonly string[] => {
  const line = verdictLine(report);
  const colour = verdictColour(report, line, paint);
  return wrap(lineWidth, '', line).map((part) => colour(part));
};

const verdictColour = (report: Report, line: string, paint: Page['paint']): Paint => {
  if (report.interrupted || report.verdict === 'inconclusive') return paint.yellow;
  if (line.startsWith('as expected, not conformant')) return paint.yellow;
  return ['conformant', 'partial'].includes(report.verdict) ? paint.green : paint.red;
};
