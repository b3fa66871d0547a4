/** The judge: gives each event to the rules that listen to its topic, with the world as it was before. */
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../base/index.ts';
import { Judge } from './judge.ts';
import type { Judging } from './judge.ts';
import { exercised, rule, unknowable, violated } from './rule.ts';
import type { Rule } from './rule.ts';

interface World {
  seen: number;
}

const event = (seq: number, topic: string): TraceEvent => ({
  ...{ seq, at: seq, wire: 'x', conn: 'c', stream: 's', from: 'target', to: 'kit', kind: 'message' },
  data: { topic },
});

/** Judges a trace of topics. */
function judged(
  rules: readonly Rule<World>[],
  topics: readonly string[],
  only?: ReadonlySet<string>,
): Judge<World> {
  const judging: Judging<World> = {
    rules,
    topicOf: ({ data }) => String(data['topic']),
    view: { start: () => ({ seen: 0 }), step: (view) => void view.seen++ },
  };
  const judge = new Judge(judging, only);
  topics.forEach((topic, seq) => judge.step(event(seq, topic)));
  judge.end();
  return judge;
}

/** A rule that notes which events it heard. */
function listener(requirement: string, listens: readonly string[], heard: unknown[]): Rule<World> {
  return rule({
    requirement,
    listens,
    start: () => null,
    step: (_, { seq }) => void heard.push(seq),
  });
}

describe('a rule', () => {
  it('receives the topics it listens to, a group by its name, and no others', () => {
    const [exact, group, none]: [number[], number[], number[]] = [[], [], []];
    judged(
      [
        listener('A', ['response.text'], exact),
        listener('B', ['response'], group),
        listener('C', ['resp', 'text'], none),
      ],
      ['response.text', 'response.done', 'response', 'responses', 'other', 'response.text'],
    );
    expect([exact, group, none]).toEqual([[0, 5], [0, 1, 2, 5], []]);
  });

  it('sees the world as it was before the event', () => {
    const seen: number[] = [];
    const look = rule({
      ...{ requirement: 'A', listens: ['x'], start: () => null },
      step: (_, __, view: World) => void seen.push(view.seen),
    });
    const judge = judged([look], ['x', 'y', 'x']);
    expect(seen).toEqual([0, 2]);
    expect(judge.view.seen).toBe(3);
  });

  it('has a state of its own in every trace', () => {
    const counting = rule({
      ...{ requirement: 'A', listens: ['x'], start: () => ({ n: 0 }) },
      step: (state, at) => (++state.n > 2 ? violated(at, `${state.n}`) : undefined),
    });
    for (let i = 0; i < 2; i++) {
      const found = judged([counting], ['x', 'x', 'x']).found.get('A');
      expect(found?.violations.map((v) => v.message)).toEqual(['3']);
    }
  });

  it('reports missing events at the end of a trace, at the last event; nothing for an empty trace', () => {
    const missing = rule({
      ...{ requirement: 'A', listens: [], start: () => null, step: () => undefined },
      end: (_, __, last) => violated(last, 'nothing came'),
    });
    expect(judged([missing], ['x', 'y']).found.get('A')?.violations).toMatchObject([
      { seq: 1, message: 'nothing came' },
    ]);
    expect(judged([missing], []).found.get('A')?.violations).toEqual([]);
  });

  it('does not run when it is not selected', () => {
    const heard: number[] = [];
    const judge = judged([listener('A', ['x'], heard), listener('B', ['x'], [])], ['x'], new Set(['B']));
    expect(heard).toEqual([]);
    expect([...judge.found.keys()]).toEqual(['B']);
  });
});

describe('the findings', () => {
  const finder = rule({
    requirement: 'A',
    listens: ['good', 'bad', 'lost', 'both'],
    start: () => null,
    step(_, at) {
      const { topic } = at.data;
      if (topic === 'good') return exercised(at);
      if (topic === 'bad') return violated(at, `bad at ${at.seq}`, [0]);
      if (topic === 'lost') return unknowable(at, `forgotten at ${at.seq}`);
      return [exercised(at), violated(at, 'twofold'), exercised(at)];
    },
  });

  it('is counted: a violation is an exercise, too', () => {
    const { found } = judged([finder], ['good', 'bad', 'good', 'both', 'lost', 'lost']);
    expect(found.get('A')?.exercised).toBe(6);
    expect(found.get('A')?.violations).toEqual([
      { type: 'violated', seq: 1, message: 'bad at 1', also: [0] },
      { type: 'violated', seq: 3, message: 'twofold' },
    ]);
    expect(found.get('A')?.unknowable).toBe('forgotten at 4');
  });

  it('is nothing for a rule that was never exercised', () => {
    expect(judged([finder], ['other']).found.get('A')).toEqual({
      exercised: 0,
      violations: [],
      unknowable: undefined,
    });
  });

  it('is heard at once, every violation, while only the first of many are kept', () => {
    const heard: number[] = [];
    const judge = judged([finder], []);
    judge.onViolation = (id, { seq }) => heard.push(id === 'A' ? seq : -1);
    for (let seq = 0; seq < 100; seq++) judge.step(event(seq, 'bad'));
    expect(heard).toEqual(Array.from({ length: 100 }, (_, i) => i));
    const { violations, exercised: times } = judge.found.get('A') ?? { violations: [], exercised: 0 };
    expect(times).toBe(100);
    expect(violations.length).toBeLessThanOrEqual(20);
    expect(violations[0]?.seq).toBe(0);
  });
});

describe('an awaited event', () => {
  const awaits: Rule<World> = rule({
    requirement: 'A',
    listens: ['other'],
    start: () => ({ came: false }),
    step: (state) => void (state.came = true),
    pending: (state) => (state.came ? [] : [{ seq: 0, at: 0, within: 100, expected: 'the other' }]),
  });
  const judging: Judging<World> = {
    rules: [awaits],
    topicOf: ({ data }) => String(data['topic']),
    view: { start: () => ({ seen: 0 }), step: (view) => void view.seen++ },
  };

  it('is told once when it is late, before the trace ends', () => {
    const judge = new Judge(judging);
    const told: string[] = [];
    judge.onViolation = (_, { message }) => told.push(message);
    judge.tick(500);
    judge.step(event(0, 'begin'));
    judge.tick(99);
    expect(told).toEqual([]);
    judge.tick(100);
    judge.tick(200);
    expect(told).toEqual(['expected the other; nothing came for 100 ms']);
    judge.step({ ...event(1, 'more'), at: 300 });
    expect(judge.end().get('A')?.violations.length).toBe(1);
    expect(told.length).toBe(1);
  });

  it('is missed at the end of a trace without ticks, and is not missed when it came', () => {
    const late = new Judge(judging);
    late.step({ ...event(0, 'begin'), at: 100 });
    expect(late.end().get('A')?.violations.length).toBe(1);
    const came = new Judge(judging);
    came.step(event(0, 'other'));
    came.tick(500);
    expect(came.end().get('A')?.violations).toEqual([]);
  });
});
