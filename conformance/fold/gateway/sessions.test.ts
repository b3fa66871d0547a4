/**
 * The hand-written sessions against the rules. They were written from the source documents by someone who had not
 * seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { folder, judgeSession } from '../sessions.test.data.ts';
import { gatewayRules } from './rules/index.ts';
import { topicOf } from './topics.ts';
import { startGatewayView, stepGatewayView } from './view.ts';

const rows = readRequirements('fold').requirements.filter((row) => row.roles.includes('gateway'));

const judging = {
  rules: gatewayRules,
  topicOf,
  view: { start: startGatewayView, step: stepGatewayView },
};
const judge = (name: string): ReturnType<typeof judgeSession> => judgeSession(judging, name);

describe('hand-written sessions of Fold gateways', () => {
  const names = readdirSync(folder).filter((name) => /^FOLD-G\d+\.(good|bad)\.jsonl$/.test(name));
  const ids = [...new Set(names.map((name) => name.slice(0, 8)))];
  const entailed = (id: string): readonly string[] =>
    rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];

  it('has a good and a bad one for every row that can fail', () => {
    expect(ids.length).toBe(53); // FOLD-G40 is a MAY
    expect(names.length).toBe(106);
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    const { violated, exercised } = judge(`${id}.good.jsonl`);
    expect(violated).toEqual([]);
    expect(exercised).toContain(id);
  });

  it.each(ids)('%s: the bad one violates it, and only what it entails', (id) => {
    const { violated } = judge(`${id}.bad.jsonl`);
    expect(violated).toContain(id);
    expect(violated.filter((v) => v !== id && !entailed(id).includes(v))).toEqual([]);
  });
});
