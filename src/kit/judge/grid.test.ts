/** The grid of a report (spec/formats/report.schema.json, grid): the verdict of each pair. */
import { describe, expect, it } from 'vitest';
import type { GridCell, Scenario, SuiteAxes, TraceEvent } from '../base/index.ts';
import type { Requirement } from '../spec/index.ts';
import type { RequirementFindings } from './judge.ts';
import type { JudgedTrace, RunFacts } from './run-facts.ts';
import { row, run, scenario } from './run-facts.test-helper.ts';
import { reportOf } from './verdict.ts';

/** Scenarios are called `row-column-rest`; one without hyphens plays no pair. */
const axes: SuiteAxes = {
  rows: 'client',
  columns: 'provider',
  placeOf({ name }) {
    const [first, second] = name.split('-');
    return first === undefined || second === undefined ? undefined : { row: first, column: second };
  },
};

const kept: RequirementFindings = { exercised: 1, violations: [], unknowable: undefined };
const silent: RequirementFindings = { exercised: 0, violations: [], unknowable: undefined };
const forgot: RequirementFindings = { exercised: 1, violations: [], unknowable: 'too much' };
const broken: RequirementFindings = {
  exercised: 1,
  violations: [{ type: 'violated', seq: 1, message: 'expected this; came that' }],
  unknowable: undefined,
};

const marked = (seq: number, name: string): TraceEvent => ({
  ...{ seq, at: seq, wire: 'x', conn: '', stream: '', from: 'kit', to: 'kit', kind: 'mark' },
  data: { scenario: name },
});

/** A trace with the marks of these scenarios; a violation at 1 is in the second one. */
const trace = (
  found: { readonly [id: string]: RequirementFindings },
  ...names: readonly string[]
): JudgedTrace => ({
  name: names[0] ?? '',
  events: names.map((name, seq) => marked(seq, name)),
  found: new Map(Object.entries(found)),
});

/** The cells of a run. */
function cellsOf(
  traces: readonly JudgedTrace[],
  {
    rows = [row('A'), row('B', { level: 'SHOULD' })],
    scenarios = traces.map(({ name }) => scenario(name, ['A', 'B'])),
    ...more
  }: Partial<RunFacts> & { readonly rows?: readonly Requirement[] } = {},
): readonly GridCell[] {
  const report = reportOf(run({}, rows, { axes, traces, scenarios, ...more }));
  return report.grid?.cells ?? [];
}

const done = (scenarios: readonly Scenario[]): RunFacts['outcomes'] =>
  scenarios.map(({ name }) => ({ name, outcome: 'done', duration_ms: 1 }));

describe('the grid of a run', () => {
  it('has a verdict for each pair: a failure in one leaves the others', () => {
    const cells = cellsOf([
      trace({ A: kept, B: kept }, 'red-red'),
      trace({ A: broken, B: kept }, 'red-blue', 'red-blue'),
      trace({ A: kept, B: kept }, 'blue-red'),
    ]);
    expect(cells).toEqual([
      { row: 'red', column: 'red', verdict: 'pass', exercised: 2, failed: [], missing: [] },
      { row: 'red', column: 'blue', verdict: 'fail', exercised: 2, failed: ['A'], missing: [] },
      { row: 'blue', column: 'red', verdict: 'pass', exercised: 2, failed: [], missing: [] },
    ]);
  });

  it('names its axes, and orders the choices of both alike', () => {
    const traces = ['red-blue', 'blue-red', 'blue-green'].map((name) => trace({ A: kept }, name));
    const scenarios = traces.map(({ name }) => scenario(name, ['A']));
    const { grid } = reportOf(run({}, [row('A')], { axes, traces, scenarios }));
    expect(grid?.rows).toEqual({ name: 'client', values: ['red', 'blue'] });
    expect(grid?.columns).toEqual({ name: 'provider', values: ['red', 'blue', 'green'] });
  });

  it('is absent without axes, and without a pair', () => {
    const traces = [trace({ A: kept }, 'red-blue')];
    expect(reportOf(run({}, [row('A')], { traces, scenarios: [] }))).not.toHaveProperty('grid');
    expect(
      reportOf(run({}, [row('A')], { axes, traces, scenarios: [scenario('x', ['A'])] })),
    ).not.toHaveProperty('grid');
  });

  it('passes no pair in which a MUST was not exercised that its scenarios are there to show', () => {
    const cells = cellsOf([
      trace({ A: kept, B: kept }, 'red-red'),
      trace({ A: silent, B: kept }, 'red-blue'),
    ]);
    expect(cells.map(({ verdict, missing }) => [verdict, missing])).toEqual([
      ['pass', []],
      ['not-observed', ['A']],
    ]);
  });

  it('does not ask a pair for what its scenarios do not show', () => {
    const scenarios = [scenario('red-red', ['A', 'B']), scenario('red-blue', ['B'])];
    const cells = cellsOf([trace({ A: kept }, 'red-red'), trace({ B: kept }, 'red-blue')], { scenarios });
    expect(cells.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  it('counts nothing for a pair of which nothing was played, or too much was forgotten', () => {
    const scenarios = [scenario('red-red', ['A']), scenario('red-blue', ['A'])];
    const cells = cellsOf([trace({ A: forgot }, 'red-red')], { scenarios });
    expect(cells).toMatchObject([
      { verdict: 'not-observed', missing: ['A'] },
      { verdict: 'not-observed', exercised: 0 },
    ]);
  });

  it('loses with a scenario that ended early what it was there to show', () => {
    const traces = [trace({ A: kept }, 'red-red'), trace({ A: kept }, 'red-red-more')];
    const scenarios = traces.map(({ name }) => scenario(name, ['A']));
    const outcomes: RunFacts['outcomes'] = [
      ...done([scenario('red-red', [])]),
      { name: 'red-red-more', outcome: 'ended-early', reason: 'no answer', duration_ms: 1 },
    ];
    expect(cellsOf(traces, { scenarios, outcomes })).toMatchObject([
      { verdict: 'not-observed', missing: ['A'] },
    ]);
  });

  it('shows a violated SHOULD, which fails a pair only in a strict run', () => {
    const traces = [trace({ A: kept, B: broken }, 'red-red', 'red-red')];
    expect(cellsOf(traces)).toMatchObject([{ verdict: 'pass', failed: ['B'] }]);
    expect(cellsOf(traces, { strict: true })).toMatchObject([{ verdict: 'fail', failed: ['B'] }]);
  });

  it('does not count expected failures, and those that follow from another one', () => {
    const traces = [trace({ A: broken, B: broken }, 'red-red', 'red-red')];
    const entails = [{ id: 'B', why: 'one fault, two sentences' }];
    const rows = [row('A', { entails }), row('B')];
    expect(cellsOf(traces, { rows })).toMatchObject([{ verdict: 'fail', failed: ['A'] }]);
    const expected = [{ id: 'A', reason: 'known' }];
    const cells = cellsOf([trace({ A: broken }, 'red-red', 'red-red')], { expected });
    expect(cells).toMatchObject([{ verdict: 'pass', exercised: 1, failed: [] }]);
  });

  it('counts a trace of two pairs for none, but for the violations in it', () => {
    const scenarios = [scenario('red-red', ['A']), scenario('red-blue', ['A'])];
    const cells = cellsOf([trace({ A: broken }, 'red-red', 'red-blue')], { scenarios });
    expect(cells.map(({ verdict }) => verdict)).toEqual(['not-observed', 'fail']);
  });

  it('leaves out pairs that were skipped, and is open where the run was interrupted', () => {
    const scenarios = ['red-red', 'red-blue', 'red-red-more'].map((name) => scenario(name, ['A']));
    const [first, second, third] = scenarios;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('three scenarios');
    const cells = cellsOf([trace({ A: kept }, 'red-red')], {
      scenarios,
      interrupted: true,
      skipped: [{ scenario: second, because: 'feature', reason: 'not claimed' }],
      outcomes: [
        ...done([first]),
        { name: third.name, outcome: 'not-run', reason: 'interrupted', duration_ms: 0 },
      ],
    });
    expect(cells).toMatchObject([{ row: 'red', column: 'red', verdict: 'not-observed' }]);
    expect(cells).toHaveLength(1);
  });
});
