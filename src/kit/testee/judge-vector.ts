/** Judges an answer by the members that its vector demands. */
import type { JsonObject } from '../base/index.ts';
import { readAnswer } from './answer.ts';
import { difference, shown } from './difference.ts';
import { mismatch } from './facts.ts';
import type { Judgement } from './rules.ts';
import type { PendingTest } from './view.ts';

/** The demands of a test on its answer. */
export type Demand = Pick<PendingTest, 'result'> & Partial<Pick<PendingTest, 'expect' | 'error'>>;

/**
 * Judges an answer. A `valid` input must be accepted, an `invalid` one refused. The answer must have each member of
 * `expect`. A refusal must have the code `error`, if the test names one.
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
