/** `wireproof report`: merges the reports of shards, compares two reports, and puts several side by side. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { mergeShards } from '../../src/kit/judge/index.ts';
import type { Merged } from '../../src/kit/judge/index.ts';
import {
  consoleDiff,
  diffReports,
  htmlMatrix,
  jsonDiff,
  markdownMatrix,
  matrixOf,
} from '../../src/kit/report/index.ts';
import type { NamedReport } from '../../src/kit/report/index.ts';
import { readReport, writeUserFile } from '../../src/kit/spec/index.ts';
import { underName, worstOf } from '../check/several.ts';
import { reportsOf } from '../check/subjects.ts';
import type { CheckSubject } from '../check/subjects.ts';
import { exitCodeOf, exitCodes } from '../output/exit.ts';
import { wantedReports, writeReports } from '../output/reports.ts';
import type { ReportingFlags } from '../output/reports.ts';
import { printError } from '../output/terminal.ts';

/** The most files of one call: with the limit of a report, they fit into memory. */
const filesAtMost = 256;

function readAll(files: readonly string[]): readonly NamedReport[] {
  if (files.length > filesAtMost)
    throw new WireproofError('usage', `${files.length} files; expected at most ${filesAtMost}`);
  return files.map((name) => ({ name, report: readReport(name) }));
}

/** The report of a target, merged from its shards. */
interface MergedTarget extends Merged {
  readonly subject: CheckSubject;
}

/**
 * Runs `report merge`: one report of each target of the statement. The exit code is that of the whole run, the worst of
 * all targets.
 */
export async function merge(files: readonly string[], flags: ReportingFlags): Promise<void> {
  const wanted = wantedReports(flags);
  // All of them are merged before the first report is written: what is refused is refused at once.
  const targets = await Promise.all(byTarget(readAll(files)).map(mergedTarget));
  const reports = reportsOf(
    wanted,
    targets.map(({ subject }) => subject),
  );
  const codes = targets.map(({ subject, report, absent }) => {
    if (targets.length > 1) printError(`\n== ${subject.name ?? ''} (${report.suite})\n`);
    writeReports(report, reports(subject), flags);
    return absent ? exitCodes.environment : exitCodeOf(report, flags.allowInconclusive === true);
  });
  process.exitCode = worstOf(codes);
}

/** The reports of shards, by the name of their target in the statement. */
function byTarget(given: readonly NamedReport[]): readonly (readonly NamedReport[])[] {
  const groups = new Map<string | undefined, NamedReport[]>();
  for (const one of given) {
    const name = one.report.shard?.name;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()];
}

function mergedTarget(shards: readonly NamedReport[]): Promise<MergedTarget> {
  const [first] = shards;
  const subject = { suite: first?.report.suite, name: first?.report.shard?.name, statement: undefined };
  return underName(subject, async () => ({ subject, ...mergeShards(shards) }));
}

/** Runs `report diff`. The exit code is 1 when a requirement or the verdict became worse. */
export async function diff(
  oldFile: string,
  newFile: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const [old, now] = [readReport(oldFile), readReport(newFile)];
  if (old.suite !== now.suite)
    throw new WireproofError(
      'usage',
      `${oldFile} is a report of ${old.suite}, and ${newFile} of ${now.suite}; expected one suite`,
    );
  const found = diffReports(old, now);
  process.stdout.write(json ? jsonDiff(found) : consoleDiff(found));
  process.exitCode = found.became_worse ? exitCodes.notConformant : exitCodes.conformant;
}

/** The flags of `report matrix`. */
export interface MatrixFlags {
  readonly report: readonly string[];
  readonly out?: string;
}

const matrixFormats = { html: htmlMatrix, markdown: markdownMatrix } as const;

/** Runs `report matrix`. */
export async function matrix(files: readonly string[], { report, out }: MatrixFlags): Promise<void> {
  const asked = [...report, ...(out === undefined ? [] : [`html=${out}`])];
  const wanted = (asked.length === 0 ? ['markdown'] : asked).map(matrixFormatOf);
  if (wanted.filter(({ path }) => path === undefined).length > 1)
    throw new WireproofError('usage', 'only one format can go to stdout; give the other a path');
  const sections = matrixOf(readAll(files));
  for (const { write, path } of wanted) {
    const text = write(sections);
    if (path === undefined) process.stdout.write(text);
    else writeUserFile(path, text);
  }
}

function matrixFormatOf(text: string): {
  readonly write: (sections: ReturnType<typeof matrixOf>) => string;
  readonly path: string | undefined;
} {
  const [name = '', ...rest] = text.split('=');
  if (name !== 'html' && name !== 'markdown')
    throw new WireproofError('usage', `--report ${text}: expected html or markdown, or one with =path`);
  return { write: matrixFormats[name], path: rest.length === 0 ? undefined : rest.join('=') };
}
