/**
 * The hand-written sessions of codecs against the rules. They were written from the source documents by someone who
 * had not seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { toonCodecSuite } from './suite.ts';

const rows = readRequirements('toon').requirements.filter((row) => row.roles.includes('codec'));
const sessions = sessionsOf({
  folder: 'toon/sessions',
  named: /\.codec\./,
  rows,
  judging: toonCodecSuite.judging,
});

describe('hand-written sessions of TOON codecs', () => {
  it('has a good and a bad one for every row', () => {
    const ids = rows.filter((row) => row.excluded === undefined).map(({ id }) => id);
    expect(sessions.lacking(ids, '.codec')).toEqual([]);
    expect(ids.length).toBe(39);
  });

  it('has no others', () => {
    const named = /^(TOON-\d{2,3})\.codec\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(sessions.names.filter((name) => !rows.some(({ id }) => id === named.exec(name)?.[1]))).toEqual([]);
  });

  it.each(sessions.good)('%s exercises its requirement, and violates nothing', sessions.expectGood);

  it.each(sessions.bad)('%s violates its requirement, and only what that entails', sessions.expectBad);
});
