/** Checks several targets, one after the other. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { exitCodes, fail } from '../output/exit.ts';
import type { WantedReport } from '../output/reports.ts';
import { printError } from '../output/terminal.ts';
import type { CheckFlags } from './options.ts';
import type { CheckPlan } from './plan.ts';
import type { CheckSubject } from './subjects.ts';

/** A planned check, and where its results go. */
export interface PlannedCheck extends CheckPlan {
  readonly subject: CheckSubject;
  readonly flags: CheckFlags;
  readonly reports: readonly WantedReport[];
}

/** From the worst to the best. Of a target that could not be checked nothing is known, so that is worse than a failure. */
const worstFirst: readonly number[] = [
  exitCodes.interrupted,
  exitCodes.internal,
  exitCodes.usage,
  exitCodes.environment,
  exitCodes.notConformant,
  exitCodes.inconclusive,
];

/** The worst of some exit codes. */
export const worstOf = (codes: readonly number[]): number =>
  worstFirst.find((code) => codes.includes(code)) ?? exitCodes.conformant;

/** Runs all checks, also after one has failed, and sets the worst exit code. An interrupt ends all. */
export async function allChecked(
  checks: readonly PlannedCheck[],
  interrupted: AbortSignal,
  checked: (one: PlannedCheck) => Promise<number>,
): Promise<void> {
  const ended: { readonly name: string; readonly code: number }[] = [];
  for (const one of checks) {
    if (interrupted.aborted) break;
    const { name = '' } = one.subject;
    printError(`\n== ${name} (${one.options.suite.id})\n`);
    ended.push({ name, code: await checked(one).catch(codeOf) });
  }
  const codes = ended.map(({ name, code }) => `${name} ${meanings[code] ?? code}`);
  printError(`\n${ended.length} of ${checks.length} targets checked: ${codes.join(', ')}\n`);
  const all = ended.map(({ code }) => code);
  process.exitCode = worstOf(ended.length < checks.length ? [...all, exitCodes.interrupted] : all);
}

/** Prints a failure. @returns its exit code */
function codeOf(error: unknown): number {
  fail(error);
  return Number(process.exitCode);
}

const meanings: { readonly [code: number]: string } = {
  [exitCodes.conformant]: 'passed',
  [exitCodes.notConformant]: 'not conformant',
  [exitCodes.usage]: 'refused',
  [exitCodes.environment]: 'not reached',
  [exitCodes.inconclusive]: 'inconclusive',
  [exitCodes.internal]: 'the kit failed',
  [exitCodes.interrupted]: 'interrupted',
};

/** Puts the name of its target before a refusal. */
export async function underName<T>({ name }: CheckSubject, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (name === undefined || !(error instanceof WireproofError)) throw error;
    throw new WireproofError(error.code, `target ${name}: ${error.message}`, { cause: error });
  }
}
