import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report, RequirementOutcome } from '../base/index.ts';
import { isObject, unseen } from '../base/index.ts';
import { consoleDiff, diffReports, jsonDiff } from './diff.ts';
import { hostileReport, mixed, passing, row, sample, violated } from './sample.test-helper.ts';

const schema: unknown = JSON.parse(
  readFileSync(new URL('../../../spec/formats/report-diff.schema.json', import.meta.url), 'utf8'),
);
if (!isObject(schema)) throw new Error('the schema is no object');
const validate = new Ajv({ strict: true }).compile(schema);

const unseenRow = (id: string): RequirementOutcome =>
  row(id, { verdict: 'not-observed', exercised: 0, reason: 'no tool call came' });
const expectedRow = (id: string): RequirementOutcome =>
  violated(id, { expected_failure: { reason: 'known' } });
const errorRow = (id: string): RequirementOutcome => row(id, { verdict: 'error', exercised: 0 });

/** Where a requirement is listed when its row changes. */
function listOf(old: RequirementOutcome, now: RequirementOutcome): string | undefined {
  const diff = diffReports(sample([old]), sample([now]));
  return (['worse', 'better', 'changed', 'added', 'gone'] as const).find((key) => diff[key].length > 0);
}

describe('a requirement', () => {
  it.each([
    ['worse', row('A'), violated('A')],
    ['worse', row('A'), unseenRow('A')],
    ['worse', row('A'), expectedRow('A')],
    ['worse', row('A'), errorRow('A')],
    ['worse', unseenRow('A'), violated('A')],
    ['worse', expectedRow('A'), violated('A')],
    ['better', violated('A'), row('A')],
    ['better', unseenRow('A'), row('A')],
    ['changed', violated('A'), unseenRow('A')],
    ['changed', violated('A'), expectedRow('A')],
    ['changed', violated('A'), errorRow('A')],
    [undefined, row('A'), row('A', { exercised: 7 })],
    [undefined, violated('A'), violated('A', { message: 'another one' })],
  ])('is %s when it changes so', (list, old, now) => {
    expect(listOf(old, now)).toBe(list);
  });

  it('is new or gone, which is not worse', () => {
    const diff = diffReports(sample([row('A')]), sample([violated('B')]));
    expect(diff.added).toMatchObject([{ id: 'B', new: 'fail' }]);
    expect(diff.gone).toMatchObject([{ id: 'A', old: 'pass' }]);
    expect(diff.became_worse).toBe(false);
  });
});

describe('the verdict of the run', () => {
  it.each<[boolean, Partial<Report>, Partial<Report>]>([
    [true, {}, { verdict: 'not-conformant' }],
    [true, {}, { verdict: 'inconclusive' }],
    [true, {}, { interrupted: true }],
    [true, { verdict: 'not-conformant' }, { verdict: 'error' }],
    [false, { verdict: 'not-conformant' }, {}],
    [false, {}, { verdict: 'partial' }],
    [false, { verdict: 'error' }, { verdict: 'error' }],
  ])('is worse: %s', (worse, old, now) => {
    expect(diffReports(sample([row('A')], old), sample([row('A')], now)).became_worse).toBe(worse);
  });
});

describe('the differences', () => {
  it('of a report and itself are none', () => {
    const text = consoleDiff(diffReports(mixed, mixed));
    expect(text).toContain('nothing became worse: no requirement differs\n');
  });

  it('are sentences for people', () => {
    const text = consoleDiff(
      diffReports(sample([row('A')]), sample([violated('A')], { verdict: 'not-conformant' })),
    );
    expect(text).toContain(
      'became worse\n  A MUST  pass → FAIL\n    The sentence of A.\n    expected response',
    );
    expect(text.trimEnd().split('\n').at(-1)).toBe('worse: 1 requirement became worse');
  });

  it('are JSON that its schema takes', () => {
    for (const [old, now] of [
      [passing, mixed],
      [mixed, passing],
    ] as const) {
      validate(JSON.parse(jsonDiff(diffReports(old, now))));
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  it('have no text that acts', () => {
    fc.assert(
      fc.property(hostileReport, hostileReport, (old, now) => {
        const diff = diffReports(old, now);
        const text = consoleDiff(diff);
        expect(text.replaceAll('\n', '')).not.toMatch(unseen);
        expect(text).not.toMatch(/^\s*::|##\[|##vso\[/mu);
        expect(JSON.parse(jsonDiff(diff))).toEqual(JSON.parse(JSON.stringify(diff)));
      }),
      { numRuns: 200 },
    );
  });
});
