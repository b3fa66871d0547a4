/** The rules about true stop reasons, arguments, counts and texts: LLM-S10 to S13, S24 and S31. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { Answer } from '../answer.ts';
import { argumentsFault } from '../arguments-fault.ts';
import { shown } from '../words.ts';
import type { ServerView } from '../view.ts';
import { answerRule, limitReached } from './answer-rule.ts';
import { factRule } from './fact-rule.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of complete content: a sentence, a quotation, a list. */
const completeEnd = /[.!?…。！？)\]}"'”’»`*]\s*$/u;

/** Whether the last call is incomplete. Without calls: whether the content breaks off. */
function isCutShort({ calls, tail }: Answer): boolean {
  const last = [...calls.values()].at(-1);
  if (last === undefined) return !completeEnd.test(tail);
  return !last.complete || (!last.custom && !parses(last.text));
}

/** A model may end with its last token, so an answer that is not cut short may have any reason. */
const judgeStop = answerRule('LLM-S10', (answer, event) => {
  const { stop, calls } = answer;
  if (stop === undefined) return undefined;
  const { word, kind } = stop;
  const limit = limitReached(answer);
  if (limit !== undefined && kind !== 'limit' && kind !== 'other' && isCutShort(answer))
    return violated(
      event,
      `expected the dialect's word for the limit, because all ${limit} output tokens were used and the answer is cut short; came ${shown(word)}`,
    );
  if (kind === 'tool' && calls.size === 0)
    return violated(
      event,
      `expected the stop reason ${shown(word)} only beside a tool call; the answer has no call`,
    );
  return limit !== undefined && kind === 'limit' ? exercised(event) : undefined;
});

/** The input of a call that was cut before its first character, in a dialect whose inputs are objects. */
const noInput = '{}';

const countsOutput = answerRule('LLM-S24', ({ counts, size, calls }, event) => {
  const unsaid = [...calls.values()].filter(({ text }) => text === noInput).length * noInput.length;
  if (size <= unsaid || counts?.output === undefined) return undefined;
  return counts.output === 0
    ? violated(event, `expected a count of output tokens above 0 for ${size} bytes of content; came 0`)
    : exercised(event);
});

/** A call that the limit cut is not complete. LLM-S10 judges its stop reason. */
const argumentsParse = factRule('LLM-S11', (fact, event) => {
  if (fact.type !== 'terminal') return undefined;
  const { answer } = fact;
  const kind = answer.stop?.kind;
  const mayBeCut =
    limitReached(answer) !== undefined || kind === undefined || kind === 'limit' || kind === 'other';
  const calls = [...answer.calls];
  const judged = calls.filter(
    ([, call], i) =>
      call.complete && !call.custom && !(mayBeCut && i === calls.length - 1 && !parses(call.text)),
  );
  // The reader of the dialect names arguments of another type.
  const faults = judged.flatMap(([, { text }]) => argumentsFault(text) ?? []);
  const [fault] = faults;
  if (fault !== undefined) return violated(event, fault);
  return judged.length > 0 ? exercised(event) : undefined;
});

/** The most bytes of content in a token, on average over an answer, and a margin for a few long tokens. */
const bytesPerToken = 16;
const bytesMore = 64;

/**
 * The most words of an answer with a limit. A word here has three Latin letters or more, and white space around it. Every
 * known tokenizer makes at least one token of such a word, but for a few that have tokens for frequent phrases ("by the
 * way"): these save less than a fifth of the tokens of English text. So a quarter, and two words, are allowed above the
 * limit.
 */
const wordsAllowed = (limit: number): number => Math.floor(limit * 1.25) + 2;

/** The server defines its tokens, but a token is not as long as a sentence, and not several words. */
const keepsLimit = answerRule('LLM-S12', ({ request, size, stop, written: { words } }, event) => {
  const limit = request?.maxTokens;
  if (limit === undefined) return undefined;
  if (words > wordsAllowed(limit))
    return violated(
      event,
      `expected at most ${limit} output tokens; came ${words} words, and a word is a token or more`,
    );
  if (size > limit * bytesPerToken + bytesMore)
    return violated(
      event,
      `expected at most ${limit} output tokens; came ${size} bytes of content, more than ${bytesPerToken} a token`,
    );
  return stop?.kind === 'limit' ? exercised(event) : undefined;
});

const tellsUsage = answerRule('LLM-S13', ({ usageOwed, counts, request }, event) => {
  if (!usageOwed) return undefined;
  if (counts === undefined) return violated(event, 'expected usage in the answer; it is missing');
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

/** xAI counts thoughts in the total that the count of output does not include. LLM-S13 names false summands. */
const addsUp = answerRule('LLM-S24', ({ counts, request }, event) => {
  const { input, output, total, reasoning = 0 } = counts ?? {};
  if (typeof input !== 'number' || typeof output !== 'number' || typeof total !== 'number') return undefined;
  if (input < 0 || output < 0 || output > (request?.maxTokens ?? Infinity)) return undefined;
  const sum = input + output;
  if (total === sum || total === sum + Number(reasoning)) return exercised(event);
  return violated(
    event,
    `expected usage.total_tokens to be ${sum}, the sum of ${input} and ${output}; came ${total}`,
  );
});

/** A model may repeat the U+FFFD of its prompt. */
const keepsCharacters = answerRule('LLM-S31', ({ request, asked, written }, event) => {
  const { replaced, beyondAscii } = written;
  if (!beyondAscii) return undefined;
  if (replaced === undefined) return exercised(event);
  if (JSON.stringify(asked ?? request ?? '').includes('\uFFFD')) return undefined;
  return violated(
    event,
    `expected the characters of the model; came U+FFFD, which stands for lost bytes: ${shown(replaced)}`,
  );
});

export const truthRules: readonly Rule<ServerView>[] = [
  judgeStop,
  argumentsParse,
  keepsLimit,
  tellsUsage,
  countsOutput,
  addsUp,
  keepsCharacters,
];
