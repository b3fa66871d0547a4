/** Exit codes of the command, and the message of each failure. */
import type { Report } from '../../src/kit/base/index.ts';
import { escapedText } from './escaped-text.ts';
import { printError } from './terminal.ts';

/** The exit codes that spec/verdicts.md documents. */
export const exitCodes = {
  conformant: 0,
  notConformant: 1,
  usage: 2,
  environment: 3,
  inconclusive: 4,
  internal: 5,
  interrupted: 130,
} as const;

/** The exit code of a report. */
export function exitCodeOf(report: Report, allowInconclusive: boolean): number {
  if (report.interrupted) return exitCodes.interrupted;
  switch (report.verdict) {
    case 'conformant':
    case 'partial':
      return exitCodes.conformant;
    case 'not-conformant':
      return exitCodes.notConformant;
    case 'inconclusive': {
      const ran = report.requirements.some(({ verdict }) => verdict === 'pass');
      // The scenarios of a small shard may show nothing by themselves. The merged run has the verdict.
      return allowInconclusive && (ran || report.shard !== undefined)
        ? exitCodes.conformant
        : exitCodes.inconclusive;
    }
    case 'error':
      return exitCodes.internal;
    default:
      return report.verdict satisfies never;
  }
}

/** An error of the kit, recognised by its name: importing the class would slow down `--help`. */
interface KitError {
  readonly name: 'WireproofError';
  readonly code: 'usage' | 'environment' | 'internal';
  readonly message: string;
}

const isKitError = (error: unknown): error is KitError =>
  error instanceof Error && error.name === 'WireproofError';

/** Prints a failure and sets the exit code. */
export function fail(error: unknown): void {
  if (isKitError(error)) {
    printError(`wireproof: ${error.message}\n`);
    process.exitCode = exitCodes[error.code];
    return;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `wireproof: the kit failed; please report this with the command you ran.\n${escapedText(detail)}\n`,
  );
  process.exitCode = exitCodes.internal;
}
