/** `wireproof check`: checks whether a target is conformant. */
import { WireproofError } from '../src/kit/base/index.ts';
import { check as runCheck } from '../src/kit/run/index.ts';
import type { ManualStart } from '../src/kit/run/index.ts';
import { killAllTargets } from '../src/kit/transport/index.ts';
import { operands, statementOf } from './check-options.ts';
import type { CheckFlags } from './check-options.ts';
import { planCheck } from './check-plan.ts';
import { exitCodeOf } from './exit.ts';
import { onInterrupt } from './interrupt.ts';
import { progressLine } from './progress.ts';
import { wantedReports, writeReports } from './reports.ts';
import { keepTraces, keptSentence } from './check-results.ts';

/** Runs the verb. */
export async function check(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: CheckFlags,
): Promise<void> {
  const { suite: suiteId, command } = operands(firstOperand, otherOperands, process.argv);
  const wanted = wantedReports(flags);
  const abort = new AbortController();
  const progress = progressLine();
  const options = await planCheck({
    suiteId,
    statement: statementOf(flags, suiteId),
    command,
    flags,
    signal: abort.signal,
    progress: progress.show,
    listening: showWaiting(flags.advertise ?? '127.0.0.1'),
    note: (text) => process.stderr.write(`note: ${text}\n`),
  });
  const giveBack = onInterrupt(abort, killAllTargets);
  const checked = await runCheck(options).finally(progress.clear);
  giveBack();
  const kept = keptTraces(checked, options, flags);
  // When the target is absent, the console shows one sentence instead of a report. Other formats are still written.
  const { absent } = checked;
  const shown = absent === undefined ? wanted : wanted.filter(({ format }) => format !== 'console');
  writeReports(checked.report, shown, flags);
  if (absent !== undefined) throw absent;
  if (kept.length > 0) process.stderr.write(`${keptSentence(kept, flags.traceDir)}\n`);
  process.exitCode = exitCodeOf(checked.report, flags.allowInconclusive === true);
}

/** Keeps the traces. A trace that cannot be written changes no verdict. */
function keptTraces(...kept: Parameters<typeof keepTraces>): readonly string[] {
  try {
    return keepTraces(...kept);
  } catch (error) {
    if (!(error instanceof WireproofError)) throw error;
    process.stderr.write(`note: no trace is kept: ${error.message}\n`);
    return [];
  }
}

/** Says where the kit waits for a target started by hand. */
const showWaiting =
  (host: string) =>
  (port: number, { again, instruction }: ManualStart): void => {
    const longer = `: its stream ended. Start it if it does not run (waiting ${(again ?? 0) / 1000} s; --timeout reconnect=…)`;
    const by = instruction === undefined ? '' : `; ${instruction}`;
    process.stderr.write(
      `waiting at ${host}:${port} for the target${again === undefined ? '' : longer}${by}\n`,
    );
  };
