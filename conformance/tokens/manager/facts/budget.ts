/** Facts of `tokens.budget`: exact numbers, and warnings. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import { mismatch, sameValue, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts } from '../../../../src/kit/testee/index.ts';
import { idList, objectsIn, textOf } from './values.ts';

/** A fact of a member of the answer. */
const member =
  (name: string): Fact =>
  (wanted, ok) =>
    sameValue(name, wanted, ok[name]);

/** The number of used tokens: one number, or a list of them when the requirement can be read in several ways. */
const used: Fact = (wanted, { used: came }) => {
  const accepted = isArray(wanted) ? wanted : [wanted];
  return accepted.includes(came ?? null)
    ? 'exercised'
    : mismatch(`used ${accepted.map((one) => shown(one)).join(' or ')}`, shown(came));
};

/** A fact of a member of the advice. */
const advised =
  (name: string): Fact =>
  (wanted, { advice }) =>
    isObject(advice)
      ? sameValue(`advice.${name}`, wanted, advice[name])
      : mismatch('advice as an object', shown(advice));

/** The allowed difference of a ratio. Both ratios are quotients of the same integers. */
const rounding = 1e-9;

const ratio: Fact = (wanted, { ratio: came }) =>
  typeof came === 'number' && Math.abs(came - Number(wanted)) <= rounding
    ? 'exercised'
    : mismatch(`ratio ${shown(wanted)}`, shown(came));

/** The two warnings of a budget. At most one is sent at a time (TOK-23). */
const kinds: readonly unknown[] = ['near-limit', 'scarce'];

/** A fact of warnings: `none`, or the expected warning, with its percent if the test names one. */
const warns: Fact = (wanted, { warnings }) => {
  const came = objectsIn(warnings).filter(({ code }) => kinds.includes(code));
  const codes = idList(came.map(({ code }) => textOf(code)));
  if (!isObject(wanted)) return came.length === 0 ? 'exercised' : mismatch('no warning', codes);
  const { code, percent } = wanted;
  const [first] = came;
  if (first === undefined || came.some((other) => other['code'] !== code))
    return mismatch(`the warning ${shown(code)} and no other`, codes);
  return percent === undefined
    ? 'exercised'
    : sameValue(`percent of ${shown(code)}`, percent, first['percent']);
};

/** The facts of `tokens.budget`. */
export const budgetFacts: Facts = {
  used,
  available: member('available'),
  near: member('near'),
  fits: member('fits'),
  ratio,
  summarize: advised('summarize'),
  prune: advised('prune'),
  maxRequestSize: advised('maxRequestSize'),
  warns,
};
