/** Verdicts on single answers of any operation, by the testee protocol. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { judgeAnswer } from './judge.ts';

const request: JsonObject = { op: 'tokens.estimate', messages: [{ role: 'user', content: 'hello' }] };
/** 10 + ceil(5 / 4) (TOK-25). */
const demanded: JsonObject = { tokens: 12 };

describe('an answer', () => {
  it('is accepted when its facts are as expected, with any other members', () => {
    expect(judgeAnswer(demanded, request, { ok: { tokens: 12 } })).toBe('exercised');
    expect(judgeAnswer(demanded, request, { ok: { tokens: 12, model: 'x' }, error: null })).toBe('exercised');
  });

  it('is wrong with a message that names expected and received values', () => {
    expect(judgeAnswer(demanded, request, { ok: { tokens: 13 } })).toEqual({
      violated: 'expected tokens 12; came 13',
    });
    expect(judgeAnswer(demanded, request, { ok: { tokens: '12' } })).toEqual({
      violated: 'expected tokens 12; came "12"',
    });
  });

  it.each<[string, JsonObject, string]>([
    ['neither ok nor error', {}, 'expected ok or error; came neither'],
    ['an error that is null', { error: null }, 'expected ok or error; came neither'],
    ['both', { ok: demanded, error: { code: 'x' } }, 'expected ok or error; came both'],
    ['ok that is not an object', { ok: true }, 'expected an object as ok; came true'],
    ['unsupported', { unsupported: true }, 'the testee does not support the operation'],
    [
      'a refusal, since every request is valid',
      { error: { code: 'bad-input', message: 'what?' } },
      'expected ok; came a refusal: code "bad-input", message "what?"',
    ],
    ['a refusal as a text', { error: 'no' }, 'expected ok; came a refusal: code nothing'],
  ])('that is %s is always wrong', (_, answer, words) => {
    expect(judgeAnswer(demanded, request, answer)).toEqual({
      violated: expect.stringContaining(words) as string,
    });
  });

  it('exercises nothing without expected facts, or with facts unknown to this kit', () => {
    expect(judgeAnswer({}, request, { ok: {} })).toBe(undefined);
    expect(judgeAnswer({ price: 3 }, request, { ok: { price: 3 } })).toBe(undefined);
    expect(judgeAnswer({ ...demanded, price: 3 }, request, { ok: { tokens: 12 } })).toBe(undefined);
    expect(judgeAnswer(demanded, { ...request, op: 'tokens.guess' }, { ok: demanded })).toBe(undefined);
    expect(judgeAnswer({ constructor: 1 }, request, { ok: {} })).toBe(undefined);
  });

  it('is wrong when one fact is wrong', () => {
    expect(judgeAnswer({ price: 3, ...demanded }, request, { ok: { tokens: 1 } })).toMatchObject({
      violated: expect.any(String) as string,
    });
  });
});
