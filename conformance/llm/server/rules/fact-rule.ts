/** Makes the rules of servers. A rule judges the facts of the current event, one by one. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { rule } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Fact } from '../answer.ts';
import type { ServerView } from '../view.ts';

/** Judges a fact for a requirement. `state` belongs to the rule. */
export type JudgeFact<S> = (fact: Fact, event: TraceEvent, state: S) => Finding | undefined;

function judged<S>(judge: JudgeFact<S>, state: S, event: TraceEvent, facts: readonly Fact[]): Findings {
  let found: Finding[] | undefined;
  for (const fact of facts) {
    const finding = judge(fact, event, state);
    if (finding !== undefined) (found ??= []).push(finding);
  }
  return found;
}

/** Makes a rule without memory. */
export const factRule = (requirement: string, judge: JudgeFact<null>): Rule<ServerView> =>
  factRuleWith(requirement, () => null, judge);

/** Makes a rule with a state of its own. */
export const factRuleWith = <S>(requirement: string, start: () => S, judge: JudgeFact<S>): Rule<ServerView> =>
  rule({
    requirement,
    listens: ['answer'],
    start,
    step: (state, event, { facts }: ServerView) => judged(judge, state, event, facts),
  });
