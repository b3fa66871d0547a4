/**
 * The hand-written sessions against the rules. They were written from the source documents by someone who had not
 * seen the rules, so that a misreading shared by rule, mutant and reference shows here; all but those whose names
 * end in a number, which came with a rule.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { agentRules } from './rules/index.ts';
import { judgedBy } from './topics.ts';

const rows = readRequirements('fold').requirements.filter((row) => row.roles.includes('agent'));
const sessions = sessionsOf({
  folder: 'fold/sessions',
  named: /^FOLD-A.*\.jsonl$/,
  rows,
  judging: { rules: agentRules, ...judgedBy },
});

describe('hand-written Fold sessions', () => {
  const ids = [...new Set(sessions.names.map((name) => name.slice(0, 8)))];

  it('has a good and a bad one for every MUST', () => {
    const musts = rows.filter((row) => row.level === 'MUST').map((row) => row.id);
    expect(sessions.lacking(musts)).toEqual([]);
    expect(musts.length).toBe(33);
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    sessions.expectGood(`${id}.good.jsonl`);
  });

  it('has no others', () => {
    const named = /^FOLD-A\d\d\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(sessions.names.filter((name) => !named.test(name))).toEqual([]);
  });

  it.each(sessions.bad)('%s violates its requirement, and only what that entails', sessions.expectBad);
});
