/**
 * `wireproof baseline`: writes the failures of today into a file of expected failures, and checks against it. The check
 * is that of `check --expected`: new failures, mended ones and expired ones fail it.
 */
import { existsSync } from 'node:fs';
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report, RequirementOutcome } from '../../src/kit/base/index.ts';
import {
  baselineOf,
  readBaselines,
  readReport,
  textOfBaselines,
  writeUserFile,
} from '../../src/kit/spec/index.ts';
import type { Baseline, BaselineSubject, ExpectedFailure } from '../../src/kit/spec/index.ts';
import { positive } from '../check/options.ts';
import type { CheckFlags } from '../check/options.ts';
import { exitCodes } from '../output/exit.ts';
import { printError } from '../output/terminal.ts';
import { check } from './check.ts';
import { lastingPart } from './lasting-part.ts';

/** The flags of `baseline check`, and of `baseline write` without the flags of the latter. */
interface BaselineFlags extends CheckFlags {
  readonly file: string;
}

/** The flags of `baseline write`. */
interface WriteFlags extends BaselineFlags {
  readonly from?: string;
  readonly issue?: string;
  readonly days: string;
  readonly renew?: boolean;
  readonly message: boolean;
}

/** The flags that shape the entries. */
type EntryFlags = Pick<WriteFlags, 'issue' | 'renew' | 'message'> & { readonly days: number };

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** Runs `baseline check`. The verdict and the exit code are those of `check --expected`. */
export async function checkBaseline(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  { file, ...flags }: BaselineFlags,
): Promise<void> {
  if (!existsSync(file)) throw usage(`${file}: no such file; wireproof baseline write makes it`);
  await check(firstOperand, otherOperands, { ...flags, expected: file });
}

/** Runs `baseline write`: of each checked target, or of the target of a report. */
export async function writeBaseline(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: WriteFlags,
): Promise<void> {
  const days = positive(flags.days, '--days', 90, 3650);
  if (flags.from !== undefined && (firstOperand !== undefined || otherOperands.length > 0))
    throw usage(`--from ${flags.from} takes the failures from a report; leave suite and command out`);
  let baselines = existsSync(flags.file) ? readBaselines(flags.file) : [];
  const runs =
    flags.from === undefined
      ? await failuresOfRuns(firstOperand, otherOperands, flags)
      : [failuresOfReport(readReport(flags.from))];
  if (runs.length === 0) return; // the check has said why
  for (const run of runs) refuseIncomplete(run);
  for (const run of runs) baselines = withFailuresOf(run, baselines, { ...flags, days });
  writeUserFile(flags.file, textOfBaselines(baselines), 0o644);
  const others = baselines.length - runs.length;
  const kept = others === 0 ? '' : `; what it has of other targets and drives (${others}) stays as it was`;
  printError(`wrote ${flags.file}${kept}\n`);
  const code = Number(process.exitCode ?? exitCodes.conformant);
  if (!incomplete.includes(code)) process.exitCode = exitCodes.conformant;
}

/** The exit codes of a check in which a target was not judged. */
const incomplete: readonly number[] = [
  exitCodes.usage,
  exitCodes.environment,
  exitCodes.internal,
  exitCodes.interrupted,
];

/** The baselines with the failures of a run. A baseline of any target stays: it may hold failures of others. */
function withFailuresOf(
  run: Failures,
  baselines: readonly Baseline[],
  flags: EntryFlags,
): readonly Baseline[] {
  const before = baselineOf(baselines, subjectOf(run));
  const known = knownFailures(run, before?.expected_failures ?? [], flags);
  const { suite, drive } = run.report;
  const [target = ''] = run.names;
  printError(`${target}: known failures: ${known.entries.length}${known.changes}\n`);
  printError(incompleteNote(run.report));
  const written = { suite, target, drive, expected_failures: known.entries };
  if (before?.target === undefined) return [...baselines, written];
  return baselines.map((one) => (one === before ? written : one));
}

/** A check exits with 4 for a MUST that was not exercised, which is no failure that a baseline can hold. */
function incompleteNote({ scope: { must, selected } }: Report): string {
  const missing = must.applicable - must.exercised;
  if (missing === 0 || selected !== undefined) return '';
  return `note: ${missing} of ${must.applicable} applicable MUSTs were not exercised, so that baseline check exits with 4, unless it has --allow-inconclusive\n`;
}

function refuseIncomplete({ report, names }: Failures): void {
  if (report.interrupted || report.verdict === 'error')
    throw usage(
      `the run of ${names[0]} did not come to its end, so its failures are not all there are; nothing is written`,
    );
}

/** A report, and the messages of all violations of a row, as far as they are known to be all. */
interface Failures {
  readonly report: Report;
  /** The names of the target, the best one first. */
  readonly names: readonly string[];
  readonly messagesOf: (row: RequirementOutcome) => readonly string[];
}

const subjectOf = ({ report: { suite, drive }, names }: Failures): BaselineSubject => ({
  suites: [suite],
  names,
  drive,
});

/** A report shows one violation of a row. It is the only one when the row was exercised once. */
const failuresOfReport = (report: Report): Failures => ({
  report,
  names: [report.target],
  messagesOf: ({ exercised, message }) => (exercised === 1 && message !== undefined ? [message] : []),
});

/** Checks targets. @returns the failures of those that were there */
async function failuresOfRuns(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: CheckFlags,
): Promise<readonly Failures[]> {
  const runs: Failures[] = [];
  await check(firstOperand, otherOperands, flags, ({ report, traces }, { name }) =>
    runs.push({
      report,
      names: [name, report.target].filter((one) => one !== undefined),
      messagesOf: ({ id }) =>
        traces.flatMap(({ found }) => (found.get(id)?.violations ?? []).map(({ message }) => message)),
    }),
  );
  return runs;
}

interface KnownFailures {
  readonly entries: readonly ExpectedFailure[];
  /** What became of the entries of the file, in words. */
  readonly changes: string;
}

/**
 * The entries for the failures of a report. An entry that is there already keeps its reason, issue and day of expiry, so
 * that writing again does not put off a date. What the run did not judge stays.
 */
function knownFailures(
  { report: { requirements }, messagesOf }: Failures,
  before: readonly ExpectedFailure[],
  flags: EntryFlags,
): KnownFailures {
  const today = new Date().toISOString().slice(0, 10);
  const expires = new Date(Date.now() + flags.days * 86_400_000).toISOString().slice(0, 10);
  const judged = new Set(requirements.filter(isJudged).map(({ id }) => id));
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const entries = failed.map((row): ExpectedFailure => {
    const old = before.find(({ id }) => id === row.id);
    const message = flags.message ? lastingPart(messagesOf(row)) : undefined;
    const { reason = `known on ${today}`, issue = flags.issue } = old ?? row.expected_failure ?? {};
    return {
      id: row.id,
      reason,
      ...(issue === undefined ? {} : { issue }),
      expires: flags.renew === true ? expires : (old?.expires ?? expires),
      ...(message === undefined ? {} : { message }),
    };
  });
  const unjudged = before.filter(({ id }) => !judged.has(id));
  const added = failed.filter(({ id }) => before.every((old) => old.id !== id)).length;
  const mended = before.length - unjudged.length - (failed.length - added);
  const expired = entries.filter((entry) => (entry.expires ?? today) < today).map(({ id }) => id);
  const changes = [
    ` (${added} new, ${mended} mended and taken out`,
    unjudged.length === 0 ? '' : `, ${unjudged.length} not judged in this run and kept`,
    ')',
    expired.length === 0 ? '' : `; ${expired.join(', ')} expired: --renew gives ${flags.days} days more`,
  ].join('');
  return { entries: [...entries, ...unjudged], changes };
}

const isJudged = ({ verdict }: RequirementOutcome): boolean => verdict === 'pass' || verdict === 'fail';
