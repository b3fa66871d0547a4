/**
 * The hand-written sessions of token managers against the rules. They were written from the requirements' sentences and
 * not recorded, so that a misreading shared by rule, mutant and reference shows here.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { tokensManagerSuite } from './suite.ts';

const rows = readRequirements('tokens').requirements.filter((row) => row.roles.includes('manager'));
const sessions = sessionsOf({
  folder: 'tokens/sessions',
  named: /\.manager\./,
  rows,
  judging: tokensManagerSuite.judging,
});

describe('hand-written sessions of token managers', () => {
  it('has a good and a bad one for every row that can be broken', () => {
    const owed = rows.filter(({ excluded, level }) => excluded === undefined && level !== 'MAY');
    const ids = owed.map(({ id }) => id);
    expect(sessions.lacking(ids, '.manager')).toEqual([]);
    expect(ids.length).toBe(40);
  });

  it('has no others', () => {
    const named = /^(TOK-\d{2,3})\.manager\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(sessions.names.filter((name) => !rows.some(({ id }) => id === named.exec(name)?.[1]))).toEqual([]);
  });

  it.each(sessions.good)('%s exercises its requirement, and violates nothing', sessions.expectGood);

  it.each(sessions.bad)('%s violates its requirement, and only what that entails', sessions.expectBad);
});
