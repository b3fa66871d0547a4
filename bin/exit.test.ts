/** Exit codes of inconclusive runs (spec/verdicts.md and spec/reports.md). */
import { describe, expect, it } from 'vitest';
import { row, sample } from '../src/kit/report/sample.test-helper.ts';
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
