/** Exit codes of inconclusive runs (spec/verdicts.md and spec/reports.md). */
import { describe, expect, it } from 'vitest';
import type { Report, RequirementOutcome } from '../../src/kit/base/index.ts';
import { row, sample } from '../../src/kit/report/sample.test-helper.ts';
import { runFailure } from '../api/conformance.ts';
import { exitCodeOf } from './exit.ts';

const unseen = row('A', { verdict: 'not-observed', exercised: 0, reason: 'it did not come up' });
const nothing = sample([unseen], { verdict: 'inconclusive' });
const some = sample([unseen, row('B')], { verdict: 'inconclusive' });
const shard = {
  ...{ part: 1, of: 2, met: true, drive_named: true, today: '2026-06-01', absent: false },
  ...{ requirements: [], scenarios: [], skipped: [], expected: [], problems: [], findings: [] },
  ...{ handles: {}, excused: {} },
};

describe('an inconclusive run', () => {
  it.each([
    ['some passed', some, false, 4],
    ['some passed', some, true, 0],
    ['nothing passed', nothing, true, 4],
    ['nothing passed in a shard', { ...nothing, shard }, false, 4],
    ['nothing passed in a shard', { ...nothing, shard }, true, 0],
    ['an interrupted shard', { ...nothing, shard, interrupted: true }, true, 130],
  ])('of which %s: exit code', (_, report, allowed, code) => {
    expect(exitCodeOf(report, allowed)).toBe(code);
  });
});

describe('the test of a whole run', () => {
  const failed = row('B', { verdict: 'fail', message: 'expected this; came that' });
  const must = { applicable: 2, exercised: 1, untestable: 0 };
  const report = (rows: readonly RequirementOutcome[], scope: Report['scope']): Report =>
    sample(rows, { verdict: 'not-conformant', scope });

  it('fails when a MUST was not exercised, also where another one failed', () => {
    expect(runFailure(report([unseen, failed], { drive: 'passive', must }), {})).toMatch(
      /^inconclusive: 1 of 2 applicable MUSTs exercised[^]*A not-observed: it did not come up/,
    );
  });

  it('passes when all were exercised, or a part was selected', () => {
    const all = { drive: 'passive', must: { ...must, exercised: 2 } };
    const selected = { flags: ['--only B'], requirements: { selected: 1, of: 2 } };
    expect(runFailure(report([failed], all), {})).toBeUndefined();
    expect(runFailure(report([unseen, failed], { drive: 'passive', must, selected }), {})).toBeUndefined();
  });
});
