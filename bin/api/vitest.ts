/**
 * Conformance in vitest: a test for each requirement, and matchers for traces and simulated peers. Importing it adds the
 * matchers to `expect`. spec/tests.md has an example that a test runs.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { failureOf, nameOf, runFailure, runTest, skipReason } from './conformance.ts';
import type { ConformanceOptions } from './conformance.ts';
import { conformsTo, hasSent } from './matchers.ts';
import type { CheckTarget } from './options.ts';
import { prepareCheck } from './prepare.ts';

export type { CheckTarget } from './options.ts';
export type { ConformanceOptions } from './conformance.ts';

/** The options of {@link describeConformance}. */
export interface DescribeOptions extends ConformanceOptions {
  /** The name of the group of tests; default: the suite. */
  readonly name?: string;
  /** The longest time of the check (ms). Default: ten minutes. */
  readonly timeout?: number;
}

const tenMinutes = 600_000;

/**
 * Describes the conformance of a target: one test for each requirement, and one that every MUST that applies was exercised.
 * The check runs once, before the first test. A violated MUST fails with its message and excerpt; a requirement that was
 * not observed, does not apply or is untestable is skipped with the reason.
 */
export function describeConformance(suite: string, target: CheckTarget, options: DescribeOptions = {}): void {
  const { name = suite, timeout = tenMinutes, ...checked } = options;
  describe(name, async () => {
    const prepared = await prepareCheck({ ...checked, suite, target });
    let report: Report | undefined;
    beforeAll(async () => {
      ({ report } = await prepared.run());
    }, timeout);
    const ran = (): Report => {
      if (report === undefined) throw new Error('the check has not run');
      return report;
    };
    const rows = prepared.options.requirements.filter(({ excluded }) => excluded === undefined);
    for (const row of rows)
      it(nameOf(row), (context) => {
        const { requirements, strict } = ran();
        const outcome = requirements.find(({ id }) => id === row.id);
        const skip = outcome === undefined ? 'the report has no such row' : skipReason(outcome);
        if (outcome === undefined || skip !== undefined) return context.skip(skip);
        failIf(failureOf(outcome, strict));
      });
    it(runTest, () => failIf(runFailure(ran(), options)));
  });
}

/** Fails the test, without the stack of this file: it says nothing of the target. */
function failIf(failure: string | undefined): void {
  if (failure === undefined) return;
  const error = new Error(failure);
  error.name = 'NotConformant';
  error.stack = `${error.name}: ${failure}`;
  throw error;
}

/** The matchers for `expect`. */
interface WireproofMatchers {
  /**
   * The other side of a trace, or of a simulated peer, violates no requirement of this suite, and exercises some: such as
   * `await expect(llm).toConformTo('llm/client')`.
   */
  toConformTo(suite: string): Promise<void>;
  /** The other side sent a message with these members, such as `expect(gateway).toHaveSent({ register: { agent_id: 'a-1' } })`. */
  toHaveSent(partial: unknown): void;
}

declare module 'vitest' {
  // eslint-disable-next-line
  interface Matchers<T> extends WireproofMatchers {}
}

expect.extend({
  toConformTo: (traced: unknown, suite: string) => conformsTo(traced, suite),
  toHaveSent(traced: unknown, partial: unknown) {
    return hasSent(traced, partial, (a, b) => this.equals(a, b));
  },
});
