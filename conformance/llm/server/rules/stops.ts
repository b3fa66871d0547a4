/** The rules about stop words: LLM-S23 (a word of the dialect) and LLM-S34 (the word for calls). */
import { isObject } from '../../../../src/kit/base/index.ts';
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { Answer } from '../answer.ts';
import { at } from '../dialects/reader.ts';
import { stageOf } from '../stop-words.ts';
import { shown } from '../words.ts';
import type { ServerView } from '../view.ts';
import { answerRule, limitReached } from './answer-rule.ts';

/** An answer that used all of its limit may be cut: LLM-S10 judges its word. */
const endsBesideCalls = (answer: Answer): boolean =>
  answer.stop?.kind === 'end' &&
  limitReached(answer) === undefined &&
  [...answer.calls.values()].some((call) => call.complete);

/** LM Studio's own SDK runs the calls of an answer whatever the word is. */
const isDialectWord = answerRule('LLM-S23', (answer, event) => {
  const { stop, request } = answer;
  if (stop === undefined) return undefined;
  const { word, kind } = stop;
  // Ollama leaves the word out where it has none.
  if (kind === 'unknown' && typeof word === 'string' && stageOf(request?.dialect, word) === undefined)
    return violated(event, `expected a stop word of the dialect; came ${shown(word)}`);
  if (request?.dialect === 'lmstudio' && endsBesideCalls(answer))
    return violated(event, `expected toolCalls beside a call; came ${shown(word)}`);
  return exercised(event);
});

/** What the dialects with a word for calls say beside them. OpenAI Responses and Ollama have no such word. */
const callWords: ReadonlyMap<unknown, string> = new Map([
  ['anthropic', 'tool_use'],
  ['bedrock', 'tool_use'],
  ['openai-chat', 'tool_calls'],
]);

/**
 * Whether OpenAI Chat may say `stop` beside the calls of an answer to this request: it names the tool (FACTS.md), or some
 * tool must be called (Mirascope/mirascope#256). Of several choices, one may have a call and another none.
 */
function mayStop(asked: unknown): boolean {
  const choice = at(asked, 'tool_choice');
  const isForced = choice === 'required' || isObject(choice) || isObject(at(asked, 'function_call'));
  return isForced || Number(at(asked, 'n')) > 1;
}

const saysCalls = answerRule('LLM-S34', (answer, event) => {
  const { stop, request, asked } = answer;
  const word = callWords.get(request?.dialect);
  if (stop === undefined || word === undefined) return undefined;
  if (!endsBesideCalls(answer))
    return stop.kind === 'tool' && answer.calls.size > 0 ? exercised(event) : undefined;
  if (request?.dialect === 'openai-chat' && mayStop(asked)) return undefined;
  return violated(
    event,
    `expected ${word} beside a complete call, because programs run no call beside another word; came ${shown(stop.word)}`,
  );
});

export const stopRules: readonly Rule<ServerView>[] = [isDialectWord, saysCalls];
