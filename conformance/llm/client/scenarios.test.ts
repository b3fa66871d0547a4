import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../src/kit/testee/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { llmClientSuite } from './suite.ts';
import { clientScenarios } from './scenarios.ts';

const scenarios = clientScenarios();
const { requirements } = readRequirements('llm');

it('each scenario has a unique name', () => {
  const names = scenarios.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

// A client of one dialect can be conformant: no requirement needs another dialect.
describe.each(dialects)('in %s', (dialect) => {
  const mine = scenarios.filter(({ needs }) => needs.features.includes(dialect));

  it('every MUST is exercised, except those of other dialects', () => {
    const owed = requirements.filter(
      ({ roles, level, feature }) =>
        roles.includes('client') &&
        level === 'MUST' &&
        (feature === undefined || feature === dialect || feature === 'streaming'),
    );
    const exercised = new Set(mine.flatMap(({ exercises }) => exercises));
    expect(owed.map(({ id }) => id).filter((id) => !exercised.has(id))).toEqual([]);
    expect(owed.length).toBeGreaterThan(14);
  });

  it('needs no other dialect', () => {
    const others = dialects.filter((name) => name !== dialect);
    expect(mine.filter(({ needs }) => others.some((name) => needs.features.includes(name)))).toEqual([]);
  });
});

it('a testee that speaks none of the dialects passes nothing and fails nothing', () => {
  const target = testeeOf(({ id = null, op }) =>
    op === 'hello' ? { id, ok: { name: 'mute', ops: [], dialects: [] } } : { id, unsupported: true },
  );
  for (const scenario of scenarios) {
    const { found, view } = simulate({ suite: llmClientSuite, scenario, target, seed: '1' });
    const touched = [...found].filter(([, { exercised, violations }]) => exercised + violations.length > 0);
    expect(touched).toEqual([]);
    // A testee streams unless it says that it does not.
    expect(llmClientSuite.target.kind === 'meets' && llmClientSuite.target.advertised(view)).toEqual([
      'streaming',
    ]);
  }
});
