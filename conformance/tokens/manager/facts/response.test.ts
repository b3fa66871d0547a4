/** Facts of responses: every conforming answer holds, whatever it looks like, and each wrong one is told apart. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Outcome } from '../../../testee-rules.ts';
import { responseFacts } from './response.ts';

const a = { id: 'a', name: 'write', input: { path: '/a' } };
const b = { id: 'b', name: 'write', input: {} };
const c = { id: 'c', name: 'write', input: null };

const given: JsonObject = { content: 'I write.', toolCalls: [a, b, c], stopReason: 'max_tokens' };
const request: JsonObject = { response: given };

const judge = (fact: string, wanted: Json, response: Json, warnings: Json = []): Outcome | undefined =>
  responseFacts[fact]?.(wanted, { response, warnings }, request);

const left = (...toolCalls: readonly JsonObject[]): JsonObject => ({ ...given, toolCalls: [...toolCalls] });
const dropped = (...ids: readonly string[]): JsonObject => ({ code: 'dropped', ids: [...ids] });

const wrong = (words: string): { wrong: string } => ({ wrong: expect.stringContaining(words) as string });

describe('a response', () => {
  it.each(Object.keys(responseFacts))('has to be an object, with its calls in an array: %s', (fact) => {
    expect(judge(fact, [], 'fine')).toEqual(wrong('expected response as an object; came "fine"'));
    expect(judge(fact, [], { ...given, toolCalls: 'none' })).toEqual(
      wrong('expected response.toolCalls as an array'),
    );
  });

  it('TOK-01: that is unchanged may say null where nothing was', () => {
    expect(judge('unchanged', true, given)).toBe('holds');
    expect(judge('unchanged', true, { ...given, open: null })).toBe('holds');
    expect(judge('unchanged', true, left(a))).toEqual(
      wrong('toolCalls: expected an array of 3; came an array of 1'),
    );
    expect(judge('unchanged', true, { ...given, note: 'seen' })).toEqual(wrong('note'));
  });

  it('TOK-02: keeps all but its calls, and each call that survives', () => {
    expect(judge('rest', true, left(a))).toBe('holds');
    expect(judge('rest', true, { ...left(a), stopReason: 'end_turn' })).toEqual(wrong('stopReason'));
    expect(judge('rest', true, left({ ...a, input: { path: '/b' } }))).toEqual(
      wrong('toolCalls."a".input.path'),
    );
  });

  it('TOK-03 to TOK-08: has the calls that survive, in whatever order', () => {
    expect(judge('survivors', ['a', 'b'], left(b, a))).toBe('holds');
    expect(judge('survivors', ['a'], left(a, b))).toEqual(wrong('expected the calls "a"; came "a, b"'));
    expect(judge('survivors', ['a'], left())).toEqual(wrong('expected the calls "a"; came none'));
    expect(judge('keeps', ['b'], left(b))).toBe('holds');
    expect(judge('keeps', ['b'], left(a))).toEqual(wrong('expected the calls "b" to survive; came "a"'));
    expect(judge('fewer', true, left(a, c))).toBe('holds');
    expect(judge('fewer', true, left(a, b, c))).toEqual(wrong('to be dropped'));
    expect(judge('fewer', true, left(b))).toEqual(wrong('"a" to survive'));
  });

  it('TOK-09: has them in their order, which one call cannot show', () => {
    expect(judge('order', ['a', 'b', 'c'], left(a, c))).toBe('holds');
    expect(judge('order', ['a', 'b', 'c'], left(c, a))).toEqual(
      wrong('expected the order "a, c"; came "c, a"'),
    );
    expect(judge('order', ['a', 'b', 'c'], left(a))).toBe('shows nothing');
  });

  it('TOK-13: keeps its text where no call survives; absent calls and null are none', () => {
    expect(judge('textOnly', true, left())).toBe('holds');
    expect(judge('textOnly', true, { content: 'I write.', stopReason: 'max_tokens' })).toBe('holds');
    expect(judge('textOnly', true, { ...left(), content: '' })).toEqual(
      wrong('expected content "I write."; came ""'),
    );
    expect(judge('textOnly', true, { ...left(a), content: '' })).toBe('shows nothing');
  });
});

describe('TOK-10: warnings', () => {
  const names = (response: JsonObject, ...warnings: readonly JsonObject[]): Outcome | undefined =>
    judge('names', ['b', 'c'], response, [...warnings]);

  it('name each call that was removed, together or one by one, with whatever else they say', () => {
    expect(names(left(a), dropped('b', 'c'))).toBe('holds');
    expect(names(left(a), { code: 'exhausted' }, { ...dropped('c'), tool: 'write' }, dropped('b'))).toBe(
      'holds',
    );
  });

  it('are wrong when one is missing, or one that survived is named', () => {
    expect(names(left(a), dropped('b'))).toEqual(wrong('a warning "dropped" that names "c"; came "b"'));
    expect(names(left(a), { code: 'exhausted', ids: ['b', 'c'] })).toEqual(wrong('names "b, c"; came none'));
    expect(names(left(a), dropped('a', 'b', 'c'))).toEqual(wrong('removed calls only; came "a"'));
  });

  it('need not name what was not removed, rightly or not', () => {
    expect(names(left(a, b), dropped('c'))).toBe('holds');
    expect(names(left(a, b, c))).toBe('shows nothing');
  });
});
