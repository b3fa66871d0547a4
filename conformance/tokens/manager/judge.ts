/** The facts of each operation's answers, and their judge. */
import { judgeByFacts } from '../../../src/kit/testee/index.ts';
import type { Facts, Judgement } from '../../../src/kit/testee/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { budgetFacts } from './facts/budget.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './facts/messages.ts';
import { responseFacts } from './facts/response.ts';
import { turnFacts } from './facts/turn.ts';

/** The facts by operation, then by their name in tests. */
export const factsOf: { readonly [op: string]: Facts } = {
  'tokens.handle_response': responseFacts,
  'tokens.budget': budgetFacts,
  'tokens.estimate': estimateFacts,
  'tokens.prune': pruneFacts,
  'tokens.summarize': summaryFacts,
  'tokens.turn': turnFacts,
};

/**
 * Judges an answer by the facts in `expect`. Only these facts are judged, because token managers may answer in
 * different ways.
 *
 * @example
 * const request = { op: 'tokens.estimate', messages: [{ role: 'user', content: 'hello' }] };
 * judgeAnswer({ tokens: 12 }, request, { ok: { tokens: 12 } }); // 'exercised'
 * judgeAnswer({ tokens: 12 }, request, { ok: {} }); // { violated: 'expected tokens 12; came nothing' }
 */
export const judgeAnswer: (expect: JsonObject, request: JsonObject, answer: JsonObject) => Judgement =
  judgeByFacts(factsOf);
