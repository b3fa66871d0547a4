/** `wireproof judge`: judges a recorded trace by the same rules. */
import { exitCodeOf } from '../output/exit.ts';
import { judgeTrace } from '../check/judge-trace.ts';
import type { JudgeSelection } from '../check/judge-trace.ts';
import { wantedReports, writeReports } from '../output/reports.ts';
import type { ReportingFlags } from '../output/reports.ts';
import { recordedTrace } from '../traces/source.ts';

/** The flags of `judge`. */
export type JudgeFlags = ReportingFlags & JudgeSelection;

/** Runs the verb. */
export async function judge(file: string, flags: JudgeFlags): Promise<void> {
  const wanted = wantedReports(flags);
  const { report, traces } = await judgeTrace(await recordedTrace(file), flags);
  writeReports(report, wanted, flags, { traces, diagrams: 'all' });
  process.exitCode = exitCodeOf(report, flags.allowInconclusive === true);
}
