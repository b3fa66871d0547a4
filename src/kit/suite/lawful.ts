/** Plays lawful peers: a peer with an oddity that the protocol allows is blamed for nothing, and shows every row. */
import { unmetNeed } from '../scenario/index.ts';
import type { Requirement } from '../spec/index.ts';
import { runScenarios } from './scenario-runs.ts';
import type { RunConditions, ScenarioRuns } from './scenario-runs.ts';
import type { LawfulPeer, Suite } from './suite.ts';

/** The result of one lawful peer. */
export interface LawfulOutcome {
  readonly id: string;
  readonly title: string;
  readonly allowed: string;
  /** The number of scenarios that fit the peer and were played. */
  readonly scenarios: number;
  /** Whether nothing blamed it, nothing ended early and no row was lost. */
  readonly cleared: boolean;
  /** One sentence for each fault of the suite that the peer shows. */
  readonly faults: readonly string[];
}

/**
 * Plays a lawful peer through the scenarios that fit it.
 *
 * @param rows - the rows that the peer must show where the reference shows them: those of the suite's role
 * @param reference - the runs of the reference in all scenarios
 */
export function playLawful<V>(
  suite: Suite<V>,
  peer: LawfulPeer,
  conditions: RunConditions,
  rows: readonly Requirement[],
  reference: ScenarioRuns,
): LawfulOutcome {
  const { id, title, allowed, lacks = [], drive, make } = peer;
  const claims = {
    features: new Set(suite.features.map(({ name }) => name).filter((name) => !lacks.includes(name))),
  };
  // A peer without a drive of its own obeys that of each scenario.
  const scenarios = conditions.scenarios.filter(
    (scenario) =>
      unmetNeed(scenario, { ...claims, drive: drive ?? scenario.needs.drive[0] ?? 'directive' }) ===
      undefined,
  );
  const runs = runScenarios(
    suite,
    { ...conditions, scenarios, ...(drive === undefined ? {} : { drive }) },
    make,
  );
  const played = new Set(scenarios.map(({ name }) => name));
  const faults = [
    ...blames(runs),
    ...[...runs.early].map(([name, reason]) => `${name} ended early: ${reason}`),
    ...lostRows(
      peer,
      rows,
      runs,
      (row) => reference.exercised.get(row)?.some((name) => played.has(name)) === true,
    ),
  ].map((fault) => `lawful peer ${id}: ${fault}`);
  return { id, title, allowed, scenarios: scenarios.length, cleared: faults.length === 0, faults };
}

const blames = ({ violated }: ScenarioRuns): readonly string[] =>
  [...violated].flatMap(([row, where]) =>
    [...where].map(([name, message]) => `is blamed by ${row} in ${name}: ${message}`),
  );

/** Rows that the reference shows in the played scenarios and the peer does not, and excuses that are not needed. */
function lostRows(
  { lacks = [], unseen = {} }: LawfulPeer,
  rows: readonly Requirement[],
  runs: ScenarioRuns,
  isShown: (row: string) => boolean,
): readonly string[] {
  const owed = rows.filter(
    ({ level, excluded, feature }) =>
      level !== 'MAY' && excluded === undefined && (feature === undefined || !lacks.includes(feature)),
  );
  const lost = owed.flatMap(({ id }) => {
    const unknowable = runs.unknowable.get(id);
    const isLost = isShown(id) && (!runs.exercised.has(id) || unknowable !== undefined);
    return isLost && unseen[id] === undefined
      ? [`loses ${id}${unknowable === undefined ? '' : `: ${unknowable}`}`]
      : [];
  });
  const idle = rows.filter(
    ({ id }) => unseen[id] !== undefined && runs.exercised.has(id) && !runs.unknowable.has(id),
  );
  return [...lost, ...idle.map(({ id }) => `says that ${id} cannot be seen, and it was`)];
}
