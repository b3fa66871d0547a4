/** `wireproof check`: checks whether a target is conformant. */
import { join } from 'node:path';
import { addressText, WireproofError } from '../../src/kit/base/index.ts';
import { check as runCheck } from '../../src/kit/run/index.ts';
import type { Checked, ManualStart } from '../../src/kit/run/index.ts';
import { operands } from '../check/options.ts';
import type { CheckFlags } from '../check/options.ts';
import { planCheck } from '../check/plan.ts';
import type { CheckRequest } from '../check/plan.ts';
import { allChecked, underName } from '../check/several.ts';
import type { PlannedCheck } from '../check/several.ts';
import { reportsOf, subjectsOf } from '../check/subjects.ts';
import type { CheckSubject } from '../check/subjects.ts';
import { exitCodeOf } from '../output/exit.ts';
import { onInterrupt } from '../output/interrupt.ts';
import { progressLine } from '../output/progress.ts';
import { wantedReports, writeReports } from '../output/reports.ts';
import { keepTraces, keptSentence } from '../check/results.ts';
import { printError } from '../output/terminal.ts';
import { ownTraceFolder } from '../traces/folder.ts';

/**
 * Runs the verb.
 *
 * @param seen - called with the result of each target that was there
 */
export async function check(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: CheckFlags,
  seen: (result: Checked, subject: CheckSubject) => void = () => {},
): Promise<void> {
  const { suite: word, command } = operands(firstOperand, otherOperands, process.argv);
  const wanted = wantedReports(flags);
  const subjects = subjectsOf(word, command, flags);
  const reports = reportsOf(wanted, subjects);
  const abort = new AbortController();
  const progress = progressLine();
  const shown: Pick<CheckRequest, 'signal' | 'progress' | 'listening' | 'note'> = {
    signal: abort.signal,
    progress: progress.show,
    listening: showWaiting(flags.advertise ?? '127.0.0.1'),
    note: (text) => printError(`note: ${text}\n`),
  };
  const traceDir = flags.trace === 'off' ? flags.traceDir : ownTraceFolder(flags.traceDir);
  // All of them are made before the first target starts: what is refused is refused at once.
  const checks = await Promise.all(
    subjects.map((subject) =>
      underName(subject, async (): Promise<PlannedCheck> => {
        const own = {
          ...flags,
          traceDir: subject.name === undefined ? traceDir : join(traceDir, subject.name),
        };
        const plan = await planCheck({ ...shown, subject, command, flags: own });
        return { subject, flags: own, reports: reports(subject), ...plan };
      }),
    ),
  );
  const giveBack = onInterrupt(abort, 'stopping the target and writing a partial report');
  const run = (one: PlannedCheck): Promise<number> => checked(one, progress.clear, seen);
  const [only] = checks;
  if (checks.length === 1 && only !== undefined) process.exitCode = await run(only).finally(giveBack);
  else await allChecked(checks, abort.signal, run).finally(giveBack);
}

/**
 * Checks one target, and writes its report.
 *
 * @returns the exit code
 * @throws WireproofError 'environment' when the target is absent
 */
async function checked(
  { subject, options, flags, reports, remember }: PlannedCheck,
  clear: () => void,
  seen: (result: Checked, subject: CheckSubject) => void,
): Promise<number> {
  const result = await runCheck(options).finally(clear);
  const kept = keptTraces(result, options, flags);
  // When the target is absent, the console shows one sentence instead of a report. Other formats are still written.
  const { absent, report } = result;
  const shown = absent === undefined ? reports : reports.filter(({ format }) => format !== 'console');
  const diagrams = flags.trace === 'off' ? 'none' : flags.trace;
  writeReports(report, shown, flags, { traces: result.traces, diagrams });
  if (absent !== undefined) throw absent;
  if (kept.length > 0) printError(`${keptSentence(kept, flags.traceDir)}\n`);
  remember(report);
  seen(result, subject);
  return exitCodeOf(report, flags.allowInconclusive === true);
}

/** Keeps the traces. A trace that cannot be written changes no verdict. */
function keptTraces(...kept: Parameters<typeof keepTraces>): readonly string[] {
  try {
    return keepTraces(...kept);
  } catch (error) {
    if (!(error instanceof WireproofError)) throw error;
    printError(`note: no trace is kept: ${error.message}\n`);
    return [];
  }
}

/** Says where the kit waits for a target started by hand. */
const showWaiting =
  (host: string) =>
  (port: number, { again, instruction }: ManualStart): void => {
    const longer = `: its stream ended. Start it if it does not run (waiting ${(again ?? 0) / 1000} s; --timeout reconnect=…)`;
    const by = instruction === undefined ? '' : `; ${instruction}`;
    printError(
      `waiting at ${addressText({ host, port })} for the target${again === undefined ? '' : longer}${by}\n`,
    );
  };
