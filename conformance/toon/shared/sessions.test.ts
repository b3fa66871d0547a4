/**
 * The hand-written sessions of subagents and orchestrators against the rules. They were written from the source
 * document by someone who had not seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';

const { requirements } = readRequirements('toon');

describe.each([
  ['subagent', toonSubagentSuite],
  ['orchestrator', toonOrchestratorSuite],
] as const)('hand-written sessions of a %s', (role, { judging }) => {
  const rows = requirements.filter((row) => row.roles.includes(role) && row.excluded === undefined);
  const sessions = sessionsOf({
    folder: 'toon/sessions',
    named: new RegExp(`\\.${role}\\.`),
    rows,
    judging,
  });

  it('are there for every MUST, a good one and a bad one', () => {
    const musts = rows.filter((row) => row.level === 'MUST').map((row) => row.id);
    expect(sessions.lacking(musts, `.${role}`)).toEqual([]);
  });

  it.each(sessions.good)('%s exercises its requirement, and violates nothing', sessions.expectGood);

  it.each(sessions.bad)('%s violates its requirement, and only what that entails', sessions.expectBad);
});
