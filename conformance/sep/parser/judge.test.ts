/** Verdicts on single answers of sep.parse: each fact can be right and wrong; cut outputs are compared with whole ones. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { judgeCut, judgeParse, parserFeatures } from './judge.ts';

const request: JsonObject = { op: 'sep.parse', chunks: [''] };

const judged = (wanted: JsonObject, events: Json, features = parserFeatures): unknown =>
  judgeParse(wanted, request, { ok: { events } }, features);

const events: readonly JsonObject[] = [
  { type: 'thought', text: 'Let  me' },
  { type: 'thought', text: ' see ' },
  { type: 'action', action: { id: 'a', name: 'n', parameters: { p: 1 } } },
  { type: 'response', text: 'Not ', final: false },
  { type: 'response', text: 'yet', final: false },
  { type: 'response_end', final: false, complete: true },
  { type: 'text', text: '\n' },
  { type: 'response', text: 'Done', final: true },
  { type: 'response_end', final: true, complete: false },
  { type: 'context_feed', id: 'f', text: ' 7 ' },
  { type: 'diagnostic', code: 'x', message: 'y', offset: 0 },
];

const both = [
  { text: 'Not yet', final: false, complete: true },
  { text: 'Done', final: true, complete: false },
];

describe('a fact', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ thought: 'Let me see' }, { thought: 'Let me' }, 'expected the text of thoughts "Let me"; came'],
    [{ exactThought: 'Let  me see ' }, { exactThought: 'Let me see ' }, 'the text of thoughts'],
    [{ response: 'Not yetDone' }, { response: 'Done' }, 'the text of responses "Done"'],
    [{ exactResponse: 'Not yetDone' }, { exactResponse: 'Not yet Done' }, 'the text of responses'],
    [{ text: '' }, { text: 'x' }, 'the text outside of tags'],
    [{ actions: [{ id: 'a', retry: 0 }] }, { actions: [] }, 'expected no action; came 1 action: id "a"'],
    [{ madeIds: ['m'] }, { madeIds: ['n'] }, 'expected an id that begins with # for "n"'],
    [{ actions: [{ depends_on: [] }] }, { actions: [{ name: 'm' }] }, 'actions[0].name'],
    [
      { responses: both },
      { responses: both.slice(1) },
      'expected "Done" (final, incomplete); came "Not yet"',
    ],
    [
      { ends: both.map(({ text, final }) => ({ text, final })) },
      { ends: both.map((one) => ({ ...one, complete: true })) },
      '"Done" (final, complete); came',
    ],
    [{ feeds: [{ id: 'f', text: '7' }] }, { feeds: [] }, 'feeds'],
    [
      { order: ['thought', 'action', 'response', 'context_feed'] },
      { order: ['action', 'thought', 'response', 'context_feed'] },
      'expected the events in the order action, thought, response, context_feed; came thought, action',
    ],
    [{ emits: ['response_end'] }, { emits: ['x', 'thought'] }, 'expected events of the kind x; came none'],
  ])('%j is exercised, %j is not', (right, wrong, words) => {
    expect(judged(right, [...events])).toBe('exercised');
    expect(judged(wrong, [...events])).toEqual({ violated: expect.stringContaining(words) as string });
  });

  it('about a long text shows the place of the first difference', () => {
    const text = `${'x'.repeat(50)}a${'y'.repeat(80)}`;
    expect(judged({ thought: text }, [{ type: 'thought', text: text.replace('a', 'b') }])).toEqual({
      violated: expect.stringContaining('from character 30 on') as string,
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'action', action: { name: 'n' } }, { distinctIds: true }, 'expected an id of each action'],
    [{ type: 'action', action: { id: 'a' } }, { distinctIds: true }, '"a" twice'],
    [{ type: 'action', action: { id: 'a' } }, { reported: true }, 'a diagnostic about the repaired body'],
  ])('about the events %j, twice: %j', (event, wanted, words) => {
    expect(judged(wanted, [event, event])).toEqual({
      violated: expect.stringContaining(words) as string,
    });
    expect(judged(wanted, [])).toBe('exercised');
  });

  it.each(['diagnostic', 'feeds', 'ends'])('%s is owed by a testee that has its events', (fact) => {
    const wanted = { [fact]: fact === 'diagnostic' ? true : [{ id: 'f', text: 'x', final: true }] };
    expect(judged({ thought: '', ...wanted }, [], [])).toBe('exercised');
    expect(judged({ thought: '', ...wanted }, [])).toMatchObject({ violated: /./ });
  });
});

describe('an answer', () => {
  it.each<[Json, string]>([
    ['x', 'expected ok.events to be an array; came "x"'],
    [[1], 'expected events[0] to be an object; came 1'],
    [[{}], 'expected events[0].type to be a text; came nothing'],
    [[{ type: 'thought' }], 'expected events[0].text to be a text; came nothing'],
    [[{ type: 'action' }], 'expected events[0].action to be an object; came nothing'],
  ])('with the events %j is wrong', (wrong, violated) => {
    expect(judged({ thought: '' }, wrong)).toEqual({ violated });
  });

  it('with advice alone has no diagnostic', () => {
    const diagnostic = { type: 'diagnostic', code: 'x', message: 'y', offset: 0 };
    const of = (event: JsonObject): unknown =>
      judgeParse({ diagnostic: true }, { op: 'sep.parse', chunks: [''] }, { ok: { events: [event] } }, [
        'diagnostics',
      ]);
    expect(of({ ...diagnostic, level: 'info' })).toEqual({
      violated: 'expected a diagnostic; came none',
    });
    expect(of(diagnostic)).toBe('exercised');
  });

  it('may have events that the protocol does not know', () => {
    expect(judged({ thought: '' }, [{ type: 'token', text: 7 }])).toBe('exercised');
  });
});

describe('kinds of events', () => {
  const emits = ['response_end', 'context_feed', 'diagnostic'];
  const plain = [{ type: 'response_end', final: true, complete: true }];

  it('are owed by a testee that claims them', () => {
    expect(judged({ emits }, plain, ['response_ends'])).toBe('exercised');
    expect(judged({ emits }, plain, ['response_ends', 'feeds'])).toEqual({
      violated: 'expected events of the kind context_feed; came none',
    });
    expect(judged({ emits: ['thought'] }, plain, [])).toEqual({
      violated: 'expected events of the kind thought; came none',
    });
  });

  it('are not judged where none is claimed', () => {
    expect(judged({ emits }, plain, [])).toEqual({ unknowable: 'it claims none of the kinds of events' });
  });
});

describe('an output in pieces', () => {
  const whole = new Map<string, readonly Json[]>([
    ['<thought>ab</thought>', [{ type: 'thought', text: 'ab' }]],
  ]);
  const cut = { op: 'sep.parse', chunks: ['<thought>a', 'b</thought>'] };
  const of = (answer: JsonObject, asked: JsonObject = cut): unknown => judgeCut(asked, answer, whole);
  const thought = (text: string): JsonObject => ({ type: 'thought', text });

  it('has the events of the whole one, with text in other pieces', () => {
    expect(of({ ok: { events: [thought('a'), thought('b')] } })).toBe('exercised');
    expect(of({ ok: { events: [thought('a')] } })).toEqual({
      violated: expect.stringContaining('the events differ from those of the whole output') as string,
    });
    expect(of({ error: 'no' })).toEqual({
      violated: 'expected ok, as for the whole output; came "no"',
    });
  });

  it('is not judged where it is whole, or the whole one is not known', () => {
    expect(of({ ok: {} }, { op: 'sep.parse', chunks: ['<thought>ab</thought>'] })).toBeUndefined();
    expect(of({ ok: {} }, { op: 'sep.parse', chunks: ['<thought>', 'c'] })).toBeUndefined();
  });
});

describe('facts of extensions', () => {
  const deep: readonly JsonObject[] = [
    { type: 'thought', text: 'plan ', depth: 1 },
    { type: 'thought', text: 'det', depth: 2 },
    { type: 'thought', text: 'ail', depth: 2 },
    { type: 'thought', text: ' ', depth: 1 },
  ];

  it('compare the depths of thoughts, without blanks between tags', () => {
    const depths = [
      { text: 'plan', depth: 1 },
      { text: 'detail', depth: 2 },
    ];
    expect(judged({ depths }, [...deep])).toBe('exercised');
    expect(judged({ depths: depths.slice(1) }, [...deep])).toEqual({
      violated: 'expected "detail" in depth 2; came "plan" in depth 1, "detail" in depth 2',
    });
    expect(judged({ depths: [depths[0] ?? {}, { text: 'detail', depth: 1 }] }, [...deep])).toEqual({
      violated: expect.stringContaining('depths[1].depth') as string,
    });
    expect(judged({ depths }, [{ type: 'thought', text: 'plan detail' }])).toEqual({
      violated: expect.stringContaining('came "plan detail" in depth null') as string,
    });
  });

  it('judge the text outside of tags where there is any', () => {
    const text = [{ type: 'text', text: 'So: <if test="$a">' }];
    expect(judged({ outside: 'So: <if test="$a">' }, text)).toBe('exercised');
    expect(judged({ outside: 'So: <if>' }, text)).toEqual({
      violated: expect.stringContaining('the text outside of tags') as string,
    });
    expect(judged({ outside: 'So: <if>' }, [])).toEqual({ unknowable: 'it tells no text outside of tags' });
  });
});

describe('facts of texts', () => {
  const violatedBy = (words: string): unknown => ({ violated: expect.stringContaining(words) as string });

  it('read a thought in a thought with its tags or without', () => {
    const nested = { nested: 'a b c' };
    expect(judged(nested, [{ type: 'thought', text: 'a b c' }])).toBe('exercised');
    expect(judged(nested, [{ type: 'thought', text: 'a <thought>b</thought > c' }])).toBe('exercised');
    expect(judged(nested, [{ type: 'thought', text: 'a <thoughts>b c' }])).toEqual(violatedBy('thoughts'));
    expect(judged(nested, [{ type: 'thought', text: 'a <thought>b' }])).toEqual(
      violatedBy('expected the text of thoughts "a b c"; came "a b"'),
    );
  });

  it('compare the blanks of feeds where a test wants it', () => {
    const feeds = [{ type: 'context_feed', id: 'f', text: ' 7\n' }];
    expect(judged({ exactFeeds: [{ id: 'f', text: ' 7\n' }] }, feeds)).toBe('exercised');
    expect(judged({ exactFeeds: [{ id: 'f', text: '7' }] }, feeds)).toEqual(violatedBy('feeds[0].text'));
    expect(judged({ thought: '', exactFeeds: [{ id: 'f', text: '7' }] }, feeds, [])).toBe('exercised');
  });
});

describe('the diagnostics of an output in pieces', () => {
  const output = '<thought>';
  const told = { type: 'diagnostic', code: 'unclosed', message: 'a thought is open', offset: 9 };
  const of = (more: JsonObject): unknown =>
    judgeCut(
      { op: 'sep.parse', chunks: ['<th', 'ought>'] },
      { ok: { events: [{ ...told, ...more }] } },
      new Map([[output, [told]]]),
    );

  it('have the same codes and offsets, in any words', () => {
    expect(of({})).toBe('exercised');
    expect(of({ message: 'a thought is open; "ought>" came last' })).toBe('exercised');
    expect(of({ offset: 6 })).toEqual({ violated: expect.stringContaining('offset') as string });
    expect(of({ code: 'open' })).toEqual({ violated: expect.stringContaining('code') as string });
    expect(of({ type: 'text', message: 'x' })).toMatchObject({ violated: /./ });
  });
});
