/** Writes a report in the chosen formats, to files or to stdout. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { renderers, reportFormats, usesColour, verdictLine } from '../../src/kit/report/index.ts';
import type { ReportFormat, ReportOptions } from '../../src/kit/report/index.ts';
import { writeUserFile } from '../../src/kit/spec/index.ts';
import { isGithub, writeGithubReport } from './github.ts';
import { columnsOf, printError } from './terminal.ts';

/** The flags of reports. */
export interface ReportingFlags {
  readonly report: readonly string[];
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly strict?: boolean;
  readonly allowInconclusive?: boolean;
}

/** A format of a report, and its destination. */
export interface WantedReport {
  readonly format: ReportFormat;
  readonly path: string | undefined;
  /** Whether the kit chose it, because the user named no report. */
  readonly chosen: boolean;
}

const isFormat = (name: string): name is ReportFormat => (reportFormats as readonly string[]).includes(name);

/**
 * Reads `--report` and `--json`. The default is the console report, and beside it GitHub's in a job there.
 *
 * @throws WireproofError 'usage'
 */
export function wantedReports(flags: ReportingFlags): readonly WantedReport[] {
  const asked = [...flags.report, ...(flags.json === true ? ['json'] : [])];
  const chosen = asked.length === 0;
  const byDefault = isGithub() ? ['console', 'github'] : ['console'];
  const wanted = (chosen ? byDefault : asked).map((text): WantedReport => {
    const equals = text.indexOf('=');
    const format = equals < 0 ? text : text.slice(0, equals);
    if (!isFormat(format))
      throw new WireproofError(
        'usage',
        `--report ${text}: no such format; the formats are ${reportFormats.join(', ')}`,
      );
    return { format, path: equals < 0 ? undefined : text.slice(equals + 1), chosen };
  });
  if (wanted.filter(({ format, path }) => path === undefined && format !== 'github').length > 1) {
    throw new WireproofError(
      'usage',
      'only one report can go to stdout; give the others a path: --report junit=out.xml',
    );
  }
  return wanted;
}

/** What the formats that show events know of the traces. */
export type TraceOptions = Pick<ReportOptions, 'traces' | 'diagrams' | 'scenario' | 'missing'>;

/** Writes every format. @throws WireproofError 'environment' when a file cannot be written */
export function writeReports(
  report: Report,
  wanted: readonly WantedReport[],
  flags: ReportingFlags,
  traces: TraceOptions = {},
): void {
  const now = Date.now();
  for (const { format, path, chosen } of wanted) {
    const options = {
      color: path === undefined && usesColour(process.stdout, process.env),
      verbose: flags.verbose,
      width: path === undefined ? columnsOf() : undefined,
      now,
      ...traces,
    };
    if (format === 'github') {
      writeGithubReport(report, { path, chosen }, options);
      continue;
    }
    const text = renderers[format](report, options);
    if (path === undefined) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    else writeUserFile(path, text);
  }
  sayWhere(report, wanted);
}

/** Says the verdict and the files on stderr when no report goes to stdout: a person sees more than an exit code. */
function sayWhere(report: Report, wanted: readonly WantedReport[]): void {
  if (wanted.some(({ format, path }) => path === undefined && format !== 'github')) return;
  const files = wanted.flatMap(({ path }) => (path === undefined ? [] : [path]));
  if (files.length === 0) return;
  printError(`${verdictLine(report)}\nreport written to ${files.join(', ')}\n`);
}
