/** LLM clients: the suite proves itself. That such a proof can fail is shown with Fold's agents. */
import { describe, expect, it } from 'vitest';
import { selftest } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { llmClientSuite } from './suite.ts';

const { requirements } = readRequirements('llm');
const scenarios = llmClientSuite.scenarios?.() ?? [];
const rows = requirements.filter(({ roles, excluded }) => roles.includes('client') && excluded === undefined);

describe('self-test of llm/client', () => {
  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 300_000 },
    () => {
      const result = selftest(llmClientSuite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map((mutant) => mutant.breaks));
      expect(rows.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
      expect(rows.length).toBe(23);
    },
  );
});
