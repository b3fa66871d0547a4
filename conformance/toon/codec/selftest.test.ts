/** TOON's codecs: the suite proves itself. That such a proof can fail is shown with Fold's agents. */
import { describe, expect, it } from 'vitest';
import { selftest, simulate } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { toonCodecSuite } from './suite.ts';

const { requirements } = readRequirements('toon');
const scenarios = toonCodecSuite.scenarios?.() ?? [];
const rows = requirements.filter(({ roles, excluded }) => roles.includes('codec') && excluded === undefined);

describe('self-test of toon/codec', () => {
  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 180_000 },
    () => {
      const result = selftest(toonCodecSuite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      expect(result.mutants.length).toBe(toonCodecSuite.mutants.length);
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map((mutant) => mutant.breaks));
      expect(rows.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
      expect(rows.length).toBe(39);
    },
  );
});

describe('the reference', () => {
  it('shows that it compresses', () => {
    const scenario = scenarios.find(({ name }) => name === 'hello');
    if (scenario === undefined) throw new Error('no scenario hello');
    const target = toonCodecSuite.reference();
    const { view, played } = simulate({ suite: toonCodecSuite, scenario, target, seed: '1' });
    expect(played.outcome).toBe('done');
    expect(view.memory.compresses).toBe(true);
    expect(view.hello?.said).toMatchObject({ codes: true });
  });
});
