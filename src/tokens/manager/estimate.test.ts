/** The estimate: a quarter of the UTF-16 units, rounded up, and 10 a message (TOK-25). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import { brokenHistories } from '../arbitrary.ts';
import { estimateMessage, estimateTokens, jsonLength } from './estimate.ts';

describe('the estimate', () => {
  it.each([
    ['', 10],
    ['1234', 11],
    ['12345', 12],
    ['😀😀', 11],
  ])('of a message with %j is %i', (content, tokens) => {
    expect(estimateTokens([{ role: 'user', content }])).toBe(tokens);
  });

  it('counts calls and results by their JSON', () => {
    const toolCalls = [{ id: 'c', name: 'read', input: { path: '/a' } }];
    // [{"id":"c","name":"read","input":{"path":"/a"}}] has 48 units.
    expect(estimateMessage({ role: 'assistant', content: 'abcd', toolCalls })).toBe(10 + 1 + 12);
    const toolResults = [{ id: 'c', content: 'ok', isError: false }];
    // [{"id":"c","content":"ok","isError":false}] has 43 units.
    expect(estimateMessage({ role: 'user', content: '', toolResults })).toBe(10 + 11);
  });

  it('counts an empty list as none', () => {
    expect(estimateMessage({ role: 'user', content: '', toolCalls: [], toolResults: [] })).toBe(10);
  });

  it('is the sum of its messages, and none of nothing', () => {
    expect(estimateTokens([])).toBe(0);
    fc.assert(
      fc.property(brokenHistories, brokenHistories, (a, b) => {
        expect(estimateTokens([...a, ...b])).toBe(estimateTokens(a) + estimateTokens(b));
      }),
    );
  });
});

describe('the length of JSON', () => {
  it('is that of what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonLength(value as Json)).toBe(JSON.stringify(value).length);
      }),
    );
  });

  it('is known at a depth that JSON.stringify cannot reach', () => {
    let deep: Json = 1;
    for (let i = 0; i < 200_000; i++) deep = [deep];
    expect(() => JSON.stringify(deep)).toThrow(RangeError);
    expect(jsonLength(deep)).toBe(400_001);
  });
});
