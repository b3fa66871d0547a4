/** How long a trace must go on for the events that its requirements await. */
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../base/index.ts';
import { deadline } from './deadline.ts';
import { Judge } from './judge.ts';
import { openWait } from './open-wait.ts';
import { exercised, rule, violated } from './rule.ts';
import { momentOf } from './run-view.ts';

interface View {
  asked: TraceEvent | undefined;
  answered: boolean;
}

const answers = deadline({
  requirement: 'X-01',
  begins: (event) =>
    event.kind === 'message' ? { ...momentOf(event), key: 'ask', expected: 'an answer' } : undefined,
  settles: (_, event) => (event.kind === 'half_close' ? 'exercised' : undefined),
  within: () => 5000,
});

const pends = rule({
  requirement: 'X-02',
  listens: ['half_close'],
  start: () => null,
  step: (_, event, _view: View) => exercised(event),
  pending: (_, { asked, answered }) =>
    asked === undefined || answered ? [] : [{ ...momentOf(asked), within: 8000, expected: 'an answer' }],
});

/** Wrong at the end, however long the trace is: no event is awaited. */
const never = rule({
  requirement: 'X-03',
  listens: [],
  start: () => null,
  step: () => undefined,
  end: (_, _view: View, last) => violated(last, 'expected another end'),
});

function judged(...kinds: readonly TraceEvent['kind'][]): Judge<View> {
  const judge = new Judge<View>({
    rules: [answers, pends, never],
    topicOf: ({ kind }) => kind,
    view: {
      start: () => ({ asked: undefined, answered: false }),
      step(view, event) {
        if (event.kind === 'message') view.asked = event;
        if (event.kind === 'half_close') view.answered = true;
      },
    },
  });
  kinds.forEach((kind, seq) =>
    judge.step({
      ...{ seq, at: seq, wire: 'x', conn: 'c', stream: 's', from: 'a', to: 'b', data: {} },
      kind,
    }),
  );
  return judge;
}

const open = (judge: Judge<View>, now: number, spared: readonly string[] = [], longest = 60_000): unknown =>
  openWait(judge, now, { longest, spares: (row) => spared.includes(row) });

describe('an open wait', () => {
  it('lasts until the last requirement that awaits an event would be violated', () => {
    const found = openWait(judged('message'), 1000, { longest: 60_000, spares: () => false });
    expect(found?.requirements).toEqual(['X-01', 'X-02']);
    expect(found?.ms).toBeGreaterThanOrEqual(7000);
    expect(found?.ms).toBeLessThanOrEqual(7010);
  });

  it('does not exist where nothing is awaited, or not any more', () => {
    expect(open(judged('ping'), 0)).toBeUndefined();
    expect(open(judged('message', 'half_close'), 2)).toBeUndefined();
    expect(open(judged('message'), 9000)).toBeUndefined();
  });

  it('does not wait for requirements that are spared, nor longer than the limit', () => {
    expect(open(judged('message'), 0, ['X-02'])).toEqual({
      ms: expect.closeTo(5005, -1),
      requirements: ['X-01'],
    });
    expect(open(judged('message'), 0, ['X-01', 'X-02'])).toBeUndefined();
    expect(open(judged('message'), 0, [], 6000)).toMatchObject({ requirements: ['X-01'] });
  });

  it('leaves the findings as they were', () => {
    const judge = judged('message');
    open(judge, 0);
    expect([...judge.found.values()].flatMap(({ violations }) => violations)).toEqual([]);
    judge.step({
      ...{ seq: 1, at: 10, wire: 'x', conn: 'c', stream: 's', from: 'a', to: 'b', data: {} },
      kind: 'half_close',
    });
    expect(judge.found.get('X-01')?.exercised).toBe(1);
  });
});
