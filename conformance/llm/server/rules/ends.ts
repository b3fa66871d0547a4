/** The rules about the end of answers: LLM-S02, S03, S14, S17 and S26. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ServerView } from '../view.ts';
import { factRule } from './fact-rule.ts';

const oneTerminal = factRule('LLM-S02', (fact, event) => {
  if (fact.type === 'terminal') return exercised(event);
  if (fact.type === 'late' && fact.terminal)
    return violated(event, `expected one terminal; came another: ${fact.what}`);
  if (fact.type !== 'over' || fact.ended !== undefined) return undefined;
  const how = fact.inOrder ? 'ended' : fact.why === '' ? 'was lost' : `was lost (${fact.why})`;
  const last = fact.last === undefined ? '' : `; came ${fact.last}`;
  return violated(event, `expected a terminal or an error; the answer ${how} without either${last}`);
});

/** Fails an answer that is not over when its timeout has passed. */
const endsAtAll = rule({
  requirement: 'LLM-S02',
  listens: [],
  start: () => null,
  step: () => undefined,
  end: (_, { exchanges, timeouts }: ServerView, last) =>
    [...exchanges.values()].flatMap(({ ended, reading: { waiting, finished } }) =>
      ended === undefined && finished === undefined && waiting !== undefined
        ? overdue([{ ...waiting, within: timeouts.step, expected: 'a terminal or an error' }], last)
        : [],
    ),
});

/** A body that ends in order. */
const bodyEnds = factRule('LLM-S26', (fact, event) =>
  fact.type === 'over' && fact.inOrder && fact.ended === 'terminal' ? exercised(event) : undefined,
);

/** A body that does not end: SDKs that read to its end wait forever. */
const bodyEndsSoon = rule({
  requirement: 'LLM-S26',
  listens: [],
  start: () => null,
  step: () => undefined,
  end: (_, { exchanges, timeouts }: ServerView, last) =>
    [...exchanges.values()].flatMap(({ ended, reading: { finished } }) =>
      ended === undefined && finished !== undefined
        ? overdue([{ ...finished, within: timeouts.body_end, expected: 'the end of the body' }], last)
        : [],
    ),
});

const nothingAfter = factRule('LLM-S03', (fact, event) => {
  if (fact.type === 'late' && !fact.terminal)
    return violated(event, `expected nothing after the terminal; came ${fact.what}`);
  return fact.type === 'over' && fact.inOrder && fact.ended === 'terminal' ? exercised(event) : undefined;
});

/** Errors must have the dialect's form, in mid-stream and instead of an answer. */
const errorForm = (requirement: string, midStream: boolean): Rule<ServerView> =>
  factRule(requirement, (fact, event) => {
    if (fact.type !== 'error' || fact.begun !== midStream) return undefined;
    return fact.fault === undefined ? exercised(event) : violated(event, fact.fault);
  });

export const endRules: readonly Rule<ServerView>[] = [
  oneTerminal,
  endsAtAll,
  bodyEnds,
  bodyEndsSoon,
  nothingAfter,
  errorForm('LLM-S14', true),
  errorForm('LLM-S17', false),
];
