/**
 * The hand-written sessions of clients against the rules: composed from the documents that the rows cite, and not
 * recorded from the reference, so that a misreading shared by rule, mutant and reference shows here.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { clientRules } from './rules/index.ts';
import { judgedBy } from './view.ts';

const rows = readRequirements('llm').requirements.filter((row) => row.roles.includes('client'));
const sessions = sessionsOf({
  folder: 'llm/sessions/client',
  rows,
  judging: { rules: clientRules, ...judgedBy },
});

describe('hand-written sessions of clients', () => {
  it('has a good and a bad one for every row', () => {
    const ids = rows.filter((row) => row.excluded === undefined).map(({ id }) => id);
    expect(sessions.lacking(ids)).toEqual([]);
    expect(ids.length).toBe(23);
  });

  it('has no others', () => {
    const named = /^(LLM-C\d{2,3})\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(sessions.names.filter((name) => !rows.some(({ id }) => id === named.exec(name)?.[1]))).toEqual([]);
  });

  it.each(sessions.good)('%s exercises its requirement, and violates nothing', sessions.expectGood);

  it.each(sessions.bad)('%s violates its requirement, and only what that entails', sessions.expectBad);
});
