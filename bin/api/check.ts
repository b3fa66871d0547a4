/** A check from within a program: the options of `wireproof check`, and its report and traces as values. */
import type { CheckOptions, CheckResult } from './options.ts';
import { prepareCheck } from './prepare.ts';

/**
 * Checks a target, as `wireproof check` does. It writes nothing to stdout, stderr or files, and sets no exit code: the
 * verdict is in the report.
 *
 * @throws WireproofError 'usage' on missing, contradictory and unknown options, 'environment' when the target could not
 * be started or never came: where the command exits with 2 and 3
 *
 * @example
 * import { check } from 'wireproof/check';
 *
 * const { report } = await check({
 *   suite: 'toon/codec',
 *   target: { command: ['python3', 'conformance/examples/toon_testee.py'] },
 *   only: ['TOON-0*'],
 * });
 * report.verdict; // 'partial'
 * report.counts.fail; // 0
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  return (await prepareCheck(options)).run();
}
