/** Verdicts on single answers of sep.run: each fact can be right, wrong and absent; the rules of runs judge beside them. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { judgeRun } from './judge.ts';

const request: JsonObject = { op: 'sep.run', iterations: [[]] };

const run = (wanted: JsonObject, events: Json, more: JsonObject = {}, row = 'SEP-41'): unknown =>
  judgeRun(row, {
    expect: wanted,
    request,
    answer: { ok: { events, ...more } },
    features: ['diagnostics'],
    isVirtual: true,
  });

const declared = (id: string, ...depends_on: string[]): JsonObject => ({
  type: 'action',
  action: { id, mode: 'async', depends_on },
});

/** a is completed after 2 s, b fails after two attempts, c is skipped because of b. */
const events: readonly JsonObject[] = [
  { type: 'iteration', n: 1, at: 0 },
  { type: 'thought', text: 'Let  me', at: 0 },
  { type: 'thought', text: ' see ', at: 0 },
  { type: 'started', id: 'a', parameters: { p: 1 }, at: 0 },
  { type: 'started', id: 'b', at: 0 },
  { type: 'completed', id: 'a', output: { v: 1 }, at: 2 },
  { type: 'failed', id: 'b', error: 'no', attempts: 2, at: 3 },
  { type: 'skipped', id: 'c', because: 'b has failed', at: 3 },
  { type: 'response', text: 'Done', final: true, at: 3 },
  { type: 'diagnostic', code: 'x', message: 'y', offset: 0, at: 3 },
  { type: 'finished', reason: 'final', at: 3 },
];

describe('a fact', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ thought: 'Let me see' }, { thought: 'Let me' }, 'expected the text of thoughts "Let me"; came'],
    [{ response: 'Done' }, { response: 'done' }, 'expected the text of responses "done"; came "Done"'],
    [
      { before: [['completed a', 'failed b']] },
      { before: [['failed b', 'completed a']] },
      'expected failed b before completed a',
    ],
    [{ before: [['started a', 'started b']] }, { before: [['started a', 'started z']] }, 'no started z'],
    [
      { never: ['started c'] },
      { never: ['started c', 'started b'] },
      'expected no started b; came started b',
    ],
    [{ once: ['started a'] }, { once: ['started c'] }, 'expected started c once; came none'],
    [
      { at: { 'completed a': 2.01 } },
      { at: { 'completed a': 2.1 } },
      'expected completed a at 2.1 s; came 2 s',
    ],
    [
      { at: { 'completed a': 1.9 } },
      { at: { 'completed a': 1.8 } },
      'expected completed a at 1.8 s; came 2 s',
    ],
    [{ at: {} }, { at: { 'completed z': 1 } }, 'expected completed z at 1 s; came nothing'],
    [{ completed: { a: { v: 1 } } }, { completed: { a: { v: '1' } } }, 'the output of a'],
    [{ completed: {} }, { completed: { b: 1 } }, 'expected b to be completed; came no such event'],
    [{ failed: { b: {} } }, { failed: { a: {} } }, 'expected a to fail; came no such event'],
    [
      { failed: { b: { attempts: 2 } } },
      { failed: { b: { attempts: 1 } } },
      'expected 1 attempts of b; came 2',
    ],
    [{ skipped: { c: ['a', 'b'] } }, { skipped: { c: ['x'] } }, 'expected c to be skipped because of x'],
    [{ skipped: {} }, { skipped: { a: ['b'] } }, 'expected a to be skipped; came no such event'],
    [{ started: { a: { p: 1 } } }, { started: { a: { p: '1' } } }, 'the parameters of a'],
    [{ starts: 2 }, { starts: 3 }, 'expected 3 actions to start; came 2'],
    [{ iterations: 1 }, { iterations: 2 }, 'expected 2 events iteration; came 1'],
    [{ last: 'finished' }, { last: 'response' }, 'expected "response" as the last event; came "finished"'],
  ])('%j is exercised, %j is not', (right, wrong, words) => {
    expect(run(right, [...events])).toBe('exercised');
    expect(run(wrong, [...events])).toEqual({ violated: expect.stringContaining(words) as string });
  });

  it('about parameters that the events do not have cannot be judged', () => {
    expect(run({ started: { b: {} } }, [...events])).toEqual({
      unknowable: expect.stringContaining('no parameters') as string,
    });
  });

  it('about starts wants different ids', () => {
    const twice = [
      { type: 'started', id: 'a' },
      { type: 'started', id: 'a' },
    ];
    expect(run({ starts: 2 }, twice)).toEqual({
      violated: expect.stringContaining('different ids') as string,
    });
    expect(run({ once: ['started a'] }, twice)).toEqual({ violated: 'expected started a once; came 2' });
  });

  it('about transcripts wants their parts in order', () => {
    const more = { transcripts: ['the text, then a result'] };
    expect(run({ transcripts: [['text', 'result']] }, [], more)).toBe('exercised');
    expect(run({ transcripts: [['result', 'text']] }, [], more)).toEqual({
      violated: expect.stringContaining('expected "text" in transcripts[0], in its place') as string,
    });
    expect(run({ transcripts: [[], ['x']] }, [], more)).toEqual({
      violated: expect.stringContaining('transcripts[1]') as string,
    });
  });

  it('about diagnostics is owed by testees that have them', () => {
    const answer = { ok: { events: [] } };
    const wanted = { diagnostic: true, starts: 0 };
    const of = (...features: string[]): unknown =>
      judgeRun('SEP-41', { expect: wanted, request, answer, features, isVirtual: true });
    expect(of()).toBe('exercised');
    expect(of('diagnostics')).toEqual({ violated: 'expected a diagnostic; came none' });
  });

  it('about diagnostics is not met by advice', () => {
    const diagnostic = { type: 'diagnostic', code: 'x', message: 'y', offset: 0, at: 3 };
    expect(run({ diagnostic: true }, [{ ...diagnostic, level: 'info' }])).toEqual({
      violated: 'expected a diagnostic; came none',
    });
    expect(run({ diagnostic: true }, [{ ...diagnostic, level: 'warning' }])).toBe('exercised');
  });
});

describe('an answer', () => {
  it.each<[Json, string]>([
    ['x', 'expected ok.events to be an array; came "x"'],
    [null, 'expected ok.events to be an array; came null'],
    [[1], 'expected events[0] to be an object; came 1'],
    [[{ type: 1 }], 'expected events[0].type to be a text; came 1'],
  ])('with the events %j is wrong', (wrong, violated) => {
    expect(run({ starts: 0 }, wrong)).toEqual({ violated });
  });

  it('that keeps its facts, and breaks the rule of the row, is wrong', () => {
    const early = [declared('b', 'a'), { type: 'started', id: 'b' }, declared('a')];
    expect(run({ starts: 1 }, early)).toBe('exercised');
    expect(run({ starts: 1 }, early, {}, 'SEP-31')).toEqual({
      violated: expect.stringContaining('expected b to wait for a') as string,
    });
  });

  it('that keeps the rule of the row, and breaks a fact, is wrong', () => {
    expect(run({ starts: 2 }, [{ type: 'started', id: 'a' }], {}, 'SEP-31')).toEqual({
      violated: 'expected 2 actions to start; came 1',
    });
  });
});

describe('a time of a clock that is not virtual', () => {
  const timed = (at: number, isVirtual: boolean): unknown =>
    judgeRun('SEP-37', {
      expect: { at: { 'failed a': 1 } },
      request,
      answer: { ok: { events: [{ type: 'failed', id: 'a', at }] } },
      features: [],
      isVirtual,
    });

  it.each([
    [1.1, 'exercised'],
    [1.2, { unknowable: expect.stringContaining('was late') }],
    [1.3, { violated: 'expected failed a at 1 s; came 1.3 s' }],
    [0.9, { violated: 'expected failed a at 1 s; came 0.9 s' }],
  ])('of 1 s that comes at %s s', (at, verdict) => expect(timed(at, false)).toEqual(verdict));

  it('of a virtual clock is violated', () =>
    expect(timed(1.2, true)).toEqual({ violated: 'expected failed a at 1 s; came 1.2 s' }));
});
