/** Makes a rule that judges an answer at its terminal. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { Answer } from '../answer.ts';
import type { ServerView } from '../view.ts';
import { factRule } from './fact-rule.ts';

/** A rule that judges an answer at its terminal. */
export const answerRule = (
  requirement: string,
  judge: (answer: Answer, event: TraceEvent) => Finding | undefined,
): Rule<ServerView> =>
  factRule(requirement, (fact, event) => (fact.type === 'terminal' ? judge(fact.answer, event) : undefined));

/** The limit, if the count of output tokens reached it. */
export function limitReached({ request, counts }: Answer): number | undefined {
  const limit = request?.maxTokens;
  return limit !== undefined && counts?.output === limit ? limit : undefined;
}
