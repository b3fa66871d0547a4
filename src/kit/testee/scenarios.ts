/**
 * Scenarios made of golden vectors. Each has a few dozen tests of one theme and operation, sent one at a time. A mark
 * before each request holds the demands on its answer.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../base/index.ts';
import { vectorInput } from '../spec/index.ts';
import type { Vector, VectorFile } from '../spec/index.ts';

/** A vector and its operation. */
export interface VectorOfOp {
  readonly op: string;
  readonly test: Vector;
}

/** The tests of one operation in a file. A unit is one test, or several tests that one process has to answer. */
export interface UnitsOfOp {
  readonly op: string;
  readonly units: readonly (readonly VectorOfOp[])[];
}

/** How a suite's vectors become scenarios. */
export interface ScenarioPlan {
  /** The most tests in one scenario. Small, because a crash of the testee skips the rest of its scenario. */
  readonly testsAtMost: number;
  /** The name of scenarios before their number; absent: the theme. `theme` is the file's name without `.json`. */
  readonly nameOf?: (theme: string, op: string) => string;
  /** The order of the themes. Other themes come last; absent: by name. */
  readonly themes?: readonly string[];
  /** By theme: features that its tests need. A testee that lacks one of them is not asked; absent: none. */
  readonly features?: { readonly [theme: string]: readonly string[] };
  /** The features that a test needs besides. It is in a scenario of tests that need the same; absent: none. */
  readonly featuresOf?: (put: VectorOfOp) => readonly string[];
  /** Groups the tests into units; absent: each test is a unit. */
  readonly unitsOf?: (file: VectorFile) => readonly UnitsOfOp[];
  /** The steps of a test; absent: {@link stepsOf}. */
  readonly stepsOf?: (put: VectorOfOp) => readonly ScenarioStep[];
  /** Further requests of the first scenario after `hello`, by id; absent: it has no further ones. */
  readonly afterHello?: { readonly [id: string]: JsonObject };
}

/** A request. `verbatim`: its variables are not filled in. */
export const requestStep = (message: JsonObject, verbatim = true): ScenarioStep => ({
  send: { from: 'tester', verbatim, message },
});

/** A wait for the answer to a request. */
export const answerStep = (id: string, within = '$timeouts.step'): ScenarioStep => ({
  await: { from: 'target', match: { id }, within },
});

/** The mark before a test's request. */
export function markStep({ id, requirements, result, expect, error }: Vector): ScenarioStep {
  const demanded = {
    ...(expect === undefined ? {} : { expect }),
    ...(error === undefined ? {} : { error }),
  };
  return { mark: { case: { id, vector: id, requirements, result, ...demanded } }, verbatim: true };
}

/** A test: its mark, its request, its answer. */
export const stepsOf = ({ op, test }: VectorOfOp): readonly ScenarioStep[] => [
  markStep(test),
  requestStep({ id: test.id, op, ...vectorInput(test) }),
  answerStep(test.id),
];

/** The kit asks every process for its operations, because rules depend on them. */
const helloSteps: readonly ScenarioStep[] = [
  requestStep({ id: 'hello', op: 'hello' }),
  answerStep('hello', '$timeouts.handshake'),
];

/** The name of the scenario that asks the testee to describe itself. */
export const helloScenario = 'hello';

/** All scenarios of a suite: first `hello`, then the scenarios of the vectors. */
export function vectorScenarios(
  suite: Pick<Scenario, 'suite' | 'peers'>,
  plan: ScenarioPlan,
  files: readonly VectorFile[],
): readonly Scenario[] {
  const named = new Map<string, number>();
  const { unitsOf = oneByOne, nameOf = (theme) => theme, themes = [] } = plan;
  // Themes that the plan does not name come last.
  const place = ({ name }: VectorFile): number => themes.indexOf(themeOf(name)) + 1 || themes.length + 1;
  const inOrder = files.toSorted((a, b) => place(a) - place(b));
  const scenarios = inOrder.flatMap((file) =>
    unitsOf(file).flatMap(({ op, units }) =>
      byNeeds(units, plan).flatMap(({ features: needed, units: alike }) =>
        chunks(alike, plan.testsAtMost).map((puts) => {
          const name = nameOf(themeOf(file.name), op);
          const number = (named.get(name) ?? 0) + 1;
          named.set(name, number);
          const features = [...new Set([...(plan.features?.[themeOf(file.name)] ?? []), ...needed])];
          return {
            ...scenarioDefaults,
            ...suite,
            ...scenarioOf({ name: `${name}-${number}`, features }, puts, plan),
          };
        }),
      ),
    ),
  );
  return [helloOf(suite, plan), ...scenarios];
}

/** The scenario in which a testee describes itself, and answers the plan's first requests. */
function helloOf(suite: Pick<Scenario, 'suite' | 'peers'>, { afterHello = {} }: ScenarioPlan): Scenario {
  const steps = Object.entries(afterHello).flatMap(([id, request]) => [
    requestStep({ id, ...request }),
    answerStep(id),
  ]);
  return {
    ...scenarioDefaults,
    ...suite,
    name: helloScenario,
    title: 'The testee says what it can do',
    exercises: [],
    steps: [...helloSteps, ...steps],
  };
}

const themeOf = (file: string): string => file.replace(/\.json$/, '');

const scenarioDefaults = {
  needs: { drive: [], features: [] },
  fresh: false,
  alone: false,
  last: false,
  reference: {},
} as const;

const oneByOne = ({ vectors }: VectorFile): readonly UnitsOfOp[] =>
  vectors.groups.map(({ op, tests }) => ({ op, units: tests.map((test) => [{ op, test }]) }));

/** The flag of a test that takes long: it goes only to testees whose clock is the one that requests set. */
const virtualTimeFlag = 'virtual_time';

const needsVirtualTime = ({ test }: VectorOfOp): boolean => test.flags.includes(virtualTimeFlag);

/** Units that need the same of a testee. */
interface AlikeUnits {
  readonly features: readonly string[];
  readonly units: (readonly VectorOfOp[])[];
}

/**
 * Separates the units by what they need, virtual time or features, so that a testee without it gets the others. Those that
 * need least come first.
 */
function byNeeds(units: UnitsOfOp['units'], { featuresOf = () => [] }: ScenarioPlan): readonly AlikeUnits[] {
  const groups = new Map<string, AlikeUnits & { readonly isLong: boolean }>();
  for (const unit of units) {
    const isLong = unit.some(needsVirtualTime);
    const features = [...new Set(unit.flatMap(featuresOf))].toSorted();
    const key = JSON.stringify([isLong, features]);
    const group = groups.get(key) ?? { isLong, features, units: [] };
    groups.set(key, group);
    group.units.push(unit);
  }
  const weight = ({
    isLong,
    features,
  }: {
    readonly isLong: boolean;
    readonly features: readonly string[];
  }): number => features.length + (isLong ? 1 : 0);
  return [...groups.values()].toSorted((a, b) => weight(a) - weight(b));
}

/** Splits units into the tests of scenarios. */
function chunks(units: UnitsOfOp['units'], most: number): readonly (readonly VectorOfOp[])[] {
  const all: VectorOfOp[][] = [];
  for (const unit of units) {
    const last = all.at(-1);
    if (last === undefined || last.length + unit.length > most) all.push([...unit]);
    else last.push(...unit);
  }
  return all;
}

function scenarioOf(
  { name, features }: { readonly name: string; readonly features: readonly string[] },
  puts: readonly VectorOfOp[],
  plan: ScenarioPlan,
): Pick<Scenario, 'name' | 'title' | 'needs' | 'exercises' | 'steps'> {
  const [first] = puts;
  const ops = [...new Set(puts.map(({ op }) => op))];
  return {
    name,
    title: `${puts.length} vectors from ${first?.test.id ?? ''}, put to ${first?.op ?? ''}`,
    needs: {
      ...scenarioDefaults.needs,
      features,
      ops,
      ...(puts.some(needsVirtualTime) ? { virtual_time: true } : {}),
    },
    exercises: [...new Set(puts.flatMap(({ test }) => test.requirements))].toSorted(),
    steps: [...helloSteps, ...puts.flatMap(plan.stepsOf ?? stepsOf)],
  };
}
