/**
 * Judges one answer of a testee: whether the facts that a test names hold of it. No two token managers need to answer
 * alike, so nothing is judged that a test does not name.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Outcome } from '../../testee-rules.ts';
import { shown } from '../../toon/codec/judge-json.ts';
import { budgetFacts } from './facts/budget.ts';
import { estimateFacts, pruneFacts, summaryFacts } from './facts/messages.ts';
import type { Fact, Facts } from './facts/outcome.ts';
import { responseFacts } from './facts/response.ts';
import { turnFacts } from './facts/turn.ts';

/** The facts that can be asked of an operation's answers. */
export const factsOf: { readonly [op: string]: Facts } = {
  'tokens.handle_response': responseFacts,
  'tokens.budget': budgetFacts,
  'tokens.estimate': estimateFacts,
  'tokens.prune': pruneFacts,
  'tokens.summarize': summaryFacts,
  'tokens.turn': turnFacts,
};

/**
 * Judges an answer: `request` is `{id, op, …input}`, `answer` is `{id, ok | error | unsupported}`, `expect` the facts
 * with what they must be. All requests of this suite are valid: a refusal is never right.
 *
 * @example
 * const request = { op: 'tokens.estimate', messages: [{ role: 'user', content: 'hello' }] };
 * judgeAnswer({ tokens: 12 }, request, { ok: { tokens: 12 } }); // 'holds'
 * judgeAnswer({ tokens: 12 }, request, { ok: {} }); // { wrong: 'expected tokens 12; came nothing' }
 */
export function judgeAnswer(expect: JsonObject, request: JsonObject, answer: JsonObject): Outcome {
  const ok = saying(answer);
  if (typeof ok === 'string') return { wrong: ok };
  const { op } = request;
  const facts = typeof op === 'string' && Object.hasOwn(factsOf, op) ? factsOf[op] : undefined;
  const outcomes = Object.entries(expect).map(([name, wanted]): Outcome => {
    const fact: Fact | undefined =
      facts !== undefined && Object.hasOwn(facts, name) ? facts[name] : undefined;
    // A recording of a newer kit may demand what this one cannot judge.
    return fact === undefined ? 'shows nothing' : fact(wanted, ok, request);
  });
  const wrong = outcomes.find((outcome) => typeof outcome === 'object');
  if (wrong !== undefined) return wrong;
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'holds') ? 'holds' : 'shows nothing';
}

/** What was said to a request; a text: what was wrong with saying it. */
function saying({ ok, error, unsupported }: JsonObject): JsonObject | string {
  if (unsupported === true) return 'expected an answer; the testee does not support the operation';
  const failed = error !== undefined && error !== null;
  if (ok !== undefined && failed) return 'expected ok or error; came both';
  if (isObject(ok)) return ok;
  if (ok !== undefined) return `expected an object as ok; came ${shown(ok)}`;
  if (!failed) return 'expected ok or error; came neither';
  const { code, message } = isObject(error) ? error : {};
  return `expected ok; came a refusal: code ${shown(code)}, message ${shown(message)}`;
}
