/**
 * `wireproof baseline`: writes the failures of today into a file of expected failures, and checks against it. The check
 * is that of `check --expected`: new failures, mended ones and expired ones fail it.
 */
import { existsSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import type { Report, RequirementOutcome } from '../src/kit/base/index.ts';
import { readReport, readStatement, writeUserFile } from '../src/kit/spec/index.ts';
import type { Checked } from '../src/kit/run/index.ts';
import type { ExpectedFailure } from '../src/kit/spec/index.ts';
import { check } from './check.ts';
import { positive } from './check-options.ts';
import type { CheckFlags } from './check-options.ts';
import { exitCodes } from './exit.ts';
import { lastingPart } from './lasting-part.ts';
import { printError } from './terminal.ts';

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

/** Runs `baseline write`. */
export async function writeBaseline(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: WriteFlags,
): Promise<void> {
  const days = positive(flags.days, '--days', 90, 3650);
  if (flags.from !== undefined && (firstOperand !== undefined || otherOperands.length > 0))
    throw usage(`--from ${flags.from} takes the failures from a report; leave suite and command out`);
  const failures =
    flags.from === undefined
      ? await failuresOfRun(firstOperand, otherOperands, flags)
      : failuresOfReport(readReport(flags.from));
  if (failures === undefined) return; // the check has said why
  const { report } = failures;
  if (report.interrupted || report.verdict === 'error')
    throw usage('the run did not come to its end, so its failures are not all there are; nothing is written');
  const before = existsSync(flags.file) ? readStatement(flags.file) : undefined;
  if (before !== undefined && before.suite !== report.suite)
    throw usage(`${flags.file} is for ${before.suite}; this run is of ${report.suite}; name another --file`);
  const known = knownFailures(failures, before?.expected_failures ?? [], { ...flags, days });
  writeUserFile(flags.file, fileText(report.suite, known.entries), 0o644);
  printError(`wrote ${flags.file}: ${known.entries.length} known failures${known.changes}\n`);
  process.exitCode = exitCodes.conformant;
}

/** A report, and the messages of all violations of a row, as far as they are known to be all. */
interface Failures {
  readonly report: Report;
  readonly messagesOf: (row: RequirementOutcome) => readonly string[];
}

/** A report shows one violation of a row. It is the only one when the row was exercised once. */
const failuresOfReport = (report: Report): Failures => ({
  report,
  messagesOf: ({ exercised, message }) => (exercised === 1 && message !== undefined ? [message] : []),
});

/** Checks a target. @returns its failures; undefined when no target was checked, or several were */
async function failuresOfRun(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: CheckFlags,
): Promise<Failures | undefined> {
  const results: Checked[] = [];
  await check(firstOperand, otherOperands, flags, (result) => results.push(result));
  const [only, ...more] = results;
  if (only === undefined) return undefined;
  if (more.length > 0) throw usage('a baseline is of one target; name one of the targets of the statement');
  const { report, traces } = only;
  const messagesOf = ({ id }: RequirementOutcome): readonly string[] =>
    traces.flatMap(({ found }) => (found.get(id)?.violations ?? []).map(({ message }) => message));
  return { report, messagesOf };
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
  flags: Pick<WriteFlags, 'issue' | 'renew' | 'message'> & { readonly days: number },
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

/** The text of the file. A text in quotes of JSON is one of YAML. */
function fileText(suite: string, entries: readonly ExpectedFailure[]): string {
  const lines = entries.flatMap((entry) =>
    Object.entries(entry).map(
      ([key, value], i) => `${i === 0 ? '  - ' : '    '}${key}: ${JSON.stringify(value)}`,
    ),
  );
  return `# Known failures, written by wireproof baseline write. A check against them (wireproof baseline check) fails for
# new ones, for mended ones, and for those that have expired.
suite: ${suite}
expected_failures:${lines.length === 0 ? ' []' : `\n${lines.join('\n')}`}
`;
}
