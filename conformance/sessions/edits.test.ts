import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { edited } from './edits.test-helper.ts';
import type { SessionEdit } from './edits.test-helper.ts';

const sides = { up: { from: 'target', to: 'peer' }, down: { from: 'peer', to: 'target' } } as const;

/** An event of a session whose events are 10 ms apart. */
const event = (
  seq: number,
  side: keyof typeof sides,
  text: string,
  more: Partial<TraceEvent> = {},
): TraceEvent => ({
  ...{ seq, at: seq * 10, wire: 'w', conn: 'c1', stream: 's1', ...sides[side] },
  ...{ kind: 'message', data: { text }, ...more },
});

/** A request and two answers on a stream that the target opened, and the mark of the end. */
const session: readonly TraceEvent[] = [
  event(0, 'up', '', { kind: 'open', data: {} }),
  event(1, 'down', 'ask'),
  event(2, 'up', 'one'),
  event(3, 'up', 'two', { stream: 's2' }),
  event(4, 'up', '', { conn: '', stream: '', from: 'kit', to: 'kit', kind: 'mark', data: { end: true } }),
];

/** What a change leaves, in short: the time, and the text or the kind of each event. */
const shown = (...edits: readonly SessionEdit[]): string =>
  edited(session, edits)
    .map(({ at, kind, data }) => `${at} ${typeof data['text'] === 'string' ? data['text'] : kind}`)
    .join(', ');

describe('edits', () => {
  it.each<[string, readonly SessionEdit[], string]>([
    ['drop', [{ drop: 2 }], '0 open, 10 ask, 30 two, 40 mark'],
    ['drop of several', [{ drop: [1, 3] }], '0 open, 20 one, 40 mark'],
    ['first', [{ first: 2 }], '0 open, 10 ask'],
    ['twice', [{ twice: 2 }], '0 open, 10 ask, 20 one, 20 one, 30 two, 40 mark'],
    ['move', [{ move: 1, after: 3 }], '0 open, 20 one, 30 two, 30 ask, 40 mark'],
    ['late', [{ late: 2, ms: 5 }], '0 open, 10 ask, 25 one, 35 two, 45 mark'],
    [
      'late, but never before the event before it',
      [{ late: 3, ms: -25 }],
      '0 open, 10 ask, 20 one, 20 two, 20 mark',
    ],
    ['set', [{ set: 1, path: ['text'], to: 'say' }], '0 open, 10 say, 20 one, 30 two, 40 mark'],
    [
      'set of a value that is removed',
      [{ set: 1, path: ['text'] }],
      '0 open, 10 message, 20 one, 30 two, 40 mark',
    ],
    [
      'set of all data',
      [{ set: 1, path: [], to: { text: 'all' } }],
      '0 open, 10 all, 20 one, 30 two, 40 mark',
    ],
    ['lengthen', [{ lengthen: 1, path: ['text'], to: 7 }], '0 open, 10 askaska, 20 one, 30 two, 40 mark'],
    [
      'several, by the numbers as written',
      [{ drop: 1 }, { twice: 3 }],
      '0 open, 20 one, 30 two, 30 two, 40 mark',
    ],
  ])('%s', (_, edits, left) => {
    expect(shown(...edits)).toBe(left);
  });

  it('number the events anew', () => {
    expect(edited(session, [{ drop: 0 }]).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  });

  it('repeat events with ids and streams of their own', () => {
    const events = [...session.slice(0, 1), event(1, 'down', 'r1')];
    const copies = edited(events, [{ repeat: [0, 1], times: 2, id: 'r1' }]).slice(2);
    expect(copies.map(({ stream, data }) => [stream, data['text']])).toEqual([
      ['s1-1', undefined],
      ['s1-1', 'r1-1'],
      ['s1-2', undefined],
      ['s1-2', 'r1-2'],
    ]);
  });

  it('give an event a size', () => {
    expect(edited(session, [{ size: 2, to: 70_000 }])[2]).toEqual({ ...session[2], size: 70_000 });
  });
});

describe('inserted events', () => {
  const text = { kind: 'message', data: { text: 'new' } } as const;
  const added = (edit: SessionEdit): TraceEvent | undefined =>
    edited(session, [edit]).find(({ data }) => data['text'] === 'new');

  it('are on the stream of the event before them, at its time', () => {
    expect(added({ insert: { from: 'target', ...text }, after: 1 })).toMatchObject({
      ...{ at: 10, conn: 'c1', stream: 's1', from: 'target', to: 'peer' },
    });
    expect(added({ insert: { from: 'peer', ...text }, after: 2 })).toMatchObject({
      ...{ at: 20, conn: 'c1', stream: 's1', from: 'peer', to: 'target' },
    });
  });

  it('are on the stream of another event, or where they say', () => {
    expect(added({ insert: { from: 'target', ...text }, after: 4, beside: 3 })).toMatchObject({
      at: 40,
      stream: 's2',
    });
    const other = { from: 'model', to: 'other', stream: 's9' };
    expect(added({ insert: { ...other, ...text }, after: 1 })).toMatchObject(other);
  });

  it('are of the kit alone', () => {
    expect(added({ insert: { from: 'kit', ...text }, after: 1 })).toMatchObject({ from: 'kit', to: 'kit' });
  });

  it('are several, each some time after the one before', () => {
    const insert = [
      { from: 'target', kind: 'message', data: { text: 'a' }, ms: 4 },
      { from: 'peer', kind: 'message', data: { text: 'b' } },
      { from: 'target', kind: 'message', data: { text: 'c' }, ms: 3 },
    ] as const;
    expect(shown({ insert, after: 1 })).toBe('0 open, 10 ask, 14 a, 14 b, 17 c, 20 one, 30 two, 40 mark');
  });
});

describe('an edit that changes nothing is refused', () => {
  it.each<[SessionEdit]>([
    [{ drop: 5 }],
    [{ drop: [] }],
    [{ first: 5 }],
    [{ twice: 9 }],
    [{ repeat: [9, 9], times: 2, id: 'r1' }],
    [{ repeat: [1, 2], times: 0, id: 'r1' }],
    [{ move: 2, after: 2 }],
    [{ move: 9, after: 1 }],
    [{ insert: { from: 'kit', kind: 'mark', data: {} }, after: 9 }],
    [{ insert: { from: 'kit', kind: 'mark', data: {} }, after: 1, beside: 9 }],
    [{ insert: [], after: 1 }],
    [{ late: 5, ms: 10 }],
    [{ late: 1, ms: 0 }],
    [{ size: 9, to: 1 }],
    [{ lengthen: 1, path: ['text'], to: 3 }],
    [{ set: 1, path: ['text'], to: 'ask' }],
    [{ set: 1, path: ['other'] }],
  ])('%j', (edit) => {
    expect(() => edited(session, [edit])).toThrow(`the edit ${JSON.stringify(edit)} changes nothing`);
  });

  it('but another order of members is a change', () => {
    const [first] = edited(
      [{ ...event(0, 'up', ''), data: { a: 1, b: 2 } }],
      [{ set: 0, path: [], to: { b: 2, a: 1 } }],
    );
    expect(JSON.stringify(first?.data)).toBe('{"b":2,"a":1}');
  });

  it('and so is what is no edit', () => {
    expect(() => edited(session, [{ leave: 1 } as never])).toThrow('{"leave":1} is no edit');
  });
});
