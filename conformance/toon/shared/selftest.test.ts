/** TOON's live suites prove themselves: the references pass, and every mutant fails what it breaks. */
import { describe, expect, it } from 'vitest';
import { selftest } from '../../../src/kit/suite/index.ts';
import { readRequirements, readScenarios } from '../../../src/kit/spec/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';

const { requirements } = readRequirements('toon');

describe.each([
  ['toon/subagent', toonSubagentSuite],
  ['toon/orchestrator', toonOrchestratorSuite],
] as const)('self-test of %s', (id, suite) => {
  const scenarios = readScenarios('toon', id);

  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 120_000 },
    () => {
      const result = selftest(suite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      const rows = requirements.filter(
        ({ roles, level, excluded }) =>
          roles.includes(suite.role) && level !== 'MAY' && excluded === undefined,
      );
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map(({ breaks }) => breaks));
      expect(rows.map((row) => row.id).filter((row) => !killed.has(row))).toEqual([]);
    },
  );

  it('has scenarios of its own only, named after the role', () => {
    const others = scenarios.filter(({ name }) => !name.startsWith(`${suite.role}-`));
    expect(others.map(({ name }) => name)).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(25);
  });
});
