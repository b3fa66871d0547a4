/** Joined judgings: every part reads its own wires alone, and rules over all parts read all views. */
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { Judge } from './judge.ts';
import type { Judging } from './judge.ts';
import { joinedJudging } from './joined.ts';
import { exercised, rule, violated } from './rule.ts';

let seq = 0;
const event = (wire: string, data: JsonObject, kind: TraceEvent['kind'] = 'message'): TraceEvent => ({
  seq: seq++,
  at: seq,
  wire,
  from: kind === 'mark' ? 'kit' : 'target',
  to: 'kit',
  conn: '',
  stream: '',
  kind,
  data,
});

/** Counts its messages and marks. Its rule allows at most one message before each mark. */
interface Count {
  messages: number;
  marks: number;
}

const counting = (requirement: string): Judging<Count> => ({
  topicOf: ({ kind }) => kind,
  extraTopicsOf: ({ data }) => (data['rare'] === true ? 'rare' : ''),
  view: {
    start: () => ({ messages: 0, marks: 0 }),
    step(view, { kind }) {
      if (kind === 'mark') view.marks++;
      else view.messages++;
    },
  },
  rules: [
    rule<null, Count>({
      requirement,
      listens: ['message'],
      start: () => null,
      step: (_, at, view) =>
        view.messages > view.marks ? violated(at, `${view.messages} messages`) : exercised(at),
    }),
    rule<{ seen: number }, Count>({
      requirement: `${requirement}-any`,
      listens: ['*'],
      start: () => ({ seen: 0 }),
      step: (state) => void state.seen++,
      end: (state, _view, last) => (state.seen > 0 ? exercised(last) : undefined),
    }),
    rule<null, Count>({
      requirement: `${requirement}-rare`,
      listens: ['rare'],
      start: () => null,
      step: (_, at) => exercised(at),
    }),
  ],
});

const over = rule<null, { left: Count; right: Count }>({
  requirement: 'OVER',
  listens: ['left:message'],
  start: () => null,
  step: (_, at, { right }) => (right.messages > 0 ? exercised(at) : undefined),
});

function judged(events: readonly TraceEvent[]): { readonly [row: string]: string } {
  const judge = new Judge(
    joinedJudging<{ left: Count; right: Count }>(
      {
        left: { wires: ['a'], judging: counting('LEFT') },
        right: { wires: ['b', 'c'], judging: counting('RIGHT') },
      },
      [over],
    ),
  );
  for (const one of events) judge.step(one);
  return Object.fromEntries(
    [...judge.end()].map(([id, { exercised: n, violations }]) => [id, `${n}/${violations.length}`]),
  );
}

it('gives each part the events of its wires, and the marks to all', () => {
  const events = [event('a', {}), event('b', {}), event('', {}, 'mark'), event('a', {}), event('c', {})];
  expect(judged(events)).toEqual({
    LEFT: '2/0',
    'LEFT-any': '1/0',
    'LEFT-rare': '0/0',
    RIGHT: '2/0',
    'RIGHT-any': '1/0',
    'RIGHT-rare': '0/0',
    OVER: '1/0',
  });
});

it('blames the part whose events broke a rule', () => {
  const found = judged([event('b', {}), event('a', { rare: true }), event('c', {})]);
  expect([found['LEFT'], found['RIGHT'], found['LEFT-rare'], found['RIGHT-rare']]).toEqual([
    '1/0',
    '2/1',
    '1/0',
    '0/0',
  ]);
});

it('gives an event of no part to no rule', () => {
  expect(Object.values(judged([event('other', { rare: true })]))).toEqual(Array(7).fill('0/0'));
});
