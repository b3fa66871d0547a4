/** Judges an answer by what its vector says, for operations whose answer the vector holds member by member. */
import type { JsonObject } from '../base/index.ts';
import { readAnswer } from './answer.ts';
import { difference, shown } from './difference.ts';
import { mismatch } from './facts.ts';
import type { Judgement } from './rules.ts';
import type { PutTest } from './view.ts';

/** The part of a test that says what its answer must be. */
export type Demand = Pick<PutTest, 'result'> & Partial<Pick<PutTest, 'expect' | 'error'>>;

/**
 * A `valid` input must be taken, an `invalid` one refused; each member of `expect` must be in the answer, and a refusal
 * must have the code `error` where the test names one.
 *
 * @example
 * judgeVector({ result: 'valid', expect: { length: 3 } }, { ok: { length: 3, unit: 'byte' } }); // 'exercised'
 * judgeVector({ result: 'invalid' }, { ok: {} }); // { violated: 'expected a refusal; came ok with {}' }
 */
export function judgeVector({ result, expect = {}, error }: Demand, answer: JsonObject): Judgement {
  const read = readAnswer(answer);
  if (typeof read === 'string') return { violated: read };
  if ('ok' in read) {
    if (result === 'invalid') return mismatch('a refusal', `ok with ${shown(read.ok)}`);
    const wrong = Object.entries(expect).flatMap(
      ([name, wanted]) => difference(name, wanted, read.ok[name]) ?? [],
    );
    return wrong[0] === undefined ? 'exercised' : { violated: wrong[0] };
  }
  const { code, message } = read;
  if (result === 'valid') return mismatch('ok', `a refusal: code ${shown(code)}, message ${shown(message)}`);
  return error === undefined || error === code
    ? 'exercised'
    : mismatch(`a refusal with code ${error}`, shown(code));
}
