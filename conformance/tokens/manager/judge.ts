/** The facts of each operation's answers, and their judge. */
import { exactAnswer, judgeByFacts, rounded } from '../../../src/kit/testee/index.ts';
import type { Facts, Judgement } from '../../../src/kit/testee/index.ts';
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { budgetFacts } from './facts/budget.ts';
import { judgeAnswerDigits } from './facts/digits.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './facts/messages.ts';
import { responseFacts } from './facts/response.ts';
import { turnFacts } from './facts/turn.ts';

/** The facts by operation, then by their name in tests. `digits` is a fact of three operations besides. */
export const factsOf: { readonly [op: string]: Facts } = {
  'tokens.handle_response': responseFacts,
  'tokens.budget': budgetFacts,
  'tokens.estimate': estimateFacts,
  'tokens.prune': pruneFacts,
  'tokens.summarize': summaryFacts,
  'tokens.turn': turnFacts,
};

const judgeFacts = judgeByFacts(factsOf);

/**
 * Judges an answer by the facts in `expect`. Only these facts are judged, because token managers may answer in
 * different ways.
 *
 * @param line - the answer as it came, where decoding may have changed a number
 * @example
 * const request = { op: 'tokens.estimate', messages: [{ role: 'user', content: 'hello' }] };
 * judgeAnswer({ tokens: 12 }, request, { ok: { tokens: 12 } }); // 'exercised'
 * judgeAnswer({ tokens: 12 }, request, { ok: {} }); // { violated: 'expected tokens 12; came nothing' }
 */
export function judgeAnswer(
  { digits, ...facts }: JsonObject,
  request: JsonObject,
  answer: JsonObject,
  line?: string,
): Judgement {
  if (digits === undefined) return judgeFacts(facts, request, answer);
  // The other facts see doubles, in the request as in the answer.
  const judgement = judgeFacts(facts, asDoubles(request), asDoubles(answer));
  return judgement === 'exercised' || judgement === undefined
    ? judgeAnswerDigits(digits, exactAnswer(answer, line))
    : judgement;
}

/** The same object, whose integers are doubles. */
function asDoubles(object: JsonObject): JsonObject {
  const doubles = rounded(object);
  return isObject(doubles) ? doubles : object;
}
