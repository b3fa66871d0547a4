/** The verdicts' contract (design: "Words", "Report", "Exit codes"), on hand-made findings. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../base/index.ts';
import type { RequirementFindings } from './judge.ts';
import { reportOf } from './verdict.ts';
import type { RunFacts } from './run-facts.ts';
import { row, run, scenario } from './run-facts.test-helper.ts';

const passed: RequirementFindings = { exercised: 2, violations: [], unknowable: undefined };
const broken: RequirementFindings = {
  exercised: 1,
  violations: [{ type: 'violated', seq: 0, message: 'expected this; came that' }],
  unknowable: undefined,
};
const untouched: RequirementFindings = { exercised: 0, violations: [], unknowable: undefined };

const verdictOf = (facts: RunFacts, id: string): string | undefined =>
  reportOf(facts).requirements.find((r) => r.id === id)?.verdict;

describe('the verdict of a requirement', () => {
  it('is pass only when it was exercised', () => {
    expect(verdictOf(run({ A: passed }, [row('A')]), 'A')).toBe('pass');
    expect(verdictOf(run({ A: untouched }, [row('A')]), 'A')).toBe('not-observed');
    expect(verdictOf(run({}, [row('A')]), 'A')).toBe('not-observed');
  });

  it('says of a MUST that did not come up that the load may be the cause, and of nothing else', () => {
    const rows = [row('A'), row('B', { level: 'SHOULD' })];
    const notes = ['the machine was busy: it held up the target and the kit for 9.0 s'];
    const reasonsOf = (facts: RunFacts): readonly unknown[] =>
      reportOf(facts).requirements.map(({ reason }) => reason);
    const plain = 'it did not come up in what was played';
    expect(reasonsOf(run({}, rows, { notes }))).toEqual([plain, plain]);
    expect(reasonsOf(run({}, rows, { notes: ['held up'], busy: true }))).toEqual([
      `${plain}; the machine was busy, which may be the cause`,
      plain,
    ]);
  });

  it('is fail when it was violated in any trace, whatever the others show', () => {
    const facts = run({ A: passed }, [row('A')]);
    const both = {
      ...facts,
      traces: [...facts.traces, { name: 'u', events: [], found: new Map([['A', broken]]) }],
    };
    expect(verdictOf(both, 'A')).toBe('fail');
  });

  it('is never fail for a MAY, and not pass after a violation', () => {
    const [outcome] = reportOf(run({ A: broken }, [row('A', { level: 'MAY' })])).requirements;
    expect(outcome).toMatchObject({
      verdict: 'not-observed',
      exercised: 0,
      reason: 'it came, but in another way than this MAY describes',
      message: 'expected this; came that',
    });
  });

  it('is not-applicable when the target does not claim the feature', () => {
    expect(verdictOf(run({ A: passed }, [row('A', { feature: 'unknown' })]), 'A')).toBe('not-applicable');
    expect(verdictOf(run({ A: passed }, [row('A', { feature: 'known' })]), 'A')).toBe('pass');
  });

  it('is untestable, never pass, when the rule evicted a needed fact', () => {
    expect(verdictOf(run({ A: { ...passed, unknowable: 'too many requests' } }, [row('A')]), 'A')).toBe(
      'untestable',
    );
  });

  it('is untestable when all traces show nothing of the target, and not when another one shows it', () => {
    const unshown = { ...untouched, unshown: 'it ran no prompt' };
    const facts = run({ A: unshown }, [row('A')]);
    expect(reportOf(facts).requirements).toMatchObject([
      { verdict: 'untestable', reason: 'it ran no prompt' },
    ]);
    const both = {
      ...facts,
      traces: [...facts.traces, { name: 'u', events: [], found: new Map([['A', passed]]) }],
    };
    expect(verdictOf(both, 'A')).toBe('pass');
  });

  it('is untestable when all its scenarios need another drive', () => {
    const mine = scenario('s', ['A'], ['directive']);
    const skipped = [{ scenario: mine, because: 'drive' as const, reason: 'needs the directive drive' }];
    expect(verdictOf(run({}, [row('A')], { drive: 'passive', scenarios: [mine], skipped }), 'A')).toBe(
      'untestable',
    );
  });

  it('is untestable when the processes of its tool cannot be found, with that reason', () => {
    const mine = scenario('s', ['A']);
    const reason = 'the input of tools.slow has no {nonce}';
    const skipped = [{ scenario: mine, because: 'process' as const, reason }];
    const facts = run({}, [row('A')], { scenarios: [mine], skipped });
    expect(reportOf(facts).requirements).toMatchObject([{ id: 'A', verdict: 'untestable', reason }]);
  });

  it('is untestable when the target said that it cannot', () => {
    const outcomes = [
      {
        name: 's',
        outcome: 'ended-early' as const,
        reason: 'the target said: unsupported: tool',
        unsupported: true as const,
        duration_ms: 1,
      },
    ];
    expect(verdictOf(run({}, [row('A')], { scenarios: [scenario('s', ['A'])], outcomes }), 'A')).toBe(
      'untestable',
    );
  });

  it('is not observed when a scenario that is there to show it ended early, also if another one exercised it', () => {
    const scenarios = [scenario('burst', ['A']), scenario('plain', ['A', 'B'])];
    const early = { name: 'burst', outcome: 'ended-early' as const, reason: 'no done came', duration_ms: 1 };
    const done = { name: 'plain', outcome: 'done' as const, duration_ms: 1 };
    const both = { A: passed, B: passed };
    const rows = [row('A'), row('B')];
    const report = reportOf(run(both, rows, { scenarios, outcomes: [early, done] }));
    expect(report.verdict).toBe('inconclusive');
    expect(report.requirements).toMatchObject([
      {
        id: 'A',
        verdict: 'not-observed',
        exercised: 2,
        reason: 'scenario burst ended early: no done came; elsewhere it was exercised 2 times',
      },
      { id: 'B', verdict: 'pass' },
    ]);
    const unsupported = {
      ...early,
      reason: 'the target said: unsupported: burst',
      unsupported: true as const,
    };
    expect(reportOf(run(both, rows, { scenarios, outcomes: [unsupported, done] })).verdict).toBe(
      'conformant',
    );
    const failed = run({ A: broken, B: passed }, rows, { scenarios, outcomes: [early, done] });
    expect(verdictOf(failed, 'A')).toBe('fail');
  });

  it('does not depend on the order in which scenarios end', () => {
    const scenarios = ['one', 'two', 'three'].map((name) => scenario(name, ['A', 'B']));
    const ends = scenarios.map(({ name }, i) => ({
      name,
      outcome: 'ended-early' as const,
      reason: `unsupported: ${name}`,
      ...(i === 0 ? {} : { unsupported: true as const }),
      duration_ms: 1,
    }));
    const traces = scenarios.map(({ name }) => ({ name, events: [], found: new Map([['B', broken]]) }));
    const reportIn = (order: readonly number[]): readonly unknown[] => {
      const inThisOrder = <T>(all: readonly T[]): T[] => order.flatMap((i) => all[i] ?? []);
      const facts = run({}, [row('A'), row('B')], { scenarios, outcomes: inThisOrder(ends) });
      const { requirements, scenarios: played } = reportOf({ ...facts, traces: inThisOrder(traces) });
      return [requirements, played];
    };
    const first = reportIn([0, 1, 2]);
    expect(reportIn([2, 1, 0])).toEqual(first);
    expect(reportIn([1, 2, 0])).toEqual(first);
    expect(first).toMatchObject([
      [
        { id: 'A', verdict: 'not-observed', reason: 'scenario one ended early: unsupported: one' },
        { id: 'B', verdict: 'fail', evidence: [{ trace: 'one' }] },
      ],
      ends.map(({ name }) => ({ name })),
    ]);
  });

  it('is not applicable when the statement excuses it, also if it is violated', () => {
    const report = reportOf(
      run({ A: broken, B: passed }, [row('A'), row('B')], { notApplicable: { A: 'supervised' } }),
    );
    expect(report.requirements[0]).toMatchObject({ verdict: 'not-applicable', reason: 'supervised' });
    expect(report.verdict).toBe('conformant');
  });

  it('leaves out excluded rows, with their reason', () => {
    const report = reportOf(run({}, [row('A', { excluded: 'nobody can see it' })]));
    expect(report.requirements).toEqual([]);
    expect(report.excluded).toEqual([{ id: 'A', reason: 'nobody can see it' }]);
  });
});

describe('a failure that another failure entails', () => {
  const entailing = row('A', { entails: [{ id: 'B', why: 'one fault' }] });
  const fails = (more: Partial<RunFacts> = {}, rows = [entailing, row('B')]): Report =>
    reportOf(run({ A: broken, B: broken }, rows, more));

  it('follows from it, and is counted once', () => {
    const { requirements, counts, verdict } = fails();
    expect(requirements).toMatchObject([
      { id: 'A', verdict: 'fail' },
      { id: 'B', verdict: 'fail', follows_from: { id: 'A', why: 'one fault' } },
    ]);
    expect(requirements[0]).not.toHaveProperty('follows_from');
    expect(counts.fail).toBe(1);
    expect(verdict).toBe('not-conformant');
  });

  it('is its own where the other did not fail, or weighs less', () => {
    const elsewhere = { name: 'u', events: [], found: new Map([['B', broken]]) };
    const { traces } = run({ A: broken, B: broken }, []);
    expect(fails({ traces: [...traces, elsewhere] }).counts.fail).toBe(2);
    expect(fails({}, [{ ...entailing, level: 'SHOULD' }, row('B')]).counts.fail).toBe(2);
  });

  it('follows over a third row, and two rows that entail each other are counted once', () => {
    const chain = [
      entailing,
      row('B', { entails: [{ id: 'C', why: 'so that' }] }),
      row('C', { entails: [{ id: 'A', why: 'round' }] }),
    ];
    const { requirements, counts } = reportOf(run({ A: broken, B: broken, C: broken }, chain));
    expect(counts.fail).toBe(1);
    expect(requirements.filter((one) => one.follows_from === undefined).length).toBe(1);
  });

  it('is tolerated with an expected failure', () => {
    const expected = [{ id: 'A', reason: 'known' }];
    expect(
      fails({ expected, traces: [...run({ A: broken, B: broken, D: passed }, []).traces] }, [
        entailing,
        row('B'),
        row('D'),
      ]).verdict,
    ).toBe('conformant');
  });
});

describe('the verdict of a run', () => {
  it('is conformant only when every applicable MUST was exercised', () => {
    expect(reportOf(run({ A: passed, B: passed }, [row('A'), row('B')])).verdict).toBe('conformant');
    expect(reportOf(run({ A: passed }, [row('A'), row('B')])).verdict).toBe('inconclusive');
    const selected = { flags: ['--only [AB]'], requirements: { selected: 2, of: 9 } };
    const part = reportOf(run({ A: passed, B: passed }, [row('A'), row('B')], { selected }));
    expect([part.verdict, part.scope.selected]).toEqual(['partial', selected]);
  });

  it('is inconclusive when nothing was judged', () => {
    expect(reportOf(run({}, [row('A', { level: 'SHOULD' })])).verdict).toBe('inconclusive');
  });

  it('is not conformant for a violated MUST, and for a violated SHOULD only when strict', () => {
    expect(reportOf(run({ A: broken }, [row('A')])).verdict).toBe('not-conformant');
    const should = [row('A'), row('B', { level: 'SHOULD' as const })];
    expect(reportOf(run({ A: passed, B: broken }, should)).verdict).toBe('conformant');
    expect(reportOf(run({ A: passed, B: broken }, should, { strict: true })).verdict).toBe('not-conformant');
  });

  it('is inconclusive for an untestable MUST, unless the user named the drive', () => {
    const facts = run({ A: passed }, [row('A'), row('B')], { untestable: { B: 'no handle' } });
    expect(reportOf(facts).verdict).toBe('inconclusive');
    expect(reportOf({ ...facts, driveNamed: true }).verdict).toBe('conformant');
  });

  it('is never conformant when it was interrupted', () => {
    expect(reportOf(run({ A: passed }, [row('A')], { interrupted: true })).verdict).toBe('inconclusive');
  });

  it('is an error when the target could not be reached', () => {
    expect(reportOf(run({}, [row('A')], { absent: true, unready: 'it never came' })).verdict).toBe('error');
  });
});

describe('an expected failure', () => {
  const rows = [row('A'), row('B')];
  const reason = 'known';

  it('is not fatal, and is marked', () => {
    const report = reportOf(run({ A: broken, B: passed }, rows, { expected: [{ id: 'A', reason }] }));
    expect(report.requirements[0]?.expected_failure).toEqual({ reason });
    expect(report.verdict).toBe('conformant');
  });

  it('is stale when the requirement passes, and the run fails', () => {
    const report = reportOf(run({ A: passed, B: passed }, rows, { expected: [{ id: 'A', reason }] }));
    expect(report.problems[0]).toMatch(/A is an expected failure and passes/);
    expect(report.verdict).toBe('not-conformant');
  });

  it('does not count after its last day', () => {
    const report = reportOf(
      run({ A: broken, B: passed }, rows, { expected: [{ id: 'A', reason, expires: '2026-05-31' }] }),
    );
    expect(report.problems[0]).toMatch(/expired on 2026-05-31/);
    expect(report.verdict).toBe('not-conformant');
  });

  it('covers only the failure it describes', () => {
    const report = reportOf(
      run({ A: broken, B: passed }, rows, { expected: [{ id: 'A', reason, message: 'something else' }] }),
    );
    expect(report.verdict).toBe('not-conformant');
  });

  it('does not hide a violation of another kind behind it', () => {
    const both: RequirementFindings = {
      ...broken,
      violations: [...broken.violations, { type: 'violated', seq: 0, message: 'expected this; came worse' }],
    };
    const expected = [{ id: 'A', reason, message: 'came that' }];
    const report = reportOf(run({ A: both, B: passed }, rows, { expected }));
    expect(report.requirements[0]).toMatchObject({ verdict: 'fail', message: 'expected this; came worse' });
    expect(report.requirements[0]?.expected_failure).toBeUndefined();
    expect(report.verdict).toBe('not-conformant');
  });

  it('of a profile is never stale', () => {
    const expected = [{ id: 'A', reason, message: 'came that', known: true as const }];
    expect(reportOf(run({ A: passed, B: passed }, rows, { expected })).problems).toEqual([]);
    expect(reportOf(run({ A: broken, B: passed }, rows, { expected })).verdict).toBe('conformant');
  });
});
