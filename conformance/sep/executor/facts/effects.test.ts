/** Verdicts on parts and rollbacks: each fact can be right, wrong and absent, and so can each event of a live run. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { judgeRun } from '../judge.ts';
import { judgeEvents } from '../rules/index.ts';

const judged = (wanted: JsonObject, events: readonly JsonObject[]): unknown =>
  judgeRun('SEP-133', {
    expect: wanted,
    request: { op: 'sep.run', iterations: [[]] },
    answer: { ok: { events: [...events] } },
    features: [],
    isVirtual: true,
  });

const partial = (id: string, n: number, output: JsonObject | string | number): JsonObject => ({
  type: 'partial',
  id,
  n,
  output,
});

const rollback = (id: string, status: string): JsonObject => ({ type: 'rollback', id, status });

const events = [
  partial('a', 0, 'n'),
  partial('b', 0, 1),
  partial('a', 1, { done: 0.5 }),
  rollback('b', 'started'),
  rollback('b', 'failed'),
  rollback('a', 'started'),
  rollback('a', 'completed'),
];

describe('a fact of effects', () => {
  it.each<[JsonObject]>([
    [
      {
        parts: {
          a: [
            [0, 'n'],
            [1, { done: 0.5 }],
          ],
          b: [[0, 1]],
          c: [],
        },
      },
    ],
    [{ rollbacks: ['b started', 'b failed', 'a started', 'a completed'] }],
    [{ undone: { a: 'completed', b: 'failed' } }],
  ])('is there: %j', (wanted) => {
    expect(judged(wanted, events)).toBe('exercised');
  });

  it.each<[JsonObject, string]>([
    [{ parts: { a: [[0, 'n']] } }, 'expected 1 part of a; came 2 parts'],
    [{ parts: { b: [] } }, 'expected 0 parts of b; came 1 part'],
    [{ parts: { b: [[1, 1]] } }, 'the parts of b[0][0]'],
    [{ parts: { b: [[0, 2]] } }, 'the parts of b[0][1]'],
    [{ rollbacks: ['b started', 'b failed'] }, 'expected the rollbacks b started, b failed; came b started'],
    [{ rollbacks: [] }, 'expected the rollbacks none; came b started'],
    [{ undone: { b: 'completed' } }, 'expected the rollback of b to be "completed"; came "failed"'],
    [{ undone: { c: 'completed' } }, 'expected the rollback of c to be "completed"; came nothing'],
  ])('is not there: %j', (wanted, message) => {
    expect(judged(wanted, events)).toEqual({ violated: expect.stringContaining(message) as string });
  });
});

const declared = (id: string, more: JsonObject = {}): JsonObject => ({
  type: 'action',
  action: { id, mode: 'async', depends_on: [], ...more },
});
const started = (id: string): JsonObject => ({ type: 'started', id });
const completed = (id: string): JsonObject => ({ type: 'completed', id, output: 1 });

const faultOf = (row: string, came: readonly JsonObject[]): unknown =>
  judgeEvents(row, { events: [...came] });

describe('SEP-129 in the events of a run', () => {
  const done = [...['a', 'b'].flatMap((id) => [declared(id), started(id)]), completed('b'), completed('a')];
  const undone = (id: string): readonly JsonObject[] => [rollback(id, 'started'), rollback(id, 'completed')];

  it('lets the reverse order of completions pass', () => {
    expect(faultOf('SEP-129', [...done, ...undone('a'), ...undone('b')])).toBeUndefined();
  });

  it.each<[string, readonly JsonObject[], string]>([
    [
      'another order',
      [...undone('b'), ...undone('a')],
      'expected the rollback of a, which ended last, before',
    ],
    [
      'two at a time',
      [rollback('a', 'started'), rollback('b', 'started')],
      'expected the end of the rollback of a; came rollback b started',
    ],
  ])('blames %s', (_, more, message) => {
    expect(faultOf('SEP-129', [...done, ...more])).toEqual({
      violated: expect.stringContaining(message) as string,
    });
  });

  it('says nothing of an action that no event has declared, or that failed', () => {
    expect(faultOf('SEP-129', [...done, ...undone('b'), ...undone('z')])).toBeUndefined();
    const failed = [declared('f'), started('f'), { type: 'failed', id: 'f', attempts: 1 }];
    expect(faultOf('SEP-129', [...done, ...failed, ...undone('b'), ...undone('f')])).toBeUndefined();
  });
});

describe('SEP-132 in the events of a run', () => {
  const parts = (...numbers: readonly number[]): readonly JsonObject[] =>
    numbers.map((n) => partial('a', n, 'x'));

  it.each<[string, readonly JsonObject[]]>([
    ['parts in their order', [declared('a'), started('a'), ...parts(0, 1, 2), completed('a')]],
    ['the parts of two attempts', [declared('a', { retry: 1 }), started('a'), ...parts(0, 1, 0)]],
    [
      'the parts of an attempt that on_error asks for',
      [declared('a', { on_error: 'retry' }), started('a'), ...parts(0, 0)],
    ],
    ['an action that no event has declared', parts(4)],
    ['an action that is fire_and_forget', [declared('a', { mode: 'fire_and_forget' }), ...parts(4)]],
  ])('lets pass %s', (_, came) => {
    expect(faultOf('SEP-132', came)).toBeUndefined();
  });

  it.each<[string, readonly JsonObject[], string]>([
    ['a part before the start', [declared('a'), ...parts(0)], 'expected started a before its first part'],
    [
      'a part behind the outcome',
      [declared('a'), started('a'), completed('a'), ...parts(0)],
      'expected no part of a after completed a',
    ],
    ['a gap', [declared('a'), started('a'), ...parts(0, 2)], 'expected n 1 of the next part of a; came 2'],
    ['a first number above 0', [declared('a'), started('a'), ...parts(1)], 'expected n 0'],
    ['a second 0 in one attempt', [declared('a'), started('a'), ...parts(0, 0)], 'expected n 1'],
  ])('blames %s', (_, came, message) => {
    expect(faultOf('SEP-132', came)).toEqual({ violated: expect.stringContaining(message) as string });
  });
});
