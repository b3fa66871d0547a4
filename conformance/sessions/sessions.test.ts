/** The forms of a file of sessions, and what its reader refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sessionNamed, sessionsIn, strangeRows } from '../sessions.test-helper.ts';
import type { Session } from '../sessions.test-helper.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** The sessions of files, each a list of lines. */
function read(files: { readonly [name: string]: readonly object[] | readonly string[] }): readonly Session[] {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-sessions-'));
  folders.push(folder);
  for (const [name, lines] of Object.entries(files)) {
    const texts = lines.map((line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(join(folder, `${name}.jsonl`), `${texts.join('\n')}\n`);
  }
  return [...sessionsIn(folder).values()].flat();
}

const head = { wireproof: 'sessions/1', suite: 'made/up', revision: '1' };
const message = (seq: number, at: number, data: object, more: object = {}): object => ({
  ...{ seq, at, wire: 'made', conn: 'c1', stream: 's1', from: 'target', to: 'peer', kind: 'message', data },
  ...more,
});
const mark = (seq: number, at: number, data: object): object =>
  message(seq, at, data, { conn: '', stream: '', from: 'kit', to: 'kit', kind: 'mark' });

/** A session that is written out. */
const good = [
  { is: 'good', note: 'Good: it is said.' },
  message(0, 0, { said: 'a' }),
  message(1, 5, { said: 'b' }),
];
const dataOf = (session: Session | undefined): unknown => session?.events.map(({ data }) => data);

describe('a file of a row', () => {
  it('has sessions that are written out, and others as edits of them', () => {
    const edits = [{ set: 1, path: ['said'], to: 'c' }];
    const bad = { is: 'bad-2', note: 'Bad: another thing is said.', edits };
    const [second, first] = read({ 'ROW-01': [{ ...head, clause: 'The document, 1.' }, ...good, bad] });
    expect(first).toMatchObject({
      name: 'ROW-01.good.jsonl',
      row: 'ROW-01',
      kind: 'good',
      where: 'ROW-01.jsonl:2',
    });
    expect(first?.header).toEqual({
      ...{ wireproof: 'trace/1', suite: 'made/up', revision: '1', seed: '0', scenario: 'clause' },
      ...{ target: 'hand-written', started: 0, note: 'The document, 1. Good: it is said.' },
    });
    expect(dataOf(first)).toEqual([{ said: 'a' }, { said: 'b' }]);
    expect(second).toMatchObject({ name: 'ROW-01.bad-2.jsonl', kind: 'bad', where: 'ROW-01.jsonl:5' });
    expect(second?.header.note).toBe('The document, 1. Bad: another thing is said.');
    expect(dataOf(second)).toEqual([{ said: 'a' }, { said: 'c' }]);
  });

  it('changes the session that is written out above, or the one that it names', () => {
    const other = [{ is: 'good-2', scenario: 'other' }, message(0, 0, { said: 'x' })];
    const sessions = read({
      'ROW-01.up': [head, ...good, ...other, { is: 'bad', edits: [{ twice: 0 }] }],
      'ROW-02.up': [head, { is: 'bad', of: 'ROW-01.up.bad', edits: [{ drop: 0 }] }],
    });
    const [bad] = sessions;
    expect([bad?.name, bad?.header.scenario, dataOf(bad)]).toEqual([
      ...['ROW-01.up.bad.jsonl', 'other', [{ said: 'x' }, { said: 'x' }]],
    ]);
    expect(dataOf(sessions.at(-1))).toEqual([{ said: 'x' }]);
  });

  it('has variations, which come after all sessions and have their edits in their names', () => {
    const edits = [{ drop: 0 }];
    const sessions = read({
      'ROW-01': [head, ...good, { is: 'unmet', of: 'ROW-02.good', edits, why: 'the first one counts' }],
      'ROW-02': [head, ...good],
    });
    expect(sessions.map(({ name, row, kind }) => [name, row, kind])).toEqual([
      ['ROW-01.good.jsonl', 'ROW-01', 'good'],
      ['ROW-02.good.jsonl', 'ROW-02', 'good'],
      ['ROW-01 unmet: ROW-02.good.jsonl with {"drop":0}', 'ROW-01', 'unmet'],
    ]);
  });

  it('may be a whole trace, which others change', () => {
    const header = { wireproof: 'trace/1', suite: 'made/up', revision: '1', seed: '0' };
    const sessions = read({
      'ROW-01.bad': [
        { ...header, scenario: 'a', target: 'hand-written', started: 0, note: 'Bad.' },
        message(0, 0, {}),
      ],
      'ROW-01': [head, { is: 'good', of: 'ROW-01.bad', edits: [{ drop: 0 }] }],
    });
    expect(sessions.map(({ name, kind, events }) => [name, kind, events.length])).toEqual([
      ['ROW-01.bad.jsonl', 'bad', 1],
      ['ROW-01.good.jsonl', 'good', 0],
    ]);
  });
});

/** A frame of two exchanges that are 20 ms apart. */
const frame = [
  { ...head, wireproof: 'trace/1', seed: '0', scenario: 'clause', target: 'hand-written', started: 0 },
  message(0, 0, { id: 0, ok: { name: 'testee', ops: ['say'] } }),
  mark(1, 5, { scenario: 'clause', begin: true }),
  ...[1, 2].flatMap((n, k) => [
    mark(2 + 3 * k, 10 + 20 * k, { case: { id: n } }),
    message(3 + 3 * k, 11 + 20 * k, { id: n, op: 'say' }, { from: 'peer', to: 'target' }),
    message(4 + 3 * k, 15 + 20 * k, { id: n, ok: 1 }),
  ]),
  mark(8, 50, { scenario: 'clause', outcome: 'done' }),
];
const exchange = { case: { expect: 1 }, request: { op: 'say', text: 'a' }, answer: { ok: 1 } };

describe('exchanges of a testee', () => {
  it('stand in the frame of their suite', () => {
    const [one] = read({
      'frame.up': frame,
      'ROW-01': [
        head,
        { is: 'good', scenario: 'own', hello: { ops: ['say', 'sing'] }, exchanges: [exchange] },
      ],
    });
    expect(one?.events.map(({ seq, at, data }) => [seq, at, data])).toEqual([
      [0, 0, { id: 0, ok: { name: 'testee', ops: ['say', 'sing'] } }],
      [1, 5, { scenario: 'own', begin: true }],
      [2, 10, { case: { id: 1, vector: 1, requirements: ['ROW-01'], result: 'valid', expect: 1 } }],
      [3, 11, { id: 1, op: 'say', text: 'a' }],
      [4, 15, { id: 1, ok: 1 }],
      [5, 30, { scenario: 'own', outcome: 'done' }],
    ]);
  });

  it('follow each other as those of the frame', () => {
    const [one] = read({
      'frame.up': frame,
      'ROW-01': [head, { is: 'good', exchanges: [exchange, exchange, exchange] }],
    });
    expect(one?.events.map(({ at }) => at)).toEqual([0, 5, 10, 11, 15, 30, 31, 35, 50, 51, 55, 70]);
    expect(one?.events.map(({ data }) => data['id']).filter((id) => id !== undefined)).toEqual([
      0, 1, 1, 2, 2, 3, 3,
    ]);
  });

  it('ask what the session above asks, where they say an answer only', () => {
    const wrong = { is: 'bad', exchanges: [{ answer: { ok: 2 }, bytes: 'Mg==' }] };
    const [bad, said] = read({
      'frame.up': frame,
      'ROW-01': [head, { is: 'good', hello: { name: 'other' }, exchanges: [exchange] }, wrong],
    });
    expect(bad?.events[4]).toMatchObject({ data: { id: 1, ok: 2 }, bytes: 'Mg==' });
    expect(bad?.events.toSpliced(4, 1)).toEqual(said?.events.toSpliced(4, 1));
  });
});

describe('refusals name file and line', () => {
  const edits = [{ drop: 0 }];
  it.each<[string, Parameters<typeof read>[0], string]>([
    [
      'an unknown base',
      { 'ROW-01': [head, { is: 'bad', of: 'ROW-09.good', edits }] },
      'ROW-01.jsonl:2: it changes ROW-09.good, which no file has',
    ],
    [
      'no base',
      { 'ROW-01': [head, { is: 'bad', edits }, ...good] },
      'ROW-01.jsonl:2: no session that is written out stands above it',
    ],
    [
      'the base of another file',
      { 'ROW-01': [head, ...good], 'ROW-02': [head, { is: 'bad', edits }] },
      'ROW-02.jsonl:2: no session',
    ],
    [
      'the base of another suite',
      {
        'ROW-01': [head, ...good],
        'ROW-02': [
          { ...head, suite: 'made/down' },
          { is: 'bad', of: 'ROW-01.good', edits },
        ],
      },
      'ROW-02.jsonl:2: it changes ROW-01.good, which is of made/up',
    ],
    [
      'an edit that changes nothing',
      { 'ROW-01': [head, ...good, { is: 'bad', edits: [{ drop: 7 }] }] },
      'ROW-01.jsonl:5: the edit {"drop":7} changes nothing',
    ],
    [
      'a session of itself',
      { 'ROW-01': [head, { is: 'bad', of: 'ROW-01.bad', edits }] },
      'ROW-01.jsonl:2: it changes itself',
    ],
    [
      'a name of two',
      { 'ROW-01': [head, ...good, { is: 'good', edits }] },
      'ROW-01.jsonl:5: ROW-01.good is the name of another session, ROW-01.jsonl:2',
    ],
    [
      'a kind that is none',
      { 'ROW-01': [head, { is: 'fine', edits }] },
      'ROW-01.jsonl:2: expected "is" with a kind',
    ],
    [
      'a member that is none',
      { 'ROW-01': [head, { is: 'bad', kills: 'a', edits }] },
      'ROW-01.jsonl:2: a session has no member "kills"',
    ],
    [
      'a variation of nothing',
      { 'ROW-01': [head, ...good, { is: 'bad', edits, why: 'a' }] },
      'ROW-01.jsonl:5: a session with "why" is a variation',
    ],
    ['no list', { 'ROW-01': [head, ...good, { is: 'bad', edits: 1 }] }, 'ROW-01.jsonl:5: expected lists'],
    [
      'nothing of its own',
      { 'ROW-01': [head, { is: 'good' }, ...good] },
      'ROW-01.jsonl:2: expected its events',
    ],
    [
      'an event before a session',
      { 'ROW-01': [head, message(0, 0, {})] },
      'ROW-01.jsonl:2: an event, but no session',
    ],
    [
      'an event after edits',
      { 'ROW-01': [head, ...good, { is: 'bad', edits }, message(2, 9, {})] },
      'ROW-01.jsonl:6: an event, but no session',
    ],
    [
      'an event out of turn',
      { 'ROW-01': [head, ...good, message(3, 9, {})] },
      'ROW-01.jsonl:5: seq is 3; expected 2',
    ],
    ['no JSON', { 'ROW-01': ['{'] }, 'ROW-01.jsonl:1: expected a JSON object; came {'],
    [
      'a head without a suite',
      { 'ROW-01': [{ wireproof: 'sessions/1', revision: '1' }] },
      'ROW-01.jsonl:1: expected {"wireproof":"sessions/1","suite"',
    ],
    [
      'no head and no trace',
      { 'ROW-01': [{ suite: 'made/up' }] },
      'ROW-01.jsonl:1: not the header of a trace',
    ],
    [
      'exchanges without a frame',
      { 'ROW-01': [head, { is: 'good', exchanges: [exchange] }] },
      'ROW-01.jsonl:2: made/up has no file frame.<role>.jsonl',
    ],
    [
      'a frame of one exchange',
      { 'frame.up': frame.slice(0, 6), 'ROW-01': [head, { is: 'good', exchanges: [exchange] }] },
      'ROW-01.jsonl:2: its frame is no trace of two exchanges',
    ],
    [
      'an answer to nothing',
      {
        'frame.up': frame,
        'ROW-01': [
          head,
          { is: 'good', exchanges: [exchange] },
          { is: 'bad', exchanges: [{ answer: {} }, { answer: {} }] },
        ],
      },
      'ROW-01.jsonl:3: exchange 2 has no "case" and "request", nor has its base',
    ],
  ])('%s', (_, files, message) => {
    expect(() => read(files)).toThrow(message);
  });

  it('a session of a row that the suite does not have', () => {
    const sessions = read({ 'ROW-01': [head, ...good], 'ROW-02': [head, ...good] });
    expect(strangeRows('made/up', sessions, new Set(['ROW-01']))).toEqual([
      'ROW-02.jsonl:2: made/up has no row ROW-02',
    ]);
  });

  it('a name that no session has', () => {
    expect(() => sessionNamed('toon', 'TOON-99.codec.good')).toThrow(
      'toon has no session TOON-99.codec.good',
    );
  });
});
