/** The law of patience can fail: it names a scenario that gives up too early. */
import { describe, expect, it } from 'vitest';
import { readScenarios } from '../src/kit/spec/index.ts';
import type { Scenario, ScenarioStep } from '../src/kit/base/index.ts';
import { toonSubagentSuite } from './toon/subagent/suite.ts';
import { impatience } from './patience.test-helper.ts';

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
