/** The rules about the end of answers: LLM-S02, S03, S14 and S17. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ServerView } from '../view.ts';
import { factRule } from './fact-rule.ts';

const oneTerminal = factRule('LLM-S02', (fact, event) => {
  if (fact.type === 'terminal') return exercised(event);
  if (fact.type === 'late' && fact.terminal)
    return violated(event, `expected one terminal; came another: ${fact.what}`);
  if (fact.type !== 'over' || fact.ended !== undefined) return undefined;
  const how = fact.inOrder ? 'ended' : 'was lost';
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
    [...exchanges.values()].flatMap(({ ended, reading: { waiting } }) =>
      ended === undefined && waiting !== undefined
        ? overdue([{ ...waiting, within: timeouts.step, expected: 'a terminal or an error' }], last)
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

/** The rules of this theme. */
export const endRules: readonly Rule<ServerView>[] = [
  oneTerminal,
  endsAtAll,
  nothingAfter,
  errorForm('LLM-S14', true),
  errorForm('LLM-S17', false),
];
