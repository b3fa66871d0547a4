/** Facts of responses: every conforming answer is accepted, and each wrong answer gets its own message. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { responseFacts } from './response.ts';

const a = { id: 'a', name: 'write', input: { path: '/a' } };
const b = { id: 'b', name: 'write', input: {} };
const c = { id: 'c', name: 'write', input: null };

const given: JsonObject = { content: 'I write.', toolCalls: [a, b, c], stopReason: 'max_tokens' };
const request: JsonObject = { response: given };

const judge = (fact: string, wanted: Json, response: Json, warnings: Json = []): Judgement | undefined =>
  responseFacts[fact]?.(wanted, { response, warnings }, request);

const left = (...toolCalls: readonly JsonObject[]): JsonObject => ({ ...given, toolCalls: [...toolCalls] });
const dropped = (...ids: readonly string[]): JsonObject => ({ code: 'dropped', ids: [...ids] });

const mismatch = (words: string): { violated: string } => ({
  violated: expect.stringContaining(words) as string,
});

describe('a response', () => {
  it.each(Object.keys(responseFacts))('must be an object with its calls in an array: %s', (fact) => {
    expect(judge(fact, [], 'fine')).toEqual(mismatch('expected response as an object; came "fine"'));
    expect(judge(fact, [], { ...given, toolCalls: 'none' })).toEqual(
      mismatch('expected response.toolCalls as an array'),
    );
  });

  it('TOK-01: that is unchanged may have null for an absent member', () => {
    expect(judge('unchanged', true, given)).toBe('exercised');
    expect(judge('unchanged', true, { ...given, open: null })).toBe('exercised');
    expect(judge('unchanged', true, left(a))).toEqual(
      mismatch('toolCalls: expected an array of 3; came an array of 1'),
    );
    expect(judge('unchanged', true, { ...given, note: 'seen' })).toEqual(mismatch('note'));
  });

  it('TOK-02: keeps each surviving call, and everything except calls', () => {
    expect(judge('rest', true, left(a))).toBe('exercised');
    expect(judge('rest', true, { ...left(a), stopReason: 'end_turn' })).toEqual(mismatch('stopReason'));
    expect(judge('rest', true, left({ ...a, input: { path: '/b' } }))).toEqual(
      mismatch('toolCalls."a".input.path'),
    );
  });

  it('TOK-03 to TOK-08: has the calls that survive, in any order', () => {
    expect(judge('survivors', ['a', 'b'], left(b, a))).toBe('exercised');
    expect(judge('survivors', ['a'], left(a, b))).toEqual(mismatch('expected the calls "a"; came "a, b"'));
    expect(judge('survivors', ['a'], left())).toEqual(mismatch('expected the calls "a"; came none'));
    expect(judge('keeps', ['b'], left(b))).toBe('exercised');
    expect(judge('keeps', ['b'], left(a))).toEqual(mismatch('expected the calls "b" to survive; came "a"'));
    expect(judge('fewer', true, left(a, c))).toBe('exercised');
    expect(judge('fewer', true, left(a, b, c))).toEqual(mismatch('to be dropped'));
    expect(judge('fewer', true, left(b))).toEqual(mismatch('"a" to survive'));
  });

  it('TOK-09: has all of them in their order; other calls are not judged', () => {
    expect(judge('order', ['a', 'c'], left(a, c))).toBe('exercised');
    expect(judge('order', ['a'], left(a, c))).toBe('exercised');
    expect(judge('order', ['a', 'c'], left(c, a))).toEqual(
      mismatch('expected the order "a, c"; came "c, a"'),
    );
    expect(judge('order', ['a', 'c'], left(a))).toEqual(mismatch('came "a"'));
  });

  it('TOK-13: keeps its text when no call survives; absent calls and null are empty', () => {
    expect(judge('textOnly', true, left())).toBe('exercised');
    expect(judge('textOnly', true, { content: 'I write.', stopReason: 'max_tokens' })).toBe('exercised');
    expect(judge('textOnly', true, { ...left(), content: '' })).toEqual(
      mismatch('expected content "I write."; came ""'),
    );
    expect(judge('textOnly', true, { ...left(a), content: '' })).toBe(undefined);
  });
});

describe('TOK-10: warnings', () => {
  const names = (response: JsonObject, ...warnings: readonly JsonObject[]): Judgement | undefined =>
    judge('names', ['b', 'c'], response, [...warnings]);

  it('name each removed call, together or one by one, with any other members', () => {
    expect(names(left(a), dropped('b', 'c'))).toBe('exercised');
    expect(names(left(a), { code: 'exhausted' }, { ...dropped('c'), tool: 'write' }, dropped('b'))).toBe(
      'exercised',
    );
  });

  it('are wrong when they miss a removed call, or name a surviving one', () => {
    expect(names(left(a), dropped('b'))).toEqual(mismatch('a warning "dropped" that names "c"; came "b"'));
    expect(names(left(a), { code: 'exhausted', ids: ['b', 'c'] })).toEqual(
      mismatch('names "b, c"; came none'),
    );
    expect(names(left(a), dropped('a', 'b', 'c'))).toEqual(mismatch('removed calls only; came "a"'));
  });

  it('need not name calls that were not removed, though they should have been', () => {
    expect(names(left(a, b), dropped('c'))).toBe('exercised');
    expect(names(left(a, b, c))).toBe(undefined);
  });
});
