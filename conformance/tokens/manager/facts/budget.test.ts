/** Facts of budgets: numbers are exact, but for what a quotient loses; warnings may say more. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { budgetFacts } from './budget.ts';
import type { Outcome } from '../../../testee-rules.ts';

const judge = (fact: string, wanted: Json, ok: JsonObject): Outcome | undefined =>
  budgetFacts[fact]?.(wanted, ok, {});
const wrong = (words: string): { wrong: string } => ({ wrong: expect.stringContaining(words) as string });

describe('a budget', () => {
  it.each(['used', 'available', 'near', 'fits'])('says %s by itself', (name) => {
    expect(judge(name, 7, { [name]: 7 })).toBe('holds');
    expect(judge(name, 7, { [name]: 8 })).toEqual(wrong(`expected ${name} 7; came 8`));
    expect(judge(name, 7, {})).toEqual(wrong('came nothing'));
  });

  it.each(['summarize', 'prune', 'maxRequestSize'])('says %s in its advice', (name) => {
    expect(judge(name, 7, { advice: { [name]: 7 } })).toBe('holds');
    expect(judge(name, 7, { advice: { [name]: 8 } })).toEqual(wrong(`expected advice.${name} 7; came 8`));
    expect(judge(name, 7, { [name]: 7 })).toEqual(wrong('expected advice as an object; came nothing'));
  });

  it('has a ratio that may be off by what floating point loses', () => {
    expect(judge('ratio', 0.3, { ratio: 0.1 + 0.2 })).toBe('holds');
    expect(judge('ratio', 0.3, { ratio: 0.31 })).toEqual(wrong('expected ratio 0.3; came 0.31'));
    expect(judge('ratio', 0, { ratio: null })).toEqual(wrong('expected ratio 0; came null'));
    expect(judge('ratio', 3, { ratio: '3' })).toEqual(wrong('came "3"'));
  });
});

describe('TOK-23: the warnings of a budget', () => {
  const near = { code: 'near-limit', percent: 81 };
  const warns = (wanted: Json, ...warnings: readonly JsonObject[]): Outcome | undefined =>
    judge('warns', wanted, { warnings: [...warnings] });

  it('are none, one of the two, or others that are not its own', () => {
    expect(warns('none')).toBe('holds');
    expect(judge('warns', 'none', {})).toBe('holds');
    expect(warns('none', { code: 'model-changed' })).toBe('holds');
    expect(warns(near, { ...near, used: 8100 }, { code: 'model-changed' })).toBe('holds');
    expect(warns({ code: 'near-limit' }, near)).toBe('holds');
    expect(warns({ code: 'scarce' }, { code: 'scarce', available: 3 })).toBe('holds');
  });

  it('are wrong with another code, another percent, or both', () => {
    expect(warns('none', near)).toEqual(wrong('expected no warning; came "near-limit"'));
    expect(warns(near)).toEqual(wrong('expected the warning "near-limit" and no other; came none'));
    expect(warns(near, { code: 'near-limit', percent: 80.5 })).toEqual(
      wrong('expected percent of "near-limit" 81'),
    );
    expect(warns({ code: 'scarce' }, near, { code: 'scarce' })).toEqual(wrong('came "near-limit, scarce"'));
  });
});
