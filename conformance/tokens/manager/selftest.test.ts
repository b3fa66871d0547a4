/** Token managers: the suite proves itself. That such a proof can fail is shown with Fold's agents. */
import { describe, expect, it } from 'vitest';
import { selftest } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { tokensManagerSuite } from './suite.ts';

const { requirements } = readRequirements('tokens');
const scenarios = tokensManagerSuite.scenarios?.() ?? [];
const rows = requirements.filter(({ excluded, level }) => excluded === undefined && level !== 'MAY');

describe('self-test of tokens/manager', () => {
  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 180_000 },
    () => {
      const result = selftest(tokensManagerSuite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      expect(result.mutants.length).toBe(tokensManagerSuite.mutants.length);
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map((mutant) => mutant.breaks));
      expect(rows.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
      expect(rows.length).toBe(40);
    },
  );
});
