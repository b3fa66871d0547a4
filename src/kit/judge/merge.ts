/**
 * Merges the reports of shards into the report of the whole run. The findings are joined, and the verdicts are made of
 * them by the code that makes the report of any run.
 */
import { WireproofError } from '../base/index.ts';
import type {
  ClaimedFeatures,
  Report,
  RowFindings,
  ScenarioOutcome,
  ShardFacts,
  ShownViolation,
  VerdictFacts,
} from '../base/index.ts';
import type { JudgedRun } from './findings.ts';
import { joinedCells } from './grid-findings.ts';
import { inOrder, placesIn } from './scenario-order.ts';
import { onlyAgreeing } from './shard-agreement.ts';
import type { Shard, ShardReport } from './shard-agreement.ts';
import { reportOfJudged } from './verdict.ts';

/** The merged report, and whether a shard had no target. */
export interface Merged {
  readonly report: Report;
  readonly absent: boolean;
}

/**
 * Merges the reports of all shards of a run, in any order. Times are those of the slowest shard. A requirement counts as
 * exercised as often as all shards exercised it.
 *
 * @throws WireproofError 'usage' when the reports are not all shards of one run, with the first difference
 */
export function mergeShards(given: readonly ShardReport[]): Merged {
  const shards = onlyAgreeing(given);
  const [first] = shards;
  if (first === undefined) throw new WireproofError('usage', 'no report to merge');
  const facts = verdictFacts(shards, first);
  const { kit, suite, revision, target, seed, strict } = first;
  const outputs = shards.flatMap(({ target_output = [] }) =>
    target_output.length === 0 ? [] : [target_output],
  );
  const run: JudgedRun = {
    kit,
    suite,
    revision,
    target,
    seed,
    strict,
    ...facts,
    drive: (shards.find(({ shard }) => shard.met) ?? first).drive,
    features: featuresOf(shards),
    duration_ms: Math.max(...shards.map(({ duration_ms }) => duration_ms)),
    interrupted: shards.some(({ interrupted }) => interrupted),
    selected: first.shard.selected,
    outcomes: outcomesOf(shards, facts),
    notes: each(shards, ({ notes }) => notes),
    // A report has the output of its target when that crashed or failed.
    crashed: outputs.length > 0,
    target_output: outputs[0] ?? [],
  };
  return { report: reportOfJudged(run), absent: facts.absent };
}

/** Texts of all shards, each once. */
const each = (shards: readonly Shard[], of: (shard: Shard) => readonly string[]): readonly string[] => [
  ...new Set(shards.flatMap(of)),
];

/** The claimed features. A target may show a feature in the scenarios of one shard only. */
function featuresOf(shards: readonly Shard[]): readonly string[] {
  const met = shards.filter(({ shard }) => shard.met);
  return each(met.length === 0 ? shards.slice(0, 1) : met, ({ features }) => features);
}

function verdictFacts(shards: readonly Shard[], { shard }: Shard): VerdictFacts {
  const all = shards.map((one) => one.shard);
  const unready = all.find((one) => one.unready !== undefined)?.unready;
  const claimed = claimedFeatures(all);
  return {
    drive_named: shard.drive_named,
    today:
      all
        .map(({ today }) => today)
        .toSorted()
        .at(-1) ?? shard.today,
    ...(unready === undefined ? {} : { unready }),
    absent: all.some(({ absent }) => absent),
    requirements: shard.requirements,
    scenarios: shard.scenarios,
    skipped: inOrder(
      all.flatMap(({ skipped }) => skipped),
      shard.scenarios,
    ),
    expected: shard.expected,
    handles: Object.fromEntries(all.flatMap(({ handles }) => Object.entries(handles))),
    excused: shard.excused,
    problems: each(shards, (one) => one.shard.problems),
    ...(all.some(({ busy }) => busy === true) ? { busy: true } : {}),
    ...(shard.axes === undefined ? {} : { axes: shard.axes }),
    ...(claimed === undefined ? {} : { claimed }),
    findings: joinedFindings(shards, shard),
  };
}

/** The claims of the statement, of which one shard may show what another did not. */
function claimedFeatures(shards: readonly ShardFacts[]): ClaimedFeatures | undefined {
  const claims = shards.flatMap(({ claimed, met }) => (claimed === undefined || !met ? [] : [claimed]));
  const [first] = claims;
  if (first === undefined) return undefined;
  const advertised = [...new Set(claims.flatMap((one) => one.advertised))];
  return { stated: first.stated, advertised, open: false };
}

/** From the worst outcome to the best one. */
const worstFirst: readonly ScenarioOutcome['outcome'][] = ['ended-early', 'not-run', 'skipped', 'done'];

/** The outcome of each scenario. Of one that each shard plays, the worst. */
function outcomesOf(shards: readonly Shard[], { scenarios }: VerdictFacts): readonly ScenarioOutcome[] {
  const all = shards.flatMap((shard) => shard.scenarios);
  const sorted = all.toSorted((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome));
  const worst = new Map<string, ScenarioOutcome>();
  for (const one of sorted) if (!worst.has(one.name)) worst.set(one.name, one);
  return inOrder([...worst.values()], scenarios);
}

/** The findings of all shards, by requirement. One whose rule ran in no shard has none. */
function joinedFindings(
  shards: readonly Shard[],
  { requirements, scenarios }: ShardFacts,
): readonly RowFindings[] {
  const place = placesIn(scenarios);
  const placeOf = ({ scenario }: ShownViolation): number => place(scenario);
  const naming = traceNames(shards);
  const all = new Map<string, RowFindings[]>();
  for (const shard of shards)
    for (const one of shard.shard.findings.map((found) => renamed(found, naming(shard)))) {
      const found = all.get(one.id);
      if (found === undefined) all.set(one.id, [one]);
      else found.push(one);
    }
  return requirements.flatMap(({ id }) => {
    const found = all.get(id);
    return found === undefined ? [] : [joined(id, found, placeOf)];
  });
}

/** The findings of all shards about one requirement. Of the violations, the report shows that of the first scenario. */
function joined(
  id: string,
  all: readonly RowFindings[],
  placeOf: (violation: ShownViolation) => number,
): RowFindings {
  const sum = (of: (found: RowFindings) => number): number => all.reduce((n, found) => n + of(found), 0);
  const reason = all.find((found) => found.reason !== undefined)?.reason;
  const violations = all
    .flatMap((found) => found.violation ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const violation = violations.find(({ unexpected }) => unexpected) ?? violations[0];
  const cells = joinedCells(all.flatMap((found) => found.cells ?? []));
  return {
    id,
    traces: sum(({ traces }) => traces),
    exercised: sum(({ exercised }) => exercised),
    unknowable: sum(({ unknowable }) => unknowable),
    ...(reason === undefined ? {} : { reason }),
    ...(violation === undefined ? {} : { violation, places: all.flatMap(({ places = [] }) => places) }),
    ...(cells.length === 0 ? {} : { cells }),
  };
}

/** The name of a trace in the merged report. Shards may have traces with the same name: then it says which shard. */
type TraceNames = (shard: Shard) => (trace: string) => string;

function traceNames(shards: readonly Shard[]): TraceNames {
  const times = new Map<string, number>();
  for (const { scenarios } of shards)
    for (const { name, outcome } of scenarios)
      if (outcome === 'done' || outcome === 'ended-early') times.set(name, (times.get(name) ?? 0) + 1);
  return ({ shard: { part, of } }) =>
    (trace) =>
      of === 1 || times.get(trace) === 1 ? trace : `${trace} (shard ${part}/${of})`;
}

const renamed = (found: RowFindings, nameOf: (trace: string) => string): RowFindings => {
  const { violation, places } = found;
  if (violation === undefined) return found;
  const evidence = violation.evidence.map(({ trace, seq }) => ({ trace: nameOf(trace), seq }));
  return {
    ...found,
    violation: { ...violation, evidence },
    ...(places && { places: places.map((place) => ({ ...place, trace: nameOf(place.trace) })) }),
  };
};
