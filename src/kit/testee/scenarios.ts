/**
 * Scenarios made of golden vectors: a few dozen tests of one theme and operation each, put one at a time. A mark before
 * each request says what is demanded of the answer.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../base/index.ts';
import { vectorInput } from '../spec/index.ts';
import type { Vector, VectorFile } from '../spec/index.ts';

/** A vector and the operation that it is put to. */
export interface VectorOfOp {
  readonly op: string;
  readonly test: Vector;
}

/** The tests of a file that are put to an operation. Each unit is one test, or several that are put to one process. */
export interface UnitsOfOp {
  readonly op: string;
  readonly units: readonly (readonly VectorOfOp[])[];
}

/** How a suite's vectors become scenarios. */
export interface ScenarioPlan {
  /** Most tests in one scenario. A testee that dies of a test takes the rest of its scenario with it. */
  readonly testsAtMost: number;
  /** The name of scenarios before their number; `theme` is the file's name without ending. Absent: the theme. */
  readonly nameOf?: (theme: string, op: string) => string;
  /** The order in which themes are played; absent: by name. */
  readonly themes?: readonly string[];
  /** Which tests belong together; absent: none. */
  readonly unitsOf?: (file: VectorFile) => readonly UnitsOfOp[];
  /** The steps of a test; absent: {@link stepsOf}. */
  readonly stepsOf?: (put: VectorOfOp) => readonly ScenarioStep[];
  /** What the first scenario asks after `hello`, by ids; absent: nothing. */
  readonly afterHello?: { readonly [id: string]: JsonObject };
}

/** A request, as it stands; without `verbatim`, its variables are filled in. */
export const requestStep = (message: JsonObject, verbatim = true): ScenarioStep => ({
  send: { from: 'tester', verbatim, message },
});

/** Waiting for the answer to a request. */
export const answerStep = (id: string, within = '$timeouts.step'): ScenarioStep => ({
  await: { from: 'target', match: { id }, within },
});

/** The mark before a test's request. */
export function markStep({ id, requirements, result, expect, error }: Vector): ScenarioStep {
  const demanded = {
    ...(expect === undefined ? {} : { expect }),
    ...(error === undefined ? {} : { error }),
  };
  return { mark: { case: { id, vector: id, requirements, result, ...demanded } } };
}

/** A test: its mark, its request, its answer. */
export const stepsOf = ({ op, test }: VectorOfOp): readonly ScenarioStep[] => [
  markStep(test),
  requestStep({ id: test.id, op, ...vectorInput(test) }),
  answerStep(test.id),
];

/** Every process is asked anew which operations it has: rules go by that. */
const greeting: readonly ScenarioStep[] = [
  requestStep({ id: 'hello', op: 'hello' }),
  answerStep('hello', '$timeouts.handshake'),
];

/** The name of the scenario that asks what the testee is. */
export const helloScenario = 'hello';

/** All scenarios of a suite: first the one that asks what the testee is, then those of the vectors. */
export function vectorScenarios(
  suite: Pick<Scenario, 'suite' | 'peers'>,
  plan: ScenarioPlan,
  files: readonly VectorFile[],
): readonly Scenario[] {
  const named = new Map<string, number>();
  const { afterHello = {}, unitsOf = singly, nameOf = (theme) => theme, themes = [] } = plan;
  // Themes that the plan does not name come last.
  const place = ({ name }: VectorFile): number => themes.indexOf(themeOf(name)) + 1 || themes.length + 1;
  const inOrder = files.toSorted((a, b) => place(a) - place(b));
  const scenarios = inOrder.flatMap((file) =>
    unitsOf(file).flatMap(({ op, units }) =>
      chunks(units, plan.testsAtMost).map((puts) => {
        const name = nameOf(themeOf(file.name), op);
        const number = (named.get(name) ?? 0) + 1;
        named.set(name, number);
        return { ...plain, ...suite, ...scenarioOf(`${name}-${number}`, puts, plan) };
      }),
    ),
  );
  const steps = Object.entries(afterHello).flatMap(([id, request]) => [
    requestStep({ id, ...request }),
    answerStep(id),
  ]);
  const title = 'The testee says what it can do';
  const hello = {
    ...plain,
    ...suite,
    name: helloScenario,
    title,
    exercises: [],
    steps: [...greeting, ...steps],
  };
  return [hello, ...scenarios];
}

const themeOf = (file: string): string => file.replace(/\.json$/, '');

const plain = {
  needs: { drive: [], features: [] },
  fresh: false,
  alone: false,
  last: false,
  reference: {},
} as const;

const singly = ({ vectors }: VectorFile): readonly UnitsOfOp[] =>
  vectors.groups.map(({ op, tests }) => ({ op, units: tests.map((test) => [{ op, test }]) }));

/** Units side by side, as many as go into a scenario. */
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
  name: string,
  puts: readonly VectorOfOp[],
  plan: ScenarioPlan,
): Pick<Scenario, 'name' | 'title' | 'needs' | 'exercises' | 'steps'> {
  const [first] = puts;
  const ops = [...new Set(puts.map(({ op }) => op))];
  return {
    name,
    title: `${puts.length} vectors from ${first?.test.id ?? ''}, put to ${first?.op ?? ''}`,
    needs: { ...plain.needs, ops },
    exercises: [...new Set(puts.flatMap(({ test }) => test.requirements))].toSorted(),
    steps: [...greeting, ...puts.flatMap(plan.stepsOf ?? stepsOf)],
  };
}
