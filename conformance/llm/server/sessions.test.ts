/** The hand-written sessions against the rules: each was written from the clause that it cites, not recorded from the reference. */
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { sessionsOf } from '../../sessions.test-helper.ts';
import { llmServerSuite } from './suite.ts';

const rows = readRequirements('llm').requirements.filter(
  ({ roles, excluded }) => roles.includes('server') && excluded === undefined,
);
const { names, judge, expectGood } = sessionsOf({
  folder: 'llm/sessions/server',
  rows,
  judging: llmServerSuite.judging,
});

describe('hand-written sessions of model servers', () => {
  const ids = [...new Set(names.map((name) => name.slice(0, 7)))];

  it('are there for every row that shows on the wire, a good one and a bad one', () => {
    const expected = rows.flatMap(({ id }) => [`${id}.bad.jsonl`, `${id}.good.jsonl`]);
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    expectGood(`${id}.good.jsonl`);
  });

  it.each(ids)('%s: the bad one violates it, and nothing else', (id) => {
    expect(judge(`${id}.bad.jsonl`).violated).toEqual([id]);
  });
});
