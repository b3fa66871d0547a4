/** The scenarios that are made of tests. */
import { describe, expect, it } from 'vitest';
import type { Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { readVectors, vectorSchema } from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import { testeeSuite } from '../../../src/kit/testee/index.ts';
import { managerDefinition, tokensManagerSuite } from './suite.ts';

const test = (id: string, more: Partial<Vector> = {}): Vector => ({
  id,
  comment: id,
  flags: [],
  requirements: ['TOK-25'],
  result: 'valid',
  messages: [],
  expect: { tokens: 0 },
  ...more,
});

const file = (theme: string, op: string, tests: readonly Vector[]): VectorFile => ({
  name: `${theme}.json`,
  vectors: {
    schema: vectorSchema,
    protocol: 'tokens',
    revision: '1',
    generator: '',
    notes: {},
    groups: [{ op, tests }],
  },
});

const scenariosOf = (...files: readonly VectorFile[]): readonly Scenario[] =>
  testeeSuite({ ...managerDefinition, vectors: () => files }).scenarios?.() ?? [];

const sentBy = ({ steps }: Scenario): readonly unknown[] =>
  steps.flatMap((step: ScenarioStep) => ('send' in step ? [step.send.message['id']] : []));

describe('the scenarios of a few tests', () => {
  const many = Array.from({ length: 31 }, (_, i) => test(`t${i}`));
  const scenarios = scenariosOf(
    file('estimate', 'tokens.estimate', many),
    file('other', 'tokens.estimate', [test('o', { requirements: ['TOK-15'] })]),
  );

  it('begin with hello, as each scenario does for its process', () => {
    expect(scenarios[0]?.name).toBe('hello');
    for (const scenario of scenarios) expect(sentBy(scenario)[0]).toBe('hello');
  });

  it('have one theme, and 30 tests at most', () => {
    expect(scenarios.map(({ name, exercises }) => [name, exercises])).toEqual([
      ['hello', []],
      ['estimate-1', ['TOK-25']],
      ['estimate-2', ['TOK-25']],
      ['other-1', ['TOK-15']],
    ]);
    expect(scenarios.map((scenario) => sentBy(scenario).length - 1)).toEqual([0, 30, 1, 1]);
  });

  it('mark each test, send it unchanged, and wait for its answer', () => {
    expect(scenarios.at(-1)?.steps.slice(2)).toEqual([
      {
        mark: {
          case: { id: 'o', vector: 'o', requirements: ['TOK-15'], result: 'valid', expect: { tokens: 0 } },
        },
        verbatim: true,
      },
      { send: { from: 'tester', verbatim: true, message: { id: 'o', op: 'tokens.estimate', messages: [] } } },
      { await: { from: 'target', match: { id: 'o' }, within: '$timeouts.step' } },
    ]);
  });

  it('send a test again with the messages of its answer', () => {
    const put = test('p', { flags: ['again'], limit: 9 });
    const [, scenario] = scenariosOf(file('prune', 'tokens.prune', [put]));
    expect(scenario?.steps.slice(4)).toEqual([
      {
        await: { from: 'target', match: { id: 'p' }, within: '$timeouts.step' },
        as: { came: 'ok.messages' },
      },
      {
        mark: {
          case: {
            id: 'p-again',
            vector: 'p-again',
            requirements: ['TOK-25'],
            result: 'valid',
            expect: { unchanged: true },
          },
        },
        verbatim: true,
      },
      {
        send: {
          from: 'tester',
          verbatim: false,
          message: { id: 'p-again', op: 'tokens.prune', limit: 9, messages: '$came' },
        },
      },
      { await: { from: 'target', match: { id: 'p-again' }, within: '$timeouts.step' } },
    ]);
  });
});

it('the scenarios of all tests send each test once, and have unique names', () => {
  const scenarios = tokensManagerSuite.scenarios?.() ?? [];
  const ids = scenarios.flatMap((scenario) => sentBy(scenario).filter((id) => id !== 'hello'));
  const all = readVectors('tokens').flatMap(({ vectors }) => vectors.groups.flatMap(({ tests }) => tests));
  const again = all.filter(({ flags }) => flags.includes('again')).map(({ id }) => `${id}-again`);
  expect(ids.toSorted()).toEqual([...all.map(({ id }) => id), ...again].toSorted());
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});
