/**
 * Facts of estimates, pruned conversations and summaries: every conforming answer is exercised, however it was pruned.
 */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './messages.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';

const mismatch = (words: string): { violated: string } => ({
  violated: expect.stringContaining(words) as string,
});

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
): Judgement | undefined => pruneFacts[fact]?.(wanted, { messages: [...messages] }, request);

describe('an estimate', () => {
  it('is a number, or one of a range', () => {
    const tokens = (wanted: Json, came: Json): Judgement | undefined =>
      estimateFacts['tokens']?.(wanted, { tokens: came }, {});
    expect(tokens(12, 12)).toBe('exercised');
    expect(tokens(12, 11)).toEqual(mismatch('expected tokens 12; came 11'));
    expect(tokens({ atLeast: 10, atMost: 12 }, 11)).toBe('exercised');
    expect(tokens({ atLeast: 10, atMost: 12 }, 13)).toEqual(mismatch('expected tokens 10 to 12; came 13'));
    expect(tokens(12, Number.NaN)).toEqual(mismatch('expected tokens 12'));
  });
});

describe('a pruned conversation', () => {
  it.each(Object.keys(pruneFacts))('must be an array of messages: %s', (fact) => {
    expect(pruneFacts[fact]?.([], { messages: 'none' }, {})).toEqual(
      mismatch('expected messages as an array; came "none"'),
    );
  });

  it('TOK-27: contains what must survive, also when it is joined with other text', () => {
    expect(judge('keeps', ['<u1>', '<a2>'], [user('so <u1>\n\n<u2>'), assistant('<a2>')])).toBe('exercised');
    expect(judge('keeps', ['<u1>', '<a2>'], turn(2))).toEqual(
      mismatch('expected the messages "<u1>" to survive'),
    );
    const request = { messages: [user('<u1> and all of this')] };
    expect(judge('keeps', ['<u1>'], [user('<u1> and all of this')], request)).toBe('exercised');
    expect(judge('keeps', ['<u1>'], [user('<u1> and\u2026')], request)).toEqual(
      mismatch('not the whole of their texts'),
    );
    const given = { messages: [user('a'), call('x'), result('x')] };
    expect(judge('toolContext', true, given.messages, given)).toBe('exercised');
    expect(judge('toolContext', true, [user('a')], given)).toEqual(mismatch('the call "x" to survive'));
    expect(judge('toolContext', true, [user('a'), call('x'), result('x', 'removed')], given)).toEqual(
      mismatch('expected the result of "x" to be "done"; came "removed"'),
    );
    expect(judge('toolContext', true, [user('a'), call('x'), result('x', 'done', true)], given)).toEqual(
      mismatch('isError of the result of "x" false; came true'),
    );
    expect(judge('toolContext', true, [], { messages: [user('a')] })).toBe(undefined);
  });

  it('TOK-28: has calls and results together; without calls it is not exercised', () => {
    expect(judge('paired', true, [user('a'), call('x'), result('x')])).toBe('exercised');
    expect(judge('paired', true, turn(1))).toBe(undefined);
    expect(judge('paired', true, [user('a'), call('x')])).toEqual(mismatch('there is none of "x"'));
    expect(judge('paired', true, [user('a'), result('x')])).toEqual(mismatch('has a result of "x"'));
  });

  it('TOK-28: has turns as a whole or not at all; with all turns it is not exercised', () => {
    const turns: Json = [
      ['<u1>', '<a1>'],
      ['<u2>', '<a2>'],
    ];
    expect(judge('wholeTurns', turns, turn(2))).toBe('exercised');
    expect(judge('wholeTurns', turns, turn(1))).toBe('exercised');
    expect(judge('wholeTurns', turns, [...turn(1), ...turn(2)])).toBe(undefined);
    expect(judge('wholeTurns', turns, [user('<u1>'), ...turn(2).slice(1)])).toEqual(
      mismatch('expected the turn of "<u1>, <a1>" to stay or go as a whole; came it without "<a1>"'),
    );
  });

  it('fits when its least estimate fits', () => {
    expect(judge('fits', true, turn(1), { limit: 22 })).toBe('exercised');
    expect(judge('fits', true, turn(1), { limit: 21 })).toEqual(
      mismatch('expected at most 21 tokens; came messages of 22'),
    );
  });

  it('TOK-29: is in order; an empty list does not exercise this', () => {
    expect(judge('ordered', true, turn(1))).toBe('exercised');
    expect(judge('ordered', true, [])).toBe(undefined);
    expect(judge('ordered', true, turn(1).toReversed())).toEqual(
      mismatch("expected the first message to be the user's"),
    );
    // Another requirement judges pairs.
    expect(judge('ordered', true, [user('a'), call('x')])).toBe('exercised');
  });

  it('TOK-29, TOK-30: comes back unchanged; absent, null and empty lists are equal', () => {
    const messages: Json = [...turn(1)];
    expect(judge('unchanged', true, turn(1), { messages })).toBe('exercised');
    expect(
      judge('unchanged', true, [user('<u1>', { toolResults: [] }), assistant('<a1>', { toolCalls: null })], {
        messages,
      }),
    ).toBe('exercised');
    expect(judge('unchanged', true, turn(2), { messages })).toEqual(
      mismatch('messages[0].content: expected "<u1>"; came "<u2>"'),
    );
    expect(judge('unchanged', true, turn(1), { messages: '' })).toBe(undefined);
  });

  it('TOK-36: may have shortened a result to a number of lines and a marker', () => {
    const request = { messages: [user('a'), call('x'), result('x', '1\n2\n3\n4\n5\n6')] };
    const shortens = (content: string): Judgement | undefined =>
      judge('shortens', { id: 'x', lines: 3 }, [user('a'), call('x'), result('x', content)], request);
    expect(shortens('1\n2\n3\n… (3 lines more)')).toBe('exercised');
    expect(shortens('1\n2\n3\n4\n5\n6')).toBe(undefined);
    expect(shortens('1\n2\n…')).toBe(undefined);
    expect(judge('shortens', { id: 'x', lines: 3 }, [user('a')], request)).toBe(undefined);
  });

  it('TOK-37: has no half of a character in texts and results', () => {
    expect(judge('whole', true, [user('\u{1f600}'), assistant('b')])).toBe('exercised');
    expect(judge('whole', true, [user('\ud83d'), assistant('b')])).toEqual(
      mismatch('half of one at offset 0'),
    );
    expect(judge('whole', true, [user('a'), call('x'), result('x', 'a\ud83d')])).toEqual(
      mismatch('half of one at offset 1'),
    );
  });

  it('TOK-39: has one result per call: an error if there was one', () => {
    const one = (...results: readonly JsonObject[]): Judgement | undefined =>
      judge('oneResult', { id: 'x', isError: true }, [user('a'), call('x'), ...results]);
    expect(one(result('x', 'no', true))).toBe('exercised');
    expect(one(result('x'))).toEqual(mismatch('expected isError of the result of "x" true; came false'));
    expect(one(result('x', 'no', true), result('x'))).toEqual(mismatch('expected one result of "x"; came 2'));
    expect(one()).toEqual(mismatch('came 0'));
  });

  it('TOK-48: is valid as a whole', () => {
    expect(judge('sound', true, [...turn(1), user('a'), call('x'), result('x')])).toBe('exercised');
    expect(judge('sound', true, [])).toBe(undefined);
    expect(judge('sound', true, [user('a'), call('x')])).toEqual(mismatch('there is none of "x"'));
  });
});

describe('a summary', () => {
  const about = (fact: string, wanted: Json, message: Json): Judgement | undefined =>
    summaryFacts[fact]?.(wanted, { message }, {});
  const parts: Json = [
    { part: 'the status', words: ['status', 'progress'] },
    { part: 'issues', words: ['issue', 'problem'] },
  ];

  it('must be a message', () => {
    expect(about('sound', true, 'all went well')).toEqual(
      mismatch('expected message as an object; came "all went well"'),
    );
  });

  it('TOK-35: covers its parts with any of the accepted words', () => {
    expect(about('covers', parts, user('PROGRESS: none. No problems.'))).toBe('exercised');
    expect(about('covers', parts, user('Status: fine.'))).toEqual(
      mismatch('expected a summary that covers "issues"'),
    );
  });

  it('TOK-37, TOK-48: has whole characters, and is not empty', () => {
    expect(about('whole', true, user('a\ud83d'))).toEqual(mismatch('half of one'));
    expect(about('whole', true, user('a'))).toBe('exercised');
    expect(about('sound', true, user('a'))).toBe('exercised');
    expect(about('sound', true, user(''))).toEqual(mismatch('no empty content'));
    expect(about('sound', true, assistant('a'))).toBe('exercised');
    expect(about('sound', true, call('x'))).toEqual(mismatch('without calls and results'));
  });
});
