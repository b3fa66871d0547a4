/** The badge's form is shields.io's "Endpoint Badge": schemaVersion 1, label and message are required. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report } from '../base/index.ts';
import { badgeReport } from './badge.ts';
import { hostileReport, mixed, passing, rows, sample, violated } from './sample.test-helper.ts';

const badgeOf = (report: Report): unknown => JSON.parse(badgeReport(report));

const expectedFailure = violated('X', { expected_failure: { reason: 'known' } });

describe('the badge', () => {
  it.each<[string, Report, string, string]>([
    ['conformant', sample(rows(33)), '33 of 33 MUSTs', 'brightgreen'],
    ['conformant with what is out of reach', passing, '41 of 41 MUSTs, 6 untestable', 'brightgreen'],
    ['partial', sample(rows(2), { verdict: 'partial' }), 'partial, 2 of 2 MUSTs', 'blue'],
    ['inconclusive', sample(rows(2), { verdict: 'inconclusive' }), 'inconclusive, 2 of 2 MUSTs', 'yellow'],
    ['interrupted', sample(rows(2), { interrupted: true }), 'interrupted, 2 of 2 MUSTs', 'lightgrey'],
    ['not conformant', mixed, 'not conformant, 2 of 9 MUSTs violated', 'red'],
    ['not conformant for a problem', sample(rows(2), { verdict: 'not-conformant' }), 'not conformant', 'red'],
    ['of an error', sample(rows(2), { verdict: 'error' }), 'error, no verdict', 'lightgrey'],
    [
      'not conformant as expected',
      sample([...rows(1), expectedFailure]),
      'not conformant as expected, 1 known',
      'yellow',
    ],
  ])('of a run that is %s', (_, report, message, color) => {
    expect(badgeOf(report)).toEqual({ schemaVersion: 1, label: 'fold/agent', message, color });
  });

  it('is green only for a conformant run that was not interrupted', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const { color } = badgeOf(report) as { color: string };
        if (color.includes('green'))
          expect([report.verdict, report.interrupted]).toEqual(['conformant', false]);
      }),
    );
  });
});
