/** The dispatcher: every request has one answer, whatever its operation does. */
import { describe, expect, it } from 'vitest';
import { RequestRefusal, badInputAnswer, dispatcher } from './operations.ts';
import type { Json } from './json.ts';

const deep = (): Json => {
  let value: Json = [];
  for (let i = 0; i < 200_000; i++) value = [value];
  return value;
};

const testee = dispatcher({
  name: 'mine',
  version: '1.2',
  hello: { features: ['loud'], virtual_time: true },
  operations: {
    'text.length': ({ text = '' }) => ({ length: String(text).length }),
    'text.refuse': () => {
      throw new RequestRefusal('too-long', 'expected less');
    },
    'text.fail': () => {
      throw new Error('out of luck');
    },
    'text.deep': () => ({ deep: deep() }),
  },
});

describe('the dispatcher', () => {
  it('says who the testee is, and what it has', () => {
    expect(testee({ id: 'h', op: 'hello' })).toEqual({
      id: 'h',
      ok: {
        name: 'mine',
        version: '1.2',
        ops: ['hello', 'text.length', 'text.refuse', 'text.fail', 'text.deep'],
        features: ['loud'],
        virtual_time: true,
      },
    });
  });

  it('answers with what the operation gives, under the id of the request', () => {
    expect(testee({ id: 7, op: 'text.length', text: 'abc' })).toEqual({ id: 7, ok: { length: 3 } });
    expect(testee({ op: 'text.length' })).toEqual({ id: null, ok: { length: 0 } });
  });

  it.each([['text.reverse'], ['constructor'], [3], [null], [undefined]])('does not support %j', (op) => {
    expect(testee({ id: 1, ...(op === undefined ? {} : { op }) })).toEqual({ id: 1, unsupported: true });
  });

  it('makes an answer of a refusal, with its code, and of a fault', () => {
    expect(testee({ id: 1, op: 'text.refuse' })).toEqual({
      id: 1,
      error: { code: 'too-long', message: 'expected less' },
    });
    expect(testee({ id: 1, op: 'text.fail' })).toEqual({
      id: 1,
      error: { code: 'internal', message: 'out of luck' },
    });
  });

  it('refuses to give what cannot be written', () => {
    const answer = testee({ id: 1, op: 'text.deep' });
    expect(() => JSON.stringify(answer)).not.toThrow();
    expect(answer).toMatchObject({ error: { code: 'bad-json' } });
  });

  it('has an answer to a line that is no request', () => {
    expect(badInputAnswer('no JSON')).toEqual({ id: null, error: { code: 'bad-input', message: 'no JSON' } });
  });
});
