/** The facts that can be asked of each operation's answers, and the judge of them. */
import { judgeByFacts } from '../../../src/kit/testee/index.ts';
import type { Facts, Judgement } from '../../../src/kit/testee/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { budgetFacts } from './facts/budget.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './facts/messages.ts';
import { responseFacts } from './facts/response.ts';
import { turnFacts } from './facts/turn.ts';

/** By operation, then by the names that tests give them. */
export const factsOf: { readonly [op: string]: Facts } = {
  'tokens.handle_response': responseFacts,
  'tokens.budget': budgetFacts,
  'tokens.estimate': estimateFacts,
  'tokens.prune': pruneFacts,
  'tokens.summarize': summaryFacts,
  'tokens.turn': turnFacts,
};

/**
 * Judges an answer: `expect` are the facts with what they must be. No two token managers need to answer alike, so
 * nothing is judged that a test does not name.
 *
 * @example
 * const request = { op: 'tokens.estimate', messages: [{ role: 'user', content: 'hello' }] };
 * judgeAnswer({ tokens: 12 }, request, { ok: { tokens: 12 } }); // 'exercised'
 * judgeAnswer({ tokens: 12 }, request, { ok: {} }); // { violated: 'expected tokens 12; came nothing' }
 */
export const judgeAnswer: (expect: JsonObject, request: JsonObject, answer: JsonObject) => Judgement =
  judgeByFacts(factsOf);
