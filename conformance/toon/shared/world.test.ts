/** The reference roles in other worlds than the self-test's: other seeds, other carriers, driven passively. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/kit/suite/index.ts';
import { unmetNeed } from '../../../src/kit/scenario/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { readRequirements, readScenarios } from '../../../src/kit/spec/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import type { ToonView } from './view.ts';

const { requirements } = readRequirements('toon');
const features = new Set(['tools', 'context', 'compression']);

interface World {
  readonly drive: string;
  readonly carrier: string;
  readonly seed: string;
}

/** What goes wrong in a world, and what is put to the test there. */
function tour(
  suite: Suite<ToonView>,
  { drive, carrier, seed }: World,
): { wrong: string[]; exercised: Set<string> } {
  const wrong: string[] = [];
  const exercised = new Set<string>();
  for (const read of readScenarios('toon', suite.id)) {
    if (unmetNeed(read, { drive, features, carrier }) !== undefined) continue;
    const scenario = { ...read, needs: { ...read.needs, carrier: [carrier] } };
    const target = suite.reference(scenario.reference);
    const { played, found } = simulate({ suite, scenario, target, seed, drive });
    if (played.outcome !== 'done') wrong.push(`${scenario.name} ended early: ${played.reason ?? ''}`);
    for (const [id, { exercised: times, violations }] of found) {
      if (times > 0) exercised.add(id);
      for (const { message } of violations) wrong.push(`${scenario.name} ${id}: ${message}`);
    }
  }
  return { wrong, exercised };
}

const worlds: readonly World[] = [
  { drive: 'directive', carrier: 'stdio', seed: '2' },
  { drive: 'directive', carrier: 'tcp', seed: '3' },
  { drive: 'directive', carrier: 'ws', seed: '4' },
  { drive: 'passive', carrier: 'tcp', seed: '5' },
];

describe.each([
  ['toon/subagent', toonSubagentSuite],
  ['toon/orchestrator', toonOrchestratorSuite],
] as const)('the reference of %s', (id, suite) => {
  it('has scenarios of its own only, named after the role', () => {
    const others = readScenarios('toon', id).filter(({ name }) => !name.startsWith(`${suite.role}-`));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it.each(worlds)('breaks nothing in the $drive drive on $carrier', (world) => {
    expect(tour(suite, world).wrong).toEqual([]);
  });

  it('exercises all requirements without optional features, also when it is driven passively', () => {
    const { exercised } = tour(suite, { drive: 'passive', carrier: 'tcp', seed: '1' });
    const owed = requirements.filter(
      ({ roles, level, feature, excluded }) =>
        roles.includes(suite.role) && level === 'MUST' && feature === undefined && excluded === undefined,
    );
    expect(owed.map(({ id }) => id).filter((id) => !exercised.has(id))).toEqual([]);
  });
});
