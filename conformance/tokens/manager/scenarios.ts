/**
 * The scenarios of token managers: a few dozen tests of one theme each, put one at a time. A mark before each request
 * says which facts must hold of its answer.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { tokensTests } from './cases/index.ts';
import type { TokensTest } from './cases/table.ts';

/** Tests in one scenario: few enough that one who dies of a test is not rid of many. */
const testsAtMost = 30;

/** All scenarios: first one that asks what the testee is, then those of the tests. */
export function managerScenarios(
  tests: { readonly [theme: string]: readonly TokensTest[] } = tokensTests,
): readonly Scenario[] {
  const scenarios = Object.entries(tests).flatMap(([theme, all]) =>
    chunks(all).map((some, i) => scenarioOf(`${theme}-${i + 1}`, some)),
  );
  return [hello, ...scenarios];
}

function chunks(tests: readonly TokensTest[]): readonly (readonly TokensTest[])[] {
  const count = Math.ceil(tests.length / testsAtMost);
  return Array.from({ length: count }, (_, i) => tests.slice(i * testsAtMost, (i + 1) * testsAtMost));
}

const request = (message: JsonObject, verbatim = true): ScenarioStep => ({
  send: { from: 'tester', verbatim, message },
});

const answer = (id: string, within = '$timeouts.step'): ScenarioStep => ({
  await: { from: 'target', match: { id }, within },
});

/** Which operations there are is asked of every process anew: rules go by it. */
const greeting: readonly ScenarioStep[] = [
  request({ id: 'hello', op: 'hello' }),
  answer('hello', '$timeouts.handshake'),
];

const mark = (id: string, { requirement }: TokensTest, expect: JsonObject): ScenarioStep => ({
  mark: { case: { id, vector: id, requirements: [requirement], result: 'valid', expect } },
});

/** A test; and where it is put again, the same with the messages that came of it, which must come again. */
function stepsOf(test: TokensTest): readonly ScenarioStep[] {
  const { id, op, input, expect, again = false } = test;
  const first = [mark(id, test, expect), request({ id, op, ...input })];
  if (!again) return [...first, answer(id)];
  const second = `${id}-again`;
  return [
    ...first,
    { await: { from: 'target', match: { id }, within: '$timeouts.step' }, as: { came: 'ok.messages' } },
    mark(second, test, { unchanged: true }),
    request({ ...input, id: second, op, messages: '$came' }, false),
    answer(second),
  ];
}

function scenarioOf(name: string, tests: readonly TokensTest[]): Scenario {
  const [first] = tests;
  return {
    ...plain,
    name,
    title: `${tests.length} tests from ${first?.id ?? ''}, put to ${first?.op ?? ''}`,
    exercises: [...new Set(tests.map(({ requirement }) => requirement))].toSorted(),
    steps: [...greeting, ...tests.flatMap(stepsOf)],
  };
}

const plain: Omit<Scenario, 'name' | 'title' | 'exercises' | 'steps'> = {
  suite: 'tokens/manager',
  needs: { drive: [], features: [] },
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: { tester: { role: 'tokens/tester', options: {} } },
};

const hello: Scenario = {
  ...plain,
  name: 'hello',
  title: 'The testee says what it can do',
  exercises: [],
  steps: [...greeting],
};
