/**
 * The hand-written sessions against the rules. They were written from the source documents by someone who had not
 * seen the rules, so that a misreading shared by rule, mutant and reference shows here; all but those whose names
 * end in a number, which came with a rule.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../src/kit/spec/index.ts';
import { agentRules } from './rules/index.ts';
import { judgedBy } from './topics.ts';
import { folder, judgeSession } from './sessions.test.data.ts';

const rows = readRequirements('fold').requirements.filter((row) => row.roles.includes('agent'));

const judging = { rules: agentRules, ...judgedBy };
const judge = (name: string): ReturnType<typeof judgeSession> => judgeSession(judging, name);

describe('hand-written Fold sessions', () => {
  const names = readdirSync(folder).filter((name) => /^FOLD-A.*\.jsonl$/.test(name));
  const ids = [...new Set(names.map((name) => name.slice(0, 8)))];

  it('has a good and a bad one for every MUST', () => {
    const musts = rows.filter((row) => row.level === 'MUST').map((row) => row.id);
    expect(
      musts.filter((id) => !names.includes(`${id}.good.jsonl`) || !names.includes(`${id}.bad.jsonl`)),
    ).toEqual([]);
    expect(musts.length).toBe(33);
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    const { violated, exercised } = judge(`${id}.good.jsonl`);
    expect(violated).toEqual([]);
    expect(exercised).toContain(id);
  });

  it('has no others', () => {
    expect(names.filter((name) => !/^FOLD-A\d\d\.(?:good|bad|bad-[2-9])\.jsonl$/.test(name))).toEqual([]);
  });

  const bad = names.filter((name) => name.includes('.bad'));
  it.each(bad)('%s violates its requirement, and only what that entails', (name) => {
    const id = name.slice(0, 8);
    const entailed = rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];
    const { violated } = judge(name);
    expect(violated).toContain(id);
    expect(violated.filter((v) => v !== id && !entailed.includes(v))).toEqual([]);
  });
});
