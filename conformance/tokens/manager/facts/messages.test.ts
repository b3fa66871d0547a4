/** Facts of estimates, pruned conversations and summaries: what conforms holds, however it was cut. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './messages.ts';
import type { Outcome } from '../../../testee-rules.ts';

const wrong = (words: string): { wrong: string } => ({ wrong: expect.stringContaining(words) as string });

const user = (content: string, more: JsonObject = {}): JsonObject => ({ role: 'user', content, ...more });
const assistant = (content: string, more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  ...more,
});
const turn = (n: number): readonly JsonObject[] => [user(`<u${n}>`), assistant(`<a${n}>`)];
const call = (id: string): JsonObject => assistant('', { toolCalls: [{ id, name: 'read', input: {} }] });
const result = (id: string, content = 'done', isError = false): JsonObject =>
  user('', { toolResults: [{ id, content, isError }] });

const judge = (
  fact: string,
  wanted: Json,
  messages: readonly JsonObject[],
  request: JsonObject = {},
): Outcome | undefined => pruneFacts[fact]?.(wanted, { messages: [...messages] }, request);

describe('an estimate', () => {
  it('is a number, or one of a range', () => {
    const tokens = (wanted: Json, came: Json): Outcome | undefined =>
      estimateFacts['tokens']?.(wanted, { tokens: came }, {});
    expect(tokens(12, 12)).toBe('holds');
    expect(tokens(12, 11)).toEqual(wrong('expected tokens 12; came 11'));
    expect(tokens({ atLeast: 10, atMost: 12 }, 11)).toBe('holds');
    expect(tokens({ atLeast: 10, atMost: 12 }, 13)).toEqual(wrong('expected tokens 10 to 12; came 13'));
    expect(tokens(12, Number.NaN)).toEqual(wrong('expected tokens 12'));
  });
});

describe('a pruned conversation', () => {
  it.each(Object.keys(pruneFacts))('has to be one: %s', (fact) => {
    expect(pruneFacts[fact]?.([], { messages: 'none' }, {})).toEqual(
      wrong('expected messages as an array; came "none"'),
    );
  });

  it('TOK-27: has what must survive, be it joined with something else', () => {
    expect(judge('keeps', ['<u1>', '<a2>'], [user('so <u1>\n\n<u2>'), assistant('<a2>')])).toBe('holds');
    expect(judge('keeps', ['<u1>', '<a2>'], turn(2))).toEqual(
      wrong('expected the messages "<u1>" to survive'),
    );
    const request = { messages: [user('<u1> and all of this')] };
    expect(judge('keeps', ['<u1>'], [user('<u1> and all of this')], request)).toBe('holds');
    expect(judge('keeps', ['<u1>'], [user('<u1> and\u2026')], request)).toEqual(
      wrong('not the whole of their texts'),
    );
    expect(judge('keepsCalls', ['x'], [user('a'), call('x'), result('x')])).toBe('holds');
    expect(judge('keepsCalls', ['x', 'y'], [user('a'), call('x'), result('x')])).toEqual(
      wrong('the calls "y" to survive'),
    );
  });

  it('TOK-28: has calls and results together, which one without calls does not show', () => {
    expect(judge('paired', true, [user('a'), call('x'), result('x')])).toBe('holds');
    expect(judge('paired', true, turn(1))).toBe('shows nothing');
    expect(judge('paired', true, [user('a'), call('x')])).toEqual(wrong('there is none of "x"'));
    expect(judge('paired', true, [user('a'), result('x')])).toEqual(wrong('has a result of "x"'));
  });

  it('TOK-28: has turns as a whole or not at all; with all of them it shows nothing', () => {
    const turns: Json = [
      ['<u1>', '<a1>'],
      ['<u2>', '<a2>'],
    ];
    expect(judge('wholeTurns', turns, turn(2))).toBe('holds');
    expect(judge('wholeTurns', turns, turn(1))).toBe('holds');
    expect(judge('wholeTurns', turns, [...turn(1), ...turn(2)])).toBe('shows nothing');
    expect(judge('wholeTurns', turns, [user('<u1>'), ...turn(2).slice(1)])).toEqual(
      wrong('expected the turn of "<u1>, <a1>" to stay or go as a whole; came it without "<a1>"'),
    );
  });

  it('fits, where even its least estimate does', () => {
    expect(judge('fits', true, turn(1), { limit: 22 })).toBe('holds');
    expect(judge('fits', true, turn(1), { limit: 21 })).toEqual(
      wrong('expected at most 21 tokens; came messages of 22'),
    );
  });

  it('TOK-29: is in order, which nothing does not show', () => {
    expect(judge('ordered', true, turn(1))).toBe('holds');
    expect(judge('ordered', true, [])).toBe('shows nothing');
    expect(judge('ordered', true, turn(1).toReversed())).toEqual(
      wrong("expected the first message to be the user's"),
    );
    // Pairs are another row's.
    expect(judge('ordered', true, [user('a'), call('x')])).toBe('holds');
  });

  it('TOK-29, TOK-30: comes back as it went in; absent lists, null and empty ones are the same', () => {
    const messages: Json = [...turn(1)];
    expect(judge('unchanged', true, turn(1), { messages })).toBe('holds');
    expect(
      judge('unchanged', true, [user('<u1>', { toolResults: [] }), assistant('<a1>', { toolCalls: null })], {
        messages,
      }),
    ).toBe('holds');
    expect(judge('unchanged', true, turn(2), { messages })).toEqual(
      wrong('messages[0].content: expected "<u1>"; came "<u2>"'),
    );
    expect(judge('unchanged', true, turn(1), { messages: '' })).toBe('shows nothing');
  });

  it('TOK-36: may have shortened a result, to so many lines and a marker', () => {
    const request = { messages: [user('a'), call('x'), result('x', '1\n2\n3\n4\n5\n6')] };
    const shortens = (content: string): Outcome | undefined =>
      judge('shortens', { id: 'x', lines: 3 }, [user('a'), call('x'), result('x', content)], request);
    expect(shortens('1\n2\n3\n… (3 lines more)')).toBe('holds');
    expect(shortens('1\n2\n3\n4\n5\n6')).toBe('shows nothing');
    expect(shortens('1\n2\n…')).toBe('shows nothing');
    expect(judge('shortens', { id: 'x', lines: 3 }, [user('a')], request)).toBe('shows nothing');
  });

  it('TOK-37: has no half of a character, in texts and results', () => {
    expect(judge('whole', true, [user('\u{1f600}'), assistant('b')])).toBe('holds');
    expect(judge('whole', true, [user('\ud83d'), assistant('b')])).toEqual(wrong('half of one at offset 0'));
    expect(judge('whole', true, [user('a'), call('x'), result('x', 'a\ud83d')])).toEqual(
      wrong('half of one at offset 1'),
    );
  });

  it('TOK-39: has one result of a call, and the worst', () => {
    const one = (...results: readonly JsonObject[]): Outcome | undefined =>
      judge('oneResult', { id: 'x', isError: true }, [user('a'), call('x'), ...results]);
    expect(one(result('x', 'no', true))).toBe('holds');
    expect(one(result('x'))).toEqual(wrong('expected isError of the result of "x" true; came false'));
    expect(one(result('x', 'no', true), result('x'))).toEqual(wrong('expected one result of "x"; came 2'));
    expect(one()).toEqual(wrong('came 0'));
  });

  it('TOK-48: is sound as a whole', () => {
    expect(judge('sound', true, [...turn(1), user('a'), call('x'), result('x')])).toBe('holds');
    expect(judge('sound', true, [])).toBe('shows nothing');
    expect(judge('sound', true, [user('a'), call('x')])).toEqual(wrong('there is none of "x"'));
  });
});

describe('a summary', () => {
  const about = (fact: string, wanted: Json, message: Json): Outcome | undefined =>
    summaryFacts[fact]?.(wanted, { message }, {});
  const parts: Json = [
    { part: 'the status', words: ['status', 'progress'] },
    { part: 'issues', words: ['issue', 'problem'] },
  ];

  it('has to be a message', () => {
    expect(about('sound', true, 'all went well')).toEqual(
      wrong('expected message as an object; came "all went well"'),
    );
  });

  it('TOK-35: covers its parts in any of their words', () => {
    expect(about('covers', parts, user('PROGRESS: none. No problems.'))).toBe('holds');
    expect(about('covers', parts, user('Status: fine.'))).toEqual(
      wrong('expected a summary that covers "issues"'),
    );
  });

  it("TOK-37, TOK-48: is whole, and the user's", () => {
    expect(about('whole', true, user('a\ud83d'))).toEqual(wrong('half of one'));
    expect(about('whole', true, user('a'))).toBe('holds');
    expect(about('sound', true, user('a'))).toBe('holds');
    expect(about('sound', true, user(''))).toEqual(wrong('no empty content'));
    expect(about('sound', true, assistant('a'))).toEqual(wrong("to be the user's"));
  });
});
