/**
 * The hand-written sessions against the rules. They were written from the source documents by someone who had not
 * seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { foldGatewaySuite } from './suite.ts';

const { names, expectGood, expectBad } = sessionsOf({
  folder: 'fold/sessions',
  named: /^FOLD-G\d+\.(good|bad)\.jsonl$/,
  rows: readRequirements('fold').requirements.filter((row) => row.roles.includes('gateway')),
  judging: foldGatewaySuite.judging,
});

describe('hand-written sessions of Fold gateways', () => {
  const ids = [...new Set(names.map((name) => name.slice(0, 8)))];

  it('has a good and a bad one for every row that can fail', () => {
    expect(ids.length).toBe(53); // FOLD-G40 is a MAY
    expect(names.length).toBe(106);
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    expectGood(`${id}.good.jsonl`);
  });

  it.each(ids)('%s: the bad one violates it, and only what it entails', (id) => {
    expectBad(`${id}.bad.jsonl`);
  });
});
