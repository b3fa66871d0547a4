/**
 * Checks and judges from within a program: what `wireproof check` and `wireproof judge` do, as functions, for tests in any
 * runner. `wireproof/vitest` builds on it.
 *
 * @example
 * import { judge, suites } from 'wireproof/check';
 *
 * suites.includes('fold/agent'); // true
 * const report = await judge('fixtures/toon/sessions/TOON-01.orchestrator.good.jsonl');
 * report.counts.fail; // 0
 */
import { registry } from '../registry.ts';

export { check } from './check.ts';
export type { CheckOptions, CheckResult, CheckTarget, CheckTrace } from './options.ts';
export { judge } from './judge.ts';
export type { JudgeOptions, JudgedTrace } from './judge.ts';
export { conformanceTests, expectConformance } from './conformance.ts';
export type { ConformanceOptions, ConformanceTest } from './conformance.ts';

/** The ids of all suites, such as `fold/agent`. */
export const suites: readonly string[] = registry.suites;
