/** A conformance check as tests: one for each requirement, and one that every MUST was exercised. */
import { AssertionError } from 'node:assert';
import type { Report, RequirementOutcome } from '../../src/kit/base/index.ts';
import { check } from './check.ts';
import type { CheckOptions, CheckTarget } from './options.ts';

/** The options of conformance tests. */
export interface ConformanceOptions extends Omit<CheckOptions, 'suite' | 'target'> {
  /** Whether tests pass although a MUST that applies was not exercised. */
  readonly allowInconclusive?: boolean;
}

/** A test for a runner such as node:test. */
export interface ConformanceTest {
  /** The id of the requirement, its level and its text. */
  readonly name: string;
  /** Why it is skipped; `false`: it is not. */
  readonly skip: string | false;
  /** @throws AssertionError with the message and the excerpt of the trace when the requirement is violated */
  run(): void;
}

/**
 * Checks a target, and gives its tests: one for each requirement, and one for the verdict of the run, which fails when
 * nothing failed but a MUST that applies was not exercised.
 *
 * @throws WireproofError as {@link check}
 *
 * @example
 * import { conformanceTests } from 'wireproof/check';
 *
 * const tests = await conformanceTests(
 *   'toon/codec',
 *   { command: ['python3', 'conformance/examples/toon_testee.py'] },
 *   { only: ['TOON-05'] },
 * );
 * tests.length; // 2
 * // With node:test: for (const { name, skip, run } of tests) test(name, { skip }, run);
 * tests.every(({ skip }) => skip === false); // true
 */
export async function conformanceTests(
  suite: string,
  target: CheckTarget,
  options: ConformanceOptions = {},
): Promise<readonly ConformanceTest[]> {
  const { report } = await check({ ...options, suite, target });
  return [
    ...report.requirements.map((outcome): ConformanceTest => ({
      name: nameOf(outcome),
      skip: skipReason(outcome) ?? false,
      run: () => failIf(failureOf(outcome, report.strict)),
    })),
    { name: runTest, skip: false, run: () => failIf(runFailure(report, options)) },
  ];
}

/**
 * Asserts that a run is conformant, or partial where a part of a suite was selected: for one test in any runner.
 *
 * @throws AssertionError with each violated requirement, its message and its excerpt
 *
 * @example
 * import { expectConformance, judge } from 'wireproof/check';
 *
 * const report = await judge('fixtures/toon/sessions/TOON-06.orchestrator.good.jsonl');
 * expectConformance(report, { allowInconclusive: true });
 */
export function expectConformance(
  report: Report,
  options: { readonly allowInconclusive?: boolean } = {},
): void {
  const failures = report.requirements.flatMap((outcome) => failureOf(outcome, report.strict) ?? []);
  if (failures.length > 0) throw assertion(failures.join('\n\n'));
  failIf(runFailure(report, options));
}

/** The name of the test for the whole run. */
export const runTest = 'every MUST that applies was exercised';

/** The name of a requirement's test. */
export const nameOf = ({ id, level, text }: Pick<RequirementOutcome, 'id' | 'level' | 'text'>): string =>
  `${id} ${level} ${text}`;

/** Why the test of a requirement is skipped; undefined: it passes or fails. */
export function skipReason(outcome: RequirementOutcome): string | undefined {
  const { verdict, reason = 'not exercised', expected_failure: expected, message = '' } = outcome;
  if (verdict === 'fail' && expected !== undefined) return `expected failure: ${expected.reason}: ${message}`;
  if (verdict === 'fail' && outcome.follows_from !== undefined)
    return `follows from ${outcome.follows_from.id}: ${message}`;
  return ['pass', 'fail', 'error'].includes(verdict) ? undefined : `${verdict}: ${reason}`;
}

/** The violation of a requirement in words, with the excerpt of the trace; undefined: its test passes. */
export function failureOf(outcome: RequirementOutcome, strict: boolean): string | undefined {
  const { id, level, verdict, message = '', reason = '', excerpt = [], source, replay } = outcome;
  if (skipReason(outcome) !== undefined || verdict === 'pass') return undefined;
  if (verdict === 'error') return `${id}: the kit failed: ${message || reason}`;
  if (level === 'MAY' || (level === 'SHOULD' && !strict)) return undefined;
  const { document, section } = source;
  return [
    `${id} ${level}: ${message}`,
    ...excerpt.map((line) => `    ${line}`),
    `  source: ${document}, ${section}`,
    ...(replay === undefined ? [] : [`  again: ${replay}`]),
  ].join('\n');
}

/** Why a run without violations is no success; undefined: it is one. */
export function runFailure(
  report: Report,
  { allowInconclusive = false }: { readonly allowInconclusive?: boolean },
): string | undefined {
  const { interrupted, problems, requirements, scope } = report;
  if (interrupted) return 'the check was interrupted';
  if (problems.length > 0) return problems.join('\n');
  if (!isIncomplete(report)) return undefined;
  const passed = requirements.some((outcome) => outcome.verdict === 'pass');
  if (allowInconclusive && passed) return undefined;
  const missed = requirements.filter(
    ({ level, verdict }) => level === 'MUST' && (verdict === 'not-observed' || verdict === 'untestable'),
  );
  const { exercised, applicable } = scope.must;
  return [
    `inconclusive: ${exercised} of ${applicable} applicable MUSTs exercised${passed ? '' : '; nothing was exercised'}`,
    ...missed.map(({ id, verdict, reason = '' }) => `  ${id} ${verdict}: ${reason}`),
  ].join('\n');
}

/** Whether a MUST that applies was not exercised. The verdict of a run that failed does not say so. */
const isIncomplete = ({ verdict, scope: { must, selected } }: Report): boolean =>
  verdict === 'inconclusive' ||
  (verdict === 'not-conformant' && selected === undefined && must.exercised < must.applicable);

const assertion = (message: string): AssertionError => new AssertionError({ message });

function failIf(failure: string | undefined): void {
  if (failure !== undefined) throw assertion(failure);
}
