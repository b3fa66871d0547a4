/**
 * The kit's proof of itself: the reference must pass every check, and every mutant must fail the check it is there
 * to break, and no other but what that entails. So no check passes by accident, and none cannot fail.
 */
import type { Scenario } from '../base/index.ts';
import type { Requirement } from '../spec/index.ts';
import { simulate } from './simulated.ts';
import type { MakePeer, Mutant, Suite } from './suite.ts';

/** What a self-test is run with. */
export interface SelftestOptions {
  /** Rows of the suite's protocol; those of other roles are passed over. */
  readonly requirements: readonly Requirement[];
  readonly scenarios: readonly Scenario[];
  /** Of the simulated world; the same seed, the same result. */
  readonly seed: string;
  /** Milliseconds, where they are to differ from the suite's. */
  readonly timeouts?: { readonly [name: string]: number };
  /** Steps of the virtual clock after which a run counts as endless; default 200000. */
  readonly steps?: number;
  /** Which mutants to run; absent: all. */
  readonly mutants?: (mutant: Mutant) => boolean;
  /** Hears what has been run, and how much there is to run: the reference and each mutant count one. */
  readonly onProgress?: (done: number, of: number, what: string) => void;
}

/** What came of one mutant. */
export interface MutantOutcome {
  readonly id: string;
  readonly title: string;
  readonly breaks: string;
  /** Whether the requirement that it breaks failed. */
  readonly killed: boolean;
  /** The scenarios in which it did. */
  readonly by: readonly string[];
  /** Other requirements that failed, as that one's row says they must. */
  readonly entailed: readonly string[];
  /** Others that failed, and should not have. */
  readonly unexpected: readonly string[];
}

/** What a self-test found out. */
export interface SelftestResult {
  readonly suite: string;
  readonly seed: string;
  readonly reference: {
    readonly scenarios: number;
    /** In which scenarios each requirement was put to the test. */
    readonly exercised: { readonly [id: string]: readonly string[] };
  };
  readonly mutants: readonly MutantOutcome[];
  /** What is wrong, one sentence each; none: the kit can be believed. */
  readonly failures: readonly string[];
}

/** One target's run of all scenarios, as far as it matters here. */
interface Tour {
  /** By requirement, by scenario: the first violation's message. */
  readonly violated: Map<string, Map<string, string>>;
  /** By requirement: the scenarios that exercised it. */
  readonly exercised: Map<string, string[]>;
  /** By scenario: why it ended early. */
  readonly early: Map<string, string>;
}

const endless = 200_000;

function tourOf<V>(suite: Suite<V>, options: SelftestOptions, target: Suite<V>['reference']): Tour {
  const tour: Tour = { violated: new Map(), exercised: new Map(), early: new Map() };
  const { seed, timeouts = {}, steps = endless } = options;
  for (const scenario of options.scenarios) {
    const { found, played } = simulate({
      suite,
      scenario,
      target: target(scenario.reference),
      seed,
      timeouts,
      steps,
    });
    if (played.outcome !== 'done') tour.early.set(scenario.name, played.reason ?? '');
    for (const [id, { exercised, violations }] of found) {
      const [first] = violations;
      if (exercised > 0) tour.exercised.set(id, [...(tour.exercised.get(id) ?? []), scenario.name]);
      if (first !== undefined)
        tour.violated.set(id, (tour.violated.get(id) ?? new Map()).set(scenario.name, first.message));
    }
  }
  return tour;
}

/** A target that opens its stream, or takes those of others, and says nothing. */
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
 * import { readRequirements, readScenarios } from '../spec/index.ts';
 *
 * const { requirements } = readRequirements('fold');
 * const scenarios = readScenarios('fold', 'fold/agent');
 * const timeouts = { keepalive: 12_000 };
 * // None: the suite can be believed, as far as the mutants of this one row go.
 * const mutants = ({ breaks }: Mutant) => breaks === 'FOLD-A15';
 * selftest(foldAgentSuite, { requirements, scenarios, seed: '1', timeouts, mutants }).failures; // []
 */
export function selftest<V>(suite: Suite<V>, options: SelftestOptions): SelftestResult {
  const rows = options.requirements.filter((row) => row.roles.includes(suite.role));
  const chosen = suite.mutants.filter((mutant) => options.mutants?.(mutant) ?? true);
  const progress = (done: number, what: string): void => options.onProgress?.(done, chosen.length + 1, what);
  const failures: string[] = [];
  const reference = tourOf(suite, options, suite.reference);
  failures.push(...wellFormed(suite, rows), ...referenceFaults(rows, options.scenarios, reference));
  failures.push(...fromNothing(tourOf(suite, options, () => silentTarget)));
  progress(1, 'reference');
  const mutants = chosen.map((mutant, i) => {
    const tour = tourOf(suite, options, mutant.make);
    const outcome = outcomeOf(mutant, tour, closureOf(rows, mutant.breaks));
    failures.push(...mutantFaults(outcome, tour));
    progress(i + 2, mutant.id);
    return outcome;
  });
  failures.push(...idleEntailments(suite, rows, mutants));
  const exercised = Object.fromEntries(reference.exercised);
  return {
    suite: suite.id,
    seed: options.seed,
    reference: { scenarios: options.scenarios.length, exercised },
    mutants,
    failures,
  };
}

/** What is wrong with the suite as it is written: rows without rules or mutants, and rules or mutants of no row. */
function wellFormed<V>(suite: Suite<V>, rows: readonly Requirement[]): string[] {
  const failures: string[] = [];
  const known = new Set(rows.map((row) => row.id));
  const judged = new Set(suite.judging.rules.map((rule) => rule.requirement));
  const broken = new Set(suite.mutants.map((mutant) => mutant.breaks));
  for (const { id, level } of rows.filter((row) => row.excluded === undefined)) {
    if (!judged.has(id)) failures.push(`${id} has no rule, and is not excluded`);
    if (level !== 'MAY' && !broken.has(id))
      failures.push(`${id} has no mutant: nothing shows that its rule can fail`);
  }
  for (const id of judged) if (!known.has(id)) failures.push(`there is a rule for ${id}, which is no row`);
  for (const { id, breaks } of suite.mutants) {
    if (!known.has(breaks)) failures.push(`mutant ${id} breaks ${breaks}, which is no row`);
  }
  const ids = suite.mutants.map((mutant) => mutant.id);
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i)))
    failures.push(`two mutants are called ${id}`);
  return failures;
}

/** What is wrong when the reference plays: false alarms, and scenarios that do not do what they say. */
function referenceFaults(rows: readonly Requirement[], scenarios: readonly Scenario[], tour: Tour): string[] {
  const failures: string[] = [];
  for (const [id, where] of tour.violated) {
    for (const [name, message] of where)
      failures.push(`false alarm: the reference fails ${id} in ${name}: ${message}`);
  }
  for (const [name, reason] of tour.early)
    failures.push(`scenario ${name} ended early at the reference: ${reason}`);
  for (const { name, exercises } of scenarios) {
    for (const id of exercises) {
      const really = tour.exercised.get(id)?.includes(name) === true;
      if (!really) failures.push(`scenario ${name} says it exercises ${id}, and does not`);
    }
  }
  for (const { id } of rows.filter((row) => row.excluded === undefined)) {
    if (!tour.exercised.has(id)) failures.push(`no scenario exercises ${id}`);
    if (scenarios.every(({ exercises }) => !exercises.includes(id)))
      failures.push(`no scenario says it exercises ${id}`);
  }
  return failures;
}

/** Passes that a silent target would get. */
const fromNothing = (tour: Tour): string[] =>
  [...tour.exercised]
    .filter(([id]) => !tour.violated.has(id))
    .map(([id, [name = '']]) => `a target that says nothing passes ${id} in ${name}`);

/** What breaking a row breaks, as rows say, and what that breaks in turn. */
function closureOf(rows: readonly Requirement[], id: string): ReadonlySet<string> {
  const closure = new Set([id]);
  for (const reached of closure) {
    for (const entailed of rows.find((row) => row.id === reached)?.entails ?? []) closure.add(entailed.id);
  }
  return closure;
}

function outcomeOf(
  { id, title, breaks }: Mutant,
  { violated }: Tour,
  closure: ReadonlySet<string>,
): MutantOutcome {
  const others = [...violated.keys()].filter((other) => other !== breaks).toSorted();
  const by = [...(violated.get(breaks)?.keys() ?? [])];
  const entailed = others.filter((other) => closure.has(other));
  const unexpected = others.filter((other) => !closure.has(other));
  return { id, title, breaks, killed: by.length > 0, by, entailed, unexpected };
}

function mutantFaults({ id, breaks, killed, unexpected }: MutantOutcome, { violated }: Tour): string[] {
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

/** Declared entailments that no mutant of their row shows; of rows whose mutants were all run. */
function idleEntailments<V>(
  suite: Suite<V>,
  rows: readonly Requirement[],
  outcomes: readonly MutantOutcome[],
): string[] {
  const known = new Set(rows.map((row) => row.id));
  return rows.flatMap((row) => {
    const mine = outcomes.filter((outcome) => outcome.breaks === row.id);
    if (mine.length < suite.mutants.filter((mutant) => mutant.breaks === row.id).length) return [];
    const shown = new Set(mine.flatMap((outcome) => outcome.entailed));
    // What only another role owes, this suite cannot show.
    const idle = (row.entails ?? []).filter(({ id }) => known.has(id) && !shown.has(id));
    return idle.map(({ id }) => `${row.id} is declared to entail ${id}, and no mutant of it shows that`);
  });
}

/** The result as lines for a terminal: a line a mutant, then what is wrong, then the counts. */
export function selftestTable({ suite, reference, mutants, failures }: SelftestResult): string {
  const heads = ['breaks', 'mutant', 'killed by', 'also fails'];
  const rows = mutants.map(({ breaks, id, by, entailed, unexpected }) => {
    const [first = 'nothing: SURVIVED', ...more] = by;
    const also = [...entailed, ...unexpected.map((other) => `${other} UNEXPECTED`)];
    return [breaks, id, more.length === 0 ? first : `${first} and ${more.length} more`, also.join(', ')];
  });
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  const killed = mutants.filter((mutant) => mutant.killed).length;
  const exercised = Object.keys(reference.exercised).length;
  return [
    ...(mutants.length === 0 ? [] : [line(heads), ...rows.map(line), '']),
    ...failures.map((failure) => `FAILURE  ${failure}`),
    ...(failures.length === 0 ? [] : ['']),
    `${suite}: the reference exercises ${exercised} requirements in ${reference.scenarios} scenarios`,
    `${killed} of ${mutants.length} mutants killed; ${failures.length} failures`,
  ].join('\n');
}
