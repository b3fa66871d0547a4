/** CTRF, held by its own schema: ctrf-schema.test-helper.json is that of the npm package ctrf 0.3.0. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report } from '../base/index.ts';
import { isObject, unseen } from '../base/index.ts';
import { ctrfReport } from './ctrf.ts';
import { failuresOf } from './verdict.ts';
import { hostileReport, mixed, passing, row, rows, sample, violated } from './sample.test-helper.ts';

const schema: unknown = JSON.parse(
  readFileSync(new URL('ctrf-schema.test-helper.json', import.meta.url), 'utf8'),
);
if (!isObject(schema)) throw new Error('the schema is no object');
const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

interface Ctrf {
  readonly results: {
    readonly summary: { readonly [count: string]: number };
    readonly tests: readonly {
      readonly name: string;
      readonly status: string;
      readonly [key: string]: unknown;
    }[];
    readonly environment: { readonly healthy: boolean; readonly shardId?: string };
  };
}

/** The document, which the schema takes. */
function written(report: Report, now?: number): Ctrf['results'] {
  const document: unknown = JSON.parse(ctrfReport(report, { color: false, now }));
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  return (document as Ctrf).results;
}

const statusOf = (report: Report, id: string): string | undefined =>
  written(report).tests.find(({ testId }) => testId === id)?.status;

describe('CTRF', () => {
  it('has a status for each verdict', () => {
    const report = sample([
      row('PASS'),
      violated('FAIL'),
      row('UNSEEN', { verdict: 'not-observed', exercised: 0, reason: 'no tool call came' }),
      row('ELSEWHERE', { verdict: 'not-applicable', exercised: 0, reason: 'packs are not claimed' }),
      row('OUT', { verdict: 'untestable', exercised: 0, reason: 'needs the directive drive' }),
      row('BROKEN', { verdict: 'error', exercised: 0, message: 'the rule threw' }),
    ]);
    expect(written(report).tests.map(({ status }) => status)).toEqual([
      'passed',
      'failed',
      'pending',
      'skipped',
      'skipped',
      'failed',
    ]);
  });

  it('is not red for violations that are not fatal, are expected or follow from another one', () => {
    expect(['FOLD-A30', 'FOLD-A31', 'FOLD-A43'].map((id) => statusOf(mixed, id))).toEqual([
      'other',
      'other',
      'other',
    ]);
    expect(statusOf({ ...mixed, strict: true }, 'FOLD-A30')).toBe('failed');
  });

  it('tells what came, and where', () => {
    expect(written(mixed).tests.find(({ testId }) => testId === 'FOLD-A15')).toMatchObject({
      name: 'FOLD-A15 The sentence of FOLD-A15.',
      suite: ['fold/agent'],
      message: 'expected response.request_id "r1", got "r2"',
      rawStatus: 'fail',
      tags: ['MUST'],
    });
  });

  it('has the times of the run', () => {
    expect(written(passing, 1_700_000_000_000).summary).toMatchObject({
      start: 1_699_999_997_655,
      stop: 1_700_000_000_000,
      duration: 2345,
      tests: 59,
      passed: 50,
    });
  });

  it.each<[string, Partial<Report>, readonly string[]]>([
    ['not conformant for a problem', { verdict: 'not-conformant', problems: ['stale'] }, ['failed']],
    ['interrupted', { interrupted: true }, ['failed']],
    ['of an error without a row', { verdict: 'error' }, ['failed']],
    ['inconclusive', { verdict: 'inconclusive' }, ['pending']],
    ['conformant', {}, []],
    ['partial', { verdict: 'partial' }, []],
  ])('has a test for a run that is %s, or none', (_, given, expected) => {
    const { tests } = written(sample(rows(2), given));
    expect(tests.slice(2).map(({ status }) => status)).toEqual(expected);
  });

  it('is red exactly where the exit code is not 0, for whatever failed', () => {
    fc.assert(
      fc.property(hostileReport, fc.boolean(), (given, interrupted) => {
        const { fatal } = failuresOf(given);
        const hasErrors = given.requirements.some(({ verdict }) => verdict === 'error');
        const verdict = hasErrors ? 'error' : fatal.length > 0 ? 'not-conformant' : 'conformant';
        const { tests, summary, environment } = written({ ...given, verdict, interrupted });
        const red = tests.filter(({ status }) => status === 'failed').length;
        expect(red > 0).toBe(verdict !== 'conformant' || interrupted);
        expect(environment.healthy).toBe(red === 0);
        expect(summary['tests']).toBe(tests.length);
        expect(summary['failed']).toBe(red);
        for (const { name, message = '' } of tests)
          expect(`${name}${String(message).replaceAll('\n', '')}`).not.toMatch(unseen);
      }),
      { numRuns: 300 },
    );
  });
});
