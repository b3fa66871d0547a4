/**
 * The kit's self-test. The reference must pass every check. Every mutant must fail the check of its requirement, and
 * otherwise only entailed checks. Every lawful peer must pass. This shows that each check can pass and can fail, and that
 * no check blames an oddity that the protocol allows.
 */
import type { Scenario } from '../base/index.ts';
import type { Requirement } from '../spec/index.ts';
import { playLawful } from './lawful.ts';
import type { LawfulOutcome } from './lawful.ts';
import { runScenarios } from './scenario-runs.ts';
import type { RunConditions, ScenarioRuns } from './scenario-runs.ts';
import type { LawfulPeer, Mutant, Suite } from './suite.ts';
import type { MakePeer } from './peer.ts';

/** The options of a self-test: the same seed gives the same result. */
export interface SelftestOptions extends Omit<RunConditions, 'drive'> {
  /** The rows that the suite's target owes. */
  readonly requirements: readonly Requirement[];
  /** Selects the mutants to run; absent: all. */
  readonly mutants?: (mutant: Mutant) => boolean;
  /** Selects the lawful peers to run; absent: all. */
  readonly lawful?: (peer: LawfulPeer) => boolean;
  /**
   * Whether a mutant plays no more scenarios than show that it is caught, one after the other: first those that list the
   * row that it breaks. It proves that each check can fail, and not that nothing else fails. A lawful peer then plays
   * a part of the scenarios, and the next peer those that follow them.
   */
  readonly quick?: boolean;
  /** Called after the reference, each mutant and each lawful peer, with the number of finished runs and of all runs. */
  readonly onProgress?: (done: number, of: number, name: string) => void;
}

/** The result of one mutant. */
export interface MutantOutcome {
  readonly id: string;
  readonly title: string;
  readonly breaks: string;
  /** Whether the requirement that it breaks failed. */
  readonly killed: boolean;
  /** The scenarios in which it failed. */
  readonly by: readonly string[];
  /** Other failed requirements that the row of `breaks` entails. */
  readonly entailed: readonly string[];
  /** Other failed requirements that the row does not entail. */
  readonly unexpected: readonly string[];
}

/** The result of a self-test. */
export interface SelftestResult {
  readonly suite: string;
  readonly seed: string;
  readonly reference: {
    readonly scenarios: number;
    /** By requirement: the scenarios that exercised it. */
    readonly exercised: { readonly [id: string]: readonly string[] };
  };
  readonly mutants: readonly MutantOutcome[];
  readonly lawful: readonly LawfulOutcome[];
  /** One sentence for each fault of the suite; empty when the suite can be trusted. */
  readonly failures: readonly string[];
}

/** A target that opens or accepts streams, and sends nothing. */
export const silentTarget: MakePeer = ({ dial }) => {
  const deaf = { headers() {}, message() {}, halfClose() {}, ended() {}, drained() {}, ping() {} };
  return {
    begin: () => void dial?.({ metadata: {} }, deaf),
    accept: () => deaf,
    command() {},
    encode: () => new Uint8Array(),
    stop() {},
  };
};

/**
 * Runs the reference, every mutant and a silent target through every scenario of a suite.
 *
 * @example
 * import { foldAgentSuite } from '../../../conformance/fold/agent/suite.ts';
 * import { readScenarios } from '../spec/index.ts';
 * import { suiteRows } from './suite-rows.ts';
 *
 * const { requirements } = suiteRows(foldAgentSuite);
 * const scenarios = readScenarios('fold', 'fold/agent');
 * const timeouts = { keepalive: 12_000 };
 * // No failures: the suite can be trusted with the mutants of this row. The lawful peers are left out.
 * const mutants = ({ breaks }: Mutant) => breaks === 'FOLD-A15';
 * const lawful = () => false;
 * selftest(foldAgentSuite, { requirements, scenarios, seed: '1', timeouts, mutants, lawful }).failures; // []
 */
export function selftest<V>(suite: Suite<V>, options: SelftestOptions): SelftestResult {
  const rows = options.requirements;
  const chosen = suite.mutants().filter((mutant) => options.mutants?.(mutant) ?? true);
  const peers = (suite.lawful?.() ?? []).filter((peer) => options.lawful?.(peer) ?? true);
  const runs = chosen.length + peers.length + 1;
  const progress = (done: number, name: string): void => options.onProgress?.(done, runs, name);
  const failures: string[] = [];
  const reference = runScenarios(suite, options, suite.reference);
  failures.push(...suiteFaults(suite, rows), ...referenceFaults(rows, options.scenarios, reference));
  failures.push(...silentPasses(runScenarios(suite, options, () => silentTarget)));
  progress(1, 'reference');
  const mutants = chosen.map((mutant, i) => {
    const runs = mutantRuns(suite, options, mutant);
    const outcome = outcomeOf(mutant, runs, entailedRows(rows, mutant.breaks));
    failures.push(...mutantFaults(outcome, runs));
    progress(i + 2, mutant.id);
    return outcome;
  });
  if (options.quick !== true) failures.push(...unshownEntailments(suite, rows, mutants));
  const lawful = peers.map((peer, i) => {
    const part = options.quick === true ? { ...options, scenarios: partOf(options.scenarios, i) } : options;
    const outcome = playLawful(suite, peer, part, options.quick === true ? [] : rows, reference);
    failures.push(...outcome.faults);
    progress(chosen.length + i + 2, peer.id);
    return outcome;
  });
  const exercised = Object.fromEntries(reference.exercised);
  return {
    suite: suite.id,
    seed: options.seed,
    reference: { scenarios: options.scenarios.length, exercised },
    mutants,
    lawful,
    failures,
  };
}

/**
 * Plays a mutant in all scenarios; `quick`: in those that list its row, until one catches it, and else in all. Those whose
 * name begins like that of the mutant come first: both may begin with what they are about.
 */
function mutantRuns<V>(
  suite: Suite<V>,
  options: SelftestOptions,
  { id, breaks, make }: Mutant,
): ScenarioRuns {
  const listing = options.scenarios
    .filter(({ exercises }) => exercises.includes(breaks))
    .toSorted((one, other) => sharedStart(other.name, id) - sharedStart(one.name, id));
  for (const scenario of options.quick === true ? listing : []) {
    const runs = runScenarios(suite, { ...options, scenarios: [scenario] }, make);
    if (runs.violated.has(breaks)) return runs;
  }
  return runScenarios(suite, options, make);
}

/** The length of the beginning that two names share. */
function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The scenarios that a lawful peer plays in a quick self-test: each sixth one; of many, about twelve. */
function partOf(scenarios: readonly Scenario[], start: number): readonly Scenario[] {
  const step = Math.max(6, Math.floor(scenarios.length / 12));
  return scenarios.filter((_, i) => (i + start) % step === 0);
}

/** Faults in the suite's tables: rows without rules or mutants, and rules or mutants without a row. */
function suiteFaults<V>(suite: Suite<V>, rows: readonly Requirement[]): string[] {
  const failures: string[] = [];
  const known = new Set(rows.map((row) => row.id));
  const judged = new Set(suite.judging.rules.map((rule) => rule.requirement));
  // The mutants of other suites show that the rules of rows from their lists can fail.
  const elsewhere = (suite.furtherLists ?? []).flatMap((list) => list.rows);
  const broken = new Set([...suite.mutants().map((mutant) => mutant.breaks), ...elsewhere]);
  for (const { id, level } of rows.filter((row) => row.excluded === undefined)) {
    if (!judged.has(id)) failures.push(`${id} has no rule, and is not excluded`);
    if (level !== 'MAY' && !broken.has(id))
      failures.push(`${id} has no mutant: nothing shows that its rule can fail`);
  }
  for (const id of judged) if (!known.has(id)) failures.push(`there is a rule for ${id}, which is no row`);
  for (const { id, breaks } of suite.mutants()) {
    if (!known.has(breaks)) failures.push(`mutant ${id} breaks ${breaks}, which is no row`);
  }
  failures.push(...sameNames(suite.mutants()).map((id) => `two mutants are called ${id}`));
  failures.push(...sameNames(suite.lawful?.() ?? []).map((id) => `two lawful peers are called ${id}`));
  for (const { id, unseen = {} } of suite.lawful?.() ?? [])
    for (const row of Object.keys(unseen))
      if (!known.has(row)) failures.push(`lawful peer ${id} names ${row}, which is no row`);
  return failures;
}

function sameNames(peers: readonly { readonly id: string }[]): readonly string[] {
  const ids = peers.map(({ id }) => id);
  return [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))];
}

/** Faults that the reference shows: false alarms, and scenarios that do not exercise their listed requirements. */
function referenceFaults(
  rows: readonly Requirement[],
  scenarios: readonly Scenario[],
  runs: ScenarioRuns,
): string[] {
  const failures: string[] = [];
  for (const [id, where] of runs.violated) {
    for (const [name, message] of where)
      failures.push(`false alarm: the reference fails ${id} in ${name}: ${message}`);
  }
  for (const [name, reason] of runs.early)
    failures.push(`scenario ${name} ended early at the reference: ${reason}`);
  for (const { name, exercises } of scenarios) {
    for (const id of exercises) {
      const isExercised = runs.exercised.get(id)?.includes(name) === true;
      if (!isExercised) failures.push(`scenario ${name} says it exercises ${id}, and does not`);
    }
  }
  for (const { id } of rows.filter((row) => row.excluded === undefined)) {
    if (!runs.exercised.has(id)) failures.push(`no scenario exercises ${id}`);
    if (scenarios.every(({ exercises }) => !exercises.includes(id)))
      failures.push(`no scenario says it exercises ${id}`);
  }
  return failures;
}

/** Requirements that a silent target passes. */
const silentPasses = (runs: ScenarioRuns): string[] =>
  [...runs.exercised]
    .filter(([id]) => !runs.violated.has(id))
    .map(([id, [name = '']]) => `a target that says nothing passes ${id} in ${name}`);

/** A row, the rows that it entails, and the rows that those entail in turn. */
function entailedRows(rows: readonly Requirement[], id: string): ReadonlySet<string> {
  const closure = new Set([id]);
  for (const reached of closure) {
    for (const entailed of rows.find((row) => row.id === reached)?.entails ?? []) closure.add(entailed.id);
  }
  return closure;
}

function outcomeOf(
  { id, title, breaks }: Mutant,
  { violated }: ScenarioRuns,
  closure: ReadonlySet<string>,
): MutantOutcome {
  const others = [...violated.keys()].filter((other) => other !== breaks).toSorted();
  const by = [...(violated.get(breaks)?.keys() ?? [])];
  const entailed = others.filter((other) => closure.has(other));
  const unexpected = others.filter((other) => !closure.has(other));
  return { id, title, breaks, killed: by.length > 0, by, entailed, unexpected };
}

function mutantFaults(
  { id, breaks, killed, unexpected }: MutantOutcome,
  { violated }: ScenarioRuns,
): string[] {
  const survived = killed ? [] : [`mutant ${id} survived: nothing fails ${breaks}`];
  if (unexpected.length === 0) return survived;
  const [first = ''] = unexpected;
  const [[name, message] = ['', '']] = violated.get(first) ?? [];
  const where = `${first} in ${name}: ${message}`;
  return [
    ...survived,
    `mutant ${id} fails requirements that ${breaks} does not entail: ${unexpected.join(', ')} (${where})`,
  ];
}

/** Declared entailments that no mutant of their row shows. Skips rows of which some mutants were not run. */
function unshownEntailments<V>(
  suite: Suite<V>,
  rows: readonly Requirement[],
  outcomes: readonly MutantOutcome[],
): string[] {
  const known = new Set(rows.map((row) => row.id));
  return rows.flatMap((row) => {
    const mine = outcomes.filter((outcome) => outcome.breaks === row.id);
    const all = suite.mutants().filter((mutant) => mutant.breaks === row.id);
    if (mine.length < all.length || all.length === 0) return [];
    const shown = new Set(mine.flatMap((outcome) => outcome.entailed));
    // This suite cannot show the requirements of another role.
    const idle = (row.entails ?? []).filter(({ id }) => known.has(id) && !shown.has(id));
    return idle.map(({ id }) => `${row.id} is declared to entail ${id}, and no mutant of it shows that`);
  });
}
