/** The law of patience can fail: it names a scenario that gives up too early. */
import { describe, expect, it } from 'vitest';
import { isObject } from '../src/kit/base/index.ts';
import { readScenarios } from '../src/kit/spec/index.ts';
import { scenariosOf } from '../src/kit/suite/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import type { Scenario, ScenarioStep, TraceEvent } from '../src/kit/base/index.ts';
import { agentFoldSuite } from './agent/fold/suite.ts';
import { foldAgentSuite } from './fold/agent/suite.ts';
import { toonSubagentSuite } from './toon/subagent/suite.ts';
import { hangAt, impatience } from './patience.test-helper.ts';

const plain = readScenarios('toon', 'toon/subagent').find(({ name }) => name === 'subagent-plain');

/** The steps of a scenario whose awaits are short, and after which the kit ends the stream. */
const doctored = (scenario: Scenario): Scenario => {
  const hasty = (step: ScenarioStep): ScenarioStep =>
    'await' in step ? { await: { ...step.await, within: '1s', optional: true } } : step;
  const end: ScenarioStep = { end: { from: 'orchestrator', code: 0 } };
  return { ...scenario, steps: [...scenario.steps.map(hasty), end] };
};

describe('the law of patience', () => {
  it('holds a scenario as it stands, also with a shorter time of its own', () => {
    if (plain === undefined) throw new Error('no scenario subagent-plain');
    expect(impatience(toonSubagentSuite, plain, 'end')).toBeUndefined();
    const brief = plain.steps.map((step) =>
      'await' in step ? { await: { ...step.await, within: '1s' } } : step,
    );
    expect(impatience(toonSubagentSuite, { ...plain, steps: brief }, 'end')).toBeUndefined();
  });

  it('names a doctored scenario, which ends the stream while TOON-50 awaits an event', () => {
    if (plain === undefined) throw new Error('no scenario subagent-plain');
    expect(impatience(toonSubagentSuite, doctored(plain), 'end')).toMatch(
      /^subagent-plain gives up: .*TOON-50.* awaited an event$/,
    );
  });
});

describe('an agent that hangs at a decision about its tool', () => {
  /** The hangs at a decision of the gateway: by scenario, the requirements that name it. */
  const hangs = <V>(suite: Suite<V>, approved: boolean): { readonly [scenario: string]: readonly string[] } =>
    Object.fromEntries(
      scenariosOf(suite).flatMap((scenario) => {
        if (!JSON.stringify(scenario.steps).includes('tool_approval":')) return [];
        const isDecision = ({ from, data: { tool_approval: decision } }: TraceEvent): boolean =>
          from !== 'target' && isObject(decision) && (decision['approved'] === true) === approved;
        const { came, rows } = hangAt(suite, scenario, isDecision);
        return came ? [[scenario.name, rows]] : [];
      }),
    );

  it.each([
    [false, { 'deny-tool': ['FOLD-A33'] }],
    [true, { 'approve-tool': ['FOLD-A14'] }],
  ])('is named in each scenario that has one: approved %s', (approved, whole) => {
    const agents = hangs(agentFoldSuite, approved);
    expect(agents).toMatchObject(whole);
    const all = [...Object.entries(agents), ...Object.entries(hangs(foldAgentSuite, approved))];
    expect(all.filter(([, rows]) => rows.length === 0)).toEqual([]);
  });
});
