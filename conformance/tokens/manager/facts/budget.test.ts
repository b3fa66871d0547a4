/** Facts of budgets: numbers are exact except for rounding of quotients; warnings may have more members. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { budgetFacts } from './budget.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';

const judge = (fact: string, wanted: Json, ok: JsonObject): Judgement | undefined =>
  budgetFacts[fact]?.(wanted, ok, {});
const mismatch = (words: string): { violated: string } => ({
  violated: expect.stringContaining(words) as string,
});

describe('a budget', () => {
  it.each(['used', 'available', 'near', 'fits'])('has %s as its own member', (name) => {
    expect(judge(name, 7, { [name]: 7 })).toBe('exercised');
    expect(judge(name, 7, { [name]: 8 })).toEqual(mismatch(`expected ${name} 7; came 8`));
    expect(judge(name, 7, {})).toEqual(mismatch('came nothing'));
  });

  it.each(['summarize', 'prune', 'maxRequestSize'])('has %s in its advice', (name) => {
    expect(judge(name, 7, { advice: { [name]: 7 } })).toBe('exercised');
    expect(judge(name, 7, { advice: { [name]: 8 } })).toEqual(mismatch(`expected advice.${name} 7; came 8`));
    expect(judge(name, 7, { [name]: 7 })).toEqual(mismatch('expected advice as an object; came nothing'));
  });

  it('has a ratio that may differ by floating point rounding', () => {
    expect(judge('ratio', 0.3, { ratio: 0.1 + 0.2 })).toBe('exercised');
    expect(judge('ratio', 0.3, { ratio: 0.31 })).toEqual(mismatch('expected ratio 0.3; came 0.31'));
    expect(judge('ratio', 0, { ratio: null })).toEqual(mismatch('expected ratio 0; came null'));
    expect(judge('ratio', 3, { ratio: '3' })).toEqual(mismatch('came "3"'));
  });
});

describe('TOK-23: the warnings of a budget', () => {
  const near = { code: 'near-limit', percent: 81 };
  const warns = (wanted: Json, ...warnings: readonly JsonObject[]): Judgement | undefined =>
    judge('warns', wanted, { warnings: [...warnings] });

  it('are none, one of the two, or other codes', () => {
    expect(warns('none')).toBe('exercised');
    expect(judge('warns', 'none', {})).toBe('exercised');
    expect(warns('none', { code: 'model-changed' })).toBe('exercised');
    expect(warns(near, { ...near, used: 8100 }, { code: 'model-changed' })).toBe('exercised');
    expect(warns({ code: 'near-limit' }, near)).toBe('exercised');
    expect(warns({ code: 'scarce' }, { code: 'scarce', available: 3 })).toBe('exercised');
  });

  it('are wrong with another code, another percent, or both', () => {
    expect(warns('none', near)).toEqual(mismatch('expected no warning; came "near-limit"'));
    expect(warns(near)).toEqual(mismatch('expected the warning "near-limit" and no other; came none'));
    expect(warns(near, { code: 'near-limit', percent: 80.5 })).toEqual(
      mismatch('expected percent of "near-limit" 81'),
    );
    expect(warns({ code: 'scarce' }, near, { code: 'scarce' })).toEqual(
      mismatch('came "near-limit, scarce"'),
    );
  });
});
