/** Facts of `tokens.budget`: numbers, which are exact, and warnings. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { mismatch, sameValue, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts } from '../../../../src/kit/testee/index.ts';
import { listed, objectsIn, textOf } from './values.ts';

/** A member of the answer itself. */
const member =
  (name: string): Fact =>
  (wanted, ok) =>
    sameValue(name, wanted, ok[name]);

/** A member of its advice. */
const advised =
  (name: string): Fact =>
  (wanted, { advice }) =>
    isObject(advice)
      ? sameValue(`advice.${name}`, wanted, advice[name])
      : mismatch('advice as an object', shown(advice));

/** How far a ratio may be from the one expected: both are quotients of the same whole numbers. */
const rounding = 1e-9;

const ratio: Fact = (wanted, { ratio: came }) =>
  typeof came === 'number' && Math.abs(came - Number(wanted)) <= rounding
    ? 'exercised'
    : mismatch(`ratio ${shown(wanted)}`, shown(came));

/** The two warnings of a budget: one at a time, or none (TOK-23). */
const kinds: readonly unknown[] = ['near-limit', 'scarce'];

/** `none`, or the one warning that there must be, with its percent where that is said. */
const warns: Fact = (wanted, { warnings }) => {
  const came = objectsIn(warnings).filter(({ code }) => kinds.includes(code));
  const codes = listed(came.map(({ code }) => textOf(code)));
  if (!isObject(wanted)) return came.length === 0 ? 'exercised' : mismatch('no warning', codes);
  const { code, percent } = wanted;
  const [first] = came;
  if (first === undefined || came.some((other) => other['code'] !== code))
    return mismatch(`the warning ${shown(code)} and no other`, codes);
  return percent === undefined
    ? 'exercised'
    : sameValue(`percent of ${shown(code)}`, percent, first['percent']);
};

/** What tests ask of `tokens.budget`. */
export const budgetFacts: Facts = {
  used: member('used'),
  available: member('available'),
  near: member('near'),
  fits: member('fits'),
  ratio,
  summarize: advised('summarize'),
  prune: advised('prune'),
  maxRequestSize: advised('maxRequestSize'),
  warns,
};
