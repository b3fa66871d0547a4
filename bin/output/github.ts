/** `--report github`: the step summary and the annotations of a GitHub job. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { githubSummary, mostSummaryBytes, renderers } from '../../src/kit/report/index.ts';
import type { ReportOptions } from '../../src/kit/report/index.ts';
import { appendUserFile } from '../../src/kit/spec/index.ts';
import { printError } from './terminal.ts';

/** Whether this process runs in a GitHub job. */
export const isGithub = (): boolean => process.env['GITHUB_ACTIONS'] === 'true';

/**
 * Prints the annotations on stderr, so that stdout is the report alone; the runner reads both. Appends the summary to the
 * file of the step (GITHUB_STEP_SUMMARY), or to the one at `path`.
 *
 * @throws WireproofError 'environment' when the user named the format or the file, and it cannot be written
 */
export function writeGithubReport(
  report: Report,
  { path, chosen }: { readonly path: string | undefined; readonly chosen: boolean },
  options: ReportOptions,
): void {
  process.stderr.write(renderers.github(report, options));
  const file = path ?? process.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return;
  try {
    appendUserFile(file, (bytes) => summaryFor(report, bytes));
  } catch (error) {
    // A format that the kit chose by itself changes no exit code.
    if (!chosen || !(error instanceof WireproofError)) throw error;
    printError(`note: no step summary: ${error.message}\n`);
  }
}

/** The summary for a file that has this many bytes. GitHub drops the whole file when it is too long. */
function summaryFor(report: Report, bytes: number): string | undefined {
  // A text before it may not end with a line.
  const summary = githubSummary(report, mostSummaryBytes - bytes - 2);
  if (summary === undefined) {
    printError(`note: no step summary: its file has ${bytes} bytes, and GitHub takes 1 MiB\n`);
    return undefined;
  }
  return bytes === 0 ? summary : `\n\n${summary}`;
}
