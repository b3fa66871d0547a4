/** Merging shards: the merged report is that of the whole run (README, "Shards"), for random findings and 1 to 16 shards. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report, ScenarioOutcome, SuiteAxes, TraceEvent } from '../base/index.ts';
import type { RequirementFindings } from './judge.ts';
import { mergeShards } from './merge.ts';
import type { ShardReport } from './shard-agreement.ts';
import { reportOf } from './verdict.ts';
import type { JudgedTrace, RunFacts } from './run-facts.ts';
import { row, run, scenario } from './run-facts.test-helper.ts';

const ids = ['A', 'B', 'C', 'D', 'E'];

/** The trace of a scenario: the mark of its start, and a message that rules can blame. */
const eventsOf = (name: string): readonly TraceEvent[] =>
  [
    { kind: 'mark', data: { scenario: name } },
    { kind: 'message', data: { said: name } },
  ].map(
    (given, seq) =>
      ({
        seq,
        at: seq,
        wire: 'x',
        conn: '1',
        stream: 's',
        from: 'target',
        to: 'kit',
        ...given,
      }) as TraceEvent,
  );

const findings: fc.Arbitrary<RequirementFindings> = fc
  .record({
    exercised: fc.nat(2),
    messages: fc.array(fc.constantFrom('this came', 'that came'), { maxLength: 2 }),
    mostly: fc.nat(3),
    unknowable: fc.option(fc.constant('the view evicted it'), { nil: undefined, freq: 4 }),
  })
  .map(({ exercised, messages, mostly, unknowable }) => ({
    exercised,
    unknowable,
    violations: mostly > 0 ? [] : messages.map((message) => ({ type: 'violated' as const, seq: 1, message })),
  }));

const ends: fc.Arbitrary<Omit<ScenarioOutcome, 'name'>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ outcome: 'done' as const, duration_ms: 1 }) },
  fc.constantFrom(
    { outcome: 'ended-early' as const, reason: 'no answer came', duration_ms: 1 },
    {
      outcome: 'ended-early' as const,
      reason: 'unsupported: packs',
      unsupported: true as const,
      duration_ms: 1,
    },
    { outcome: 'skipped' as const, reason: 'needs tools', duration_ms: 0 },
    { outcome: 'not-run' as const, reason: 'not run: interrupted', duration_ms: 0 },
  ),
);

/** What happened in one scenario, and the shard that plays it. */
const play = fc.record({
  exercises: fc.subarray(ids),
  end: ends,
  found: fc.dictionary(fc.constantFrom(...ids), findings, { maxKeys: 5 }),
  because: fc.constantFrom('drive', 'tool', 'operation', 'feature', 'carrier', 'model'),
  shard: fc.nat(15),
});

const given = fc.record({
  plays: fc.array(play, { minLength: 1, maxLength: 14 }),
  of: fc.integer({ min: 1, max: 16 }),
  levels: fc.array(fc.constantFrom('MUST', 'SHOULD', 'MAY'), { minLength: 5, maxLength: 5 }),
  strict: fc.boolean(),
  drive: fc.constantFrom('directive', 'passive'),
  interrupted: fc.nat(9),
  expected: fc.array(
    fc.record({
      id: fc.constantFrom(...ids),
      reason: fc.constant('known'),
      message: fc.constantFrom('this', undefined),
    }),
    { maxLength: 2 },
  ),
  handles: fc.subarray(['C', 'D']),
  busy: fc.boolean(),
});

type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** Six pairs; some scenarios play none. */
const axes: SuiteAxes = {
  rows: 'above',
  columns: 'below',
  placeOf({ name }) {
    const i = Number(name.slice(1));
    return i % 7 === 6 ? undefined : { row: `r${i % 2}`, column: `c${i % 3}` };
  },
};

/** The facts of the whole run, and those of each shard. Each scenario has its own trace. */
function runsOf({ plays, of, levels, expected, handles, ...more }: Given): {
  readonly whole: RunFacts;
  readonly shards: readonly RunFacts[];
} {
  const rows = ids.map((id, i) =>
    row(id, {
      level: levels[i] ?? 'MUST',
      ...(id === 'A' ? { entails: [{ id: 'B', why: 'one fault, two sentences' }] } : {}),
      ...(id === 'E' ? { feature: 'unknown' } : {}),
      ...(id === 'D' ? { directive: 'needed' as const } : {}),
    }),
  );
  const named = plays.map((one, i) => ({ ...one, scenario: scenario(`s${i}`, one.exercises) }));
  const factsOf = (mine: typeof named, part: Partial<RunFacts>): RunFacts => ({
    ...run({}, rows),
    strict: more.strict,
    drive: more.drive,
    interrupted: more.interrupted === 0,
    expected: expected.map(({ message, ...one }) => (message === undefined ? one : { ...one, message })),
    untestable: Object.fromEntries(handles.map((id) => [id, 'no handle'])),
    scenarios: mine.map((one) => one.scenario),
    axes,
    outcomes: mine.map(({ scenario: { name }, end }) => ({ name, ...end })),
    skipped: mine.flatMap(({ scenario: left, end, because }) =>
      end.outcome === 'skipped' ? [{ scenario: left, because, reason: end.reason ?? '' }] : [],
    ) as RunFacts['skipped'],
    traces: mine.flatMap(({ scenario: { name }, end, found }): JudgedTrace[] =>
      end.outcome === 'done' || end.outcome === 'ended-early'
        ? [{ name, events: eventsOf(name), found: new Map(Object.entries(found)) }]
        : [],
    ),
    ...part,
  });
  const scenarios = named.map((one) => one.scenario);
  const shards = Array.from({ length: of }, (_, i) => {
    const mine = named.filter(({ shard }) => shard % of === i);
    const selected = {
      flags: [`--shard ${i + 1}/${of}`],
      requirements: { selected: 5, of: 5 },
      scenarios: { selected: mine.length, of: named.length },
    };
    const shard = { part: i + 1, of, met: true, scenarios, selected: undefined };
    const busy = more.busy && i === of - 1;
    return factsOf(mine, { shard, busy, ...(mine.length < named.length ? { selected } : {}) });
  });
  return { whole: factsOf(named, { busy: more.busy }), shards };
}

/** The reports of the shards, as a file holds them. */
const filesOf = (shards: readonly RunFacts[]): readonly ShardReport[] =>
  shards.map((facts, i) => ({
    name: `${i + 1}.json`,
    report: JSON.parse(JSON.stringify(reportOf(facts))) as Report,
  }));

const plain = (report: Report): unknown => JSON.parse(JSON.stringify(report));

describe('merged shards', () => {
  it('have the report of the whole run', () => {
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (one, order) => {
        const { whole, shards } = runsOf(one);
        const files = filesOf(shards)
          .map((file) => ({ file, at: order.next().value as number }))
          .toSorted((a, b) => a.at - b.at);
        const { report } = mergeShards(files.map(({ file }) => file));
        expect(plain(report)).toEqual(plain(reportOf(whole)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a row of merged shards', () => {
  const passed: RequirementFindings = { exercised: 2, violations: [], unknowable: undefined };
  const silent: RequirementFindings = { exercised: 0, violations: [], unknowable: undefined };
  const broken: RequirementFindings = {
    exercised: 1,
    violations: [{ type: 'violated', seq: 1, message: 'expected this; came that' }],
    unknowable: undefined,
  };
  const names = ['probe', 's1', 's2'];
  const scenarios = names.map((name) => scenario(name, []));

  /** Two shards that both play the probe; `found` are the findings about A in the scenario of each. */
  const merged = (found: readonly RequirementFindings[], more: readonly Partial<RunFacts>[] = []): Report => {
    const facts = found.map((own, i): RunFacts => {
      const played = ['probe', `s${i + 1}`];
      return {
        ...run({}, [row('A'), row('B')]),
        outcomes: played.map((name) => ({ name, outcome: 'done', duration_ms: 5 })),
        scenarios: scenarios.filter(({ name }) => played.includes(name)),
        traces: played.map((name) => ({
          name,
          events: eventsOf(name),
          found: new Map([
            ['A', name === 'probe' ? silent : own],
            ['B', passed],
          ]),
        })),
        selected: { flags: [], requirements: { selected: 2, of: 2 }, scenarios: { selected: 2, of: 3 } },
        ...more[i],
        shard: { part: i + 1, of: 2, met: true, scenarios, selected: undefined },
      };
    });
    return mergeShards(filesOf(facts)).report;
  };
  const verdictOfA = (report: Report): unknown => report.requirements[0]?.verdict;

  it('passes when one shard showed it', () => {
    const report = merged([silent, passed]);
    expect(verdictOfA(report)).toBe('pass');
    expect(report.verdict).toBe('conformant');
    expect(report.scenarios.map(({ name }) => name)).toEqual(names);
  });

  it('fails when it fails anywhere, with the evidence of that shard', () => {
    const report = merged([passed, broken]);
    expect(report.requirements[0]).toMatchObject({ verdict: 'fail', evidence: [{ trace: 's2', seq: 1 }] });
    expect(report.verdict).toBe('not-conformant');
  });

  it('is stale as an expected failure only in the whole', () => {
    const expected = [
      { expected: [{ id: 'A', reason: 'known' }] },
      { expected: [{ id: 'A', reason: 'known' }] },
    ];
    expect(merged([passed, broken], expected).problems).toEqual([]);
    expect(merged([passed, passed], expected).problems).toEqual([
      'A is an expected failure and passes: take it out of the list',
    ]);
  });

  it('counts as exercised as often as all shards exercised it', () => {
    expect(merged([passed, passed]).requirements.map(({ exercised }) => exercised)).toEqual([4, 8]);
  });

  it('has the features and claims that any shard showed', () => {
    const claimed = (advertised: string[]): Partial<RunFacts> => ({
      features: new Set(advertised),
      claimed: { stated: ['x', 'y', 'z'], advertised, open: true },
    });
    const { features, problems } = merged([passed, passed], [claimed(['x']), claimed(['y'])]);
    expect(features).toEqual(['x', 'y']);
    expect(problems).toEqual([
      'the statement claims z, which the target does not advertise (it advertises x, y)',
    ]);
  });

  it('is of an error when a shard had no target', () => {
    const absent = { absent: true, unready: 'it exited with 1' };
    expect(merged([passed, passed], [{}, absent]).verdict).toBe('error');
  });

  it('is of an interrupted run when a shard was interrupted', () => {
    expect(merged([passed, passed], [{}, { interrupted: true }])).toMatchObject({
      interrupted: true,
      verdict: 'inconclusive',
    });
  });

  it.each<[string, readonly Partial<RunFacts>[], string]>([
    [
      'another seed',
      [{}, { seed: '2' }],
      'the seed is "1" in 1.json, and "2" in 2.json; give each shard the same --seed',
    ],
    [
      'another target',
      [{}, { target: 'other' }],
      'the target is "a target" in 1.json, and "other" in 2.json',
    ],
    [
      'another drive',
      [{}, { drive: 'passive' }],
      'directive in 1.json, and passive in 2.json; name the drive',
    ],
    [
      'other expectations',
      [{}, { expected: [{ id: 'A', reason: 'x' }] }],
      'the expected failures is [] in 1.json',
    ],
    ['another strictness', [{}, { strict: true }], 'the strict is false in 1.json, and true in 2.json'],
  ])('refuses shards with %s', (_, more, sentence) => {
    expect(() => merged([passed, passed], more)).toThrow(sentence);
  });
});

describe('files that are not all shards of one run', () => {
  const { whole, shards } = runsOf({
    plays: [],
    of: 3,
    levels: [],
    strict: false,
    drive: 'passive',
    interrupted: 1,
    expected: [],
    handles: [],
    busy: false,
  });
  const [one, two, three] = filesOf(shards);

  it.each<[string, readonly (ShardReport | undefined)[], string]>([
    ['none', [], 'no report to merge'],
    ['one that is missing', [three, one], 'a shard is missing: 2/3'],
    ['two that are missing', [two], '2 shards are missing: 1/3, 3/3'],
    [
      'one that stands twice',
      [one, two, three, two && { ...two, name: 'again.json' }],
      'shard 2/3 stands in 2.json and in again.json',
    ],
    [
      'the report of a whole run',
      [{ name: 'whole.json', report: reportOf(whole) }],
      'whole.json: the report of a whole run',
    ],
  ])('are refused: %s', (_, files, sentence) => {
    expect(() => mergeShards(files.filter((file) => file !== undefined))).toThrow(sentence);
  });
});
