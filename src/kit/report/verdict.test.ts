import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileReport, passing, row, rows, sample, violated } from './sample.test-helper.ts';
import { failuresOf, verdictLine } from './verdict.ts';
import { expectation } from './words.ts';

const notObserved = { verdict: 'not-observed', exercised: 0, reason: 'no tool call came' } as const;
const known = { reason: 'known' };

describe('the verdict in a line', () => {
  it('says conformant with its scope', () => {
    expect(verdictLine(passing)).toBe(
      'conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive',
    );
  });

  it('names the violated MUSTs', () => {
    const requirements = [...rows(39, 30), violated('FOLD-A15'), violated('FOLD-A27')];
    expect(verdictLine(sample(requirements, { verdict: 'not-conformant' }))).toBe(
      'not conformant: 2 of 41 applicable MUSTs violated (FOLD-A15, FOLD-A27)',
    );
  });

  it('counts the unexercised MUSTs of a run that is not conformant', () => {
    const requirements = [violated('FOLD-A15'), row('FOLD-A16', notObserved)];
    expect(verdictLine(sample(requirements, { verdict: 'not-conformant' }))).toBe(
      'not conformant: 1 of 2 applicable MUSTs violated (FOLD-A15); 1 of 2 applicable MUSTs exercised',
    );
  });

  it('names the MUSTs that were never exercised', () => {
    const requirements = [...rows(36), ...rows(5, 37, notObserved)];
    expect(verdictLine(sample(requirements, { verdict: 'inconclusive' }))).toBe(
      'inconclusive: nothing failed, but 5 of 41 applicable MUSTs were never exercised: FOLD-A37–A41',
    );
  });

  it('says how to accept MUSTs that the unnamed drive cannot reach', () => {
    expect(verdictLine({ ...passing, verdict: 'inconclusive' })).toBe(
      'inconclusive: nothing failed, and 41 of 41 applicable MUSTs exercised; ' +
        '6 untestable in passive drive, which --drive passive accepts',
    );
  });

  it('does not say that nothing failed when something did', () => {
    const requirements = [violated('A', { level: 'SHOULD' }), row('B'), row('C', notObserved)];
    const line = verdictLine(sample(requirements, { verdict: 'inconclusive' }));
    expect(line).toBe(
      'inconclusive: nothing fatal failed, but 1 of 2 applicable MUSTs were never exercised: C; ' +
        '1 SHOULD violated (A), not fatal without --strict',
    );
  });

  it('says inconclusive when nothing ran', () => {
    expect(verdictLine(sample([], { verdict: 'inconclusive' }))).toBe(
      'inconclusive: no applicable MUST was put to the test (0 of 0)',
    );
  });

  it('counts expected failures apart', () => {
    const requirements = [row('A'), violated('B', { expected_failure: known })];
    expect(verdictLine(sample(requirements))).toBe(
      `as expected, not conformant: B (${expectation(row('B', { expected_failure: known }))}); 2 of 2 applicable MUSTs exercised`,
    );
    const should = violated('S', { level: 'SHOULD', expected_failure: known });
    expect(verdictLine(sample([row('A'), should]))).toBe(
      'conformant: 1 of 1 applicable MUSTs exercised; 1 failed as expected (S)',
    );
  });

  it('never says conformant of a selection, and names its flags and what it left out', () => {
    const selected = {
      flags: ['--only A', '--scenario s'],
      requirements: { selected: 2, of: 9 },
      scenarios: { selected: 1, of: 30 },
    };
    const report = sample(rows(2), { verdict: 'partial' });
    expect(verdictLine({ ...report, scope: { ...report.scope, selected } })).toBe(
      'partial: 2 of 2 applicable MUSTs exercised; selected by --only A --scenario s: 2 of 9 requirements and 1 of 30 scenarios',
    );
  });

  it('says how to accept that a part of the scenarios does not exercise all requirements', () => {
    const selected = {
      flags: ['--scenario s'],
      requirements: { selected: 2, of: 2 },
      scenarios: { selected: 1, of: 30 },
    };
    const report = sample([row('A'), row('B', notObserved)], { verdict: 'inconclusive' });
    expect(verdictLine({ ...report, scope: { ...report.scope, selected } })).toBe(
      'inconclusive: nothing failed, but 1 of 2 applicable MUSTs were never exercised: B; ' +
        'selected by --scenario s: 2 of 2 requirements and 1 of 30 scenarios, which --allow-inconclusive accepts',
    );
  });

  it('points at the problems when they alone make a run not conformant', () => {
    const report = sample(rows(2), { verdict: 'not-conformant', problems: ['a stale expected failure'] });
    expect(verdictLine(report)).toBe(
      'not conformant: no unexpected violation, but 1 problem (see above); 2 of 2 applicable MUSTs exercised',
    );
  });

  it('gives no verdict when the kit failed', () => {
    const requirements = [row('A'), row('B', { verdict: 'error', exercised: 0 })];
    expect(verdictLine(sample(requirements, { verdict: 'error' }))).toBe(
      'error: the kit failed on 1 requirement (B), so there is no verdict; 1 of 1 applicable MUSTs exercised',
    );
  });

  it('does not blame the kit when the target was absent', () => {
    const requirements = [
      row('A', { verdict: 'not-observed', exercised: 0, reason: 'it exited with code 1' }),
    ];
    expect(verdictLine(sample(requirements, { verdict: 'error' }))).toBe(
      'error: the target could not be started or reached, so there is no verdict; 0 of 1 applicable MUSTs exercised',
    );
  });

  it('gives no verdict when an interrupted run has shown no fault yet', () => {
    for (const verdict of ['conformant', 'inconclusive'] as const) {
      expect(verdictLine(sample(rows(2), { verdict, interrupted: true }))).toBe(
        'interrupted, no verdict: nothing failed so far, 2 of 2 applicable MUSTs exercised',
      );
    }
  });

  it('keeps the fault that an interrupted run has shown', () => {
    const report = sample([violated('A')], { verdict: 'not-conformant', interrupted: true });
    expect(verdictLine(report)).toBe(
      'not conformant: 1 of 1 applicable MUSTs violated (A); interrupted before its end',
    );
  });

  it('names ten ids at most', () => {
    const requirements = Array.from('abcdefghijklm', (id) => violated(id));
    expect(verdictLine(sample(requirements, { verdict: 'not-conformant' }))).toContain(
      '(a, b, c, d, e, f, g, h, i, j and 3 more)',
    );
  });

  it('never says conformant without its scope, whatever the report', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const line = verdictLine(report);
        const { exercised, applicable } = report.scope.must;
        expect(line).not.toMatch(/\p{Cc}/u);
        if (line.startsWith('conformant')) {
          expect(
            line.startsWith(`conformant: ${exercised} of ${applicable} applicable MUSTs exercised`),
          ).toBe(true);
          expect(report.verdict).toBe('conformant');
        }
      }),
    );
  });
});

describe('the weight of failures', () => {
  const should = violated('S', { level: 'SHOULD' });
  const ids = (of: readonly { readonly id: string }[]): readonly string[] => of.map(({ id }) => id);

  it('tolerates a SHOULD, unless strict', () => {
    expect(ids(failuresOf(sample([should])).tolerated)).toEqual(['S']);
    expect(ids(failuresOf(sample([should], { strict: true })).fatal)).toEqual(['S']);
    expect(verdictLine(sample([should], { verdict: 'not-conformant', strict: true }))).toBe(
      'not conformant: 1 SHOULD violated (S), fatal with --strict; 0 of 0 applicable MUSTs exercised',
    );
  });

  it("uses the report's strictness, for any verdict", () => {
    const report = sample([should, violated('M')], { verdict: 'not-conformant' });
    expect(ids(failuresOf(report).tolerated)).toEqual(['S']);
    expect(ids(failuresOf({ ...report, strict: true }).fatal)).toEqual(['S', 'M']);
  });

  it('never takes a MAY or an expected failure for fatal', () => {
    const failed = [violated('Y', { level: 'MAY' }), violated('E', { expected_failure: known })];
    const report = sample(failed, { strict: true });
    expect(failuresOf(report).fatal).toEqual([]);
    expect(ids(failuresOf(report).expected)).toEqual(['E']);
  });
});
