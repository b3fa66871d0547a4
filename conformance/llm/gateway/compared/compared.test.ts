/** Violations of gateways have both messages: the bad sessions of each row, and the cells of spec/llm/translation. */
import { describe, expect, it } from 'vitest';
import type { Comparison, TraceEvent } from '../../../../src/kit/base/index.ts';
import { Judge } from '../../../../src/kit/judge/index.ts';
import { sessionsOf } from '../../../sessions.test-helper.ts';
import { llmGatewaySuite } from '../suite.ts';
import { answerFields, requestFields } from './fields.ts';

interface Violation {
  readonly row: string;
  readonly comparison: Comparison | undefined;
}

/** The violations of a trace. */
const violationsIn = (events: readonly TraceEvent[]): readonly Violation[] => {
  const judge = new Judge(llmGatewaySuite.judging);
  for (const event of events) judge.step(event);
  return [...judge.end()].flatMap(([row, { violations }]) =>
    violations.map(({ comparison }) => ({ row, comparison })),
  );
};

const sessions = sessionsOf('llm').get('llm/gateway') ?? [];
const all = sessions.flatMap(({ events }) => violationsIn(events));
const compared = all.flatMap(({ row, comparison }) =>
  comparison === undefined ? [] : [{ row, comparison }],
);

describe('the violations of the bad sessions', () => {
  it('are compared, if their row is about a part of a message', () => {
    const rows = new Set(all.map(({ row }) => row));
    const shown = new Set(compared.map(({ row }) => row));
    const due = [...rows].filter((row) => row in answerFields || row in requestFields);
    expect(due.length).toBeGreaterThan(40);
    expect(due.filter((row) => !shown.has(row))).toEqual([]);
  });

  it('differ in the part that they name, or lack what is due', () => {
    const alike = compared.filter(
      ({ comparison: { field, above, below, due } }) =>
        above.parts[field] === below.parts[field] && due === undefined,
    );
    expect(alike).toEqual([]);
  });
});
