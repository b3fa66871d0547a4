/** Whether an answer tells the truth of itself when its terminal comes: LLM-S10 to S13. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../answer.ts';
import type { ServerView } from '../view.ts';
import { factRule } from './fact-rule.ts';

/** A rule about whole answers. */
const answerRule = (
  requirement: string,
  judge: (answer: Answer, event: TraceEvent) => Finding | undefined,
): Rule<ServerView> =>
  factRule(requirement, (fact, event) => (fact.type === 'terminal' ? judge(fact.answer, event) : undefined));

/** The limit, where the count of output tokens says that it was reached. */
function limitReached({ request, counts }: Answer): number | undefined {
  const limit = request?.maxTokens;
  return limit !== undefined && counts?.output === limit ? limit : undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How content ends that nothing cuts: with a sentence, a quotation, a list. */
const finished = /[.!?…。！？)\]}"'”’»`*]\s*$/u;

/** Whether the last call is not whole; without calls, whether the content breaks off. */
function cutShort({ calls, tail }: Answer): boolean {
  const last = [...calls.values()].at(-1);
  return last === undefined ? !finished.test(tail) : !last.complete || !parses(last.text);
}

/** A model may come to its end with its last token: an answer that is not cut short may have any reason. */
const trueStop = answerRule('LLM-S10', (answer, event) => {
  const { stop, calls } = answer;
  if (stop === undefined) return undefined;
  const { word, kind } = stop;
  const limit = limitReached(answer);
  if (limit !== undefined && kind !== 'limit' && kind !== 'other' && cutShort(answer))
    return violated(
      event,
      `expected the dialect's word for the limit, for all ${limit} output tokens were used, and the answer is cut short; came ${shown(word)}`,
    );
  if (kind === 'tool' && calls.size === 0)
    return violated(event, `expected ${shown(word)} only where a tool is called; no call came`);
  return limit !== undefined && kind === 'limit' ? exercised(event) : undefined;
});

/** A call that the limit cut is not complete, whatever is said of it: that is LLM-S10. */
const argumentsParse = factRule('LLM-S11', (fact, event) => {
  if (fact.type !== 'terminal') return undefined;
  const { answer } = fact;
  const kind = answer.stop?.kind;
  const mayBeCut =
    limitReached(answer) !== undefined || kind === undefined || kind === 'limit' || kind === 'other';
  const calls = [...answer.calls];
  const judged = calls.filter(
    ([, call], i) => call.complete && !(mayBeCut && i === calls.length - 1 && !parses(call.text)),
  );
  const broken = judged.find(([, { text }]) => !parses(text));
  if (broken === undefined) return judged.length > 0 ? exercised(event) : undefined;
  const [key, { text }] = broken;
  return violated(
    event,
    `expected JSON as arguments of the call ${key}, which is complete; came ${shown(text)}`,
  );
});

/** Bytes of content that one token holds at most, on average over an answer; and some more, for a few that are long. */
const bytesPerToken = 16;
const bytesMore = 64;

/** What a token is, the server decides; but it does not hold a sentence. */
const keepsLimit = answerRule('LLM-S12', ({ request, size, stop }, event) => {
  const limit = request?.maxTokens;
  if (limit === undefined) return undefined;
  if (size > limit * bytesPerToken + bytesMore)
    return violated(
      event,
      `expected at most ${limit} output tokens; came ${size} bytes of content, more than ${bytesPerToken} a token`,
    );
  return stop?.kind === 'limit' ? exercised(event) : undefined;
});

const tellsUsage = answerRule('LLM-S13', ({ usageOwed, counts, request }, event) => {
  if (!usageOwed) return undefined;
  if (counts === undefined) return violated(event, 'expected usage in the answer; came none');
  for (const name of ['input', 'output'] as const) {
    const count = counts[name];
    if (!Number.isSafeInteger(count) || Number(count) < 0)
      return violated(event, `expected a count of ${name} tokens, 0 or more; came ${shown(count)}`);
  }
  const limit = request?.maxTokens;
  if (limit !== undefined && Number(counts.output) > limit)
    return violated(event, `expected at most ${limit} output tokens in usage; came ${Number(counts.output)}`);
  return exercised(event);
});

/** The rules of this theme. */
export const truthRules: readonly Rule<ServerView>[] = [trueStop, argumentsParse, keepsLimit, tellsUsage];
