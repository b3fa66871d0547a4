/** The parts of an answer as short texts, for the comparison of what the provider said with what the client heard. */
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { promptTokens } from '../compare.ts';
import type { AnswerReading } from '../reading.ts';

/** The parts of a message by their names. One that the message lacks is undefined. */
export type Parts = { readonly [name: string]: string | undefined };

/** A text between quotes: its white space counts. */
export const quotedWhole = (text: string): string | undefined =>
  text === '' ? undefined : JSON.stringify(text);

/** A list in one line; undefined: it is empty. */
export const listed = (items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : items.join(', ');

/** The parts of an answer. */
export function answerParts(reading: AnswerReading): Parts {
  const answer = reading.answer();
  return {
    status: String(reading.status),
    form: reading.streamed ? 'stream' : 'body',
    error: quotedWhole(answer.error?.message ?? ''),
    'retry-after': reading.retryAfter,
    thoughts: quotedWhole(answer.thoughts.map(({ text }) => text).join('')),
    text: quotedWhole(answer.text),
    refusal: quotedWhole(answer.refusal),
    citations: listed(answer.citations.flatMap(({ url }) => url ?? [])),
    calls: listed(answer.calls.map(({ name, text }) => `${name}(${text})`)),
    'ids of calls': listed(answer.calls.map(({ id }) => id ?? 'no id')),
    end: endOf(reading, answer),
    terminals: `${answer.starts} starts, ${answer.terminals} terminals, ${answer.late} pieces after them`,
    usage: usageOf(answer),
    id: answer.id,
    model: answer.model,
  };
}

/** The stop word, or how the answer ended without a terminal. */
function endOf(
  { status, end, streamed }: AnswerReading,
  { stop, terminals, error }: NeutralAnswer,
): string | undefined {
  if (status >= 400) return undefined;
  const sequence = stop?.sequence === undefined ? '' : ` at ${JSON.stringify(stop.sequence)}`;
  const word = stop === undefined ? undefined : `${stop.word}${sequence}`;
  if (terminals > 0) return word ?? 'a terminal';
  if (error !== undefined) return 'an error';
  if (!streamed) return word;
  return end === 'broken' ? 'the connection broke' : 'no terminal';
}

function usageOf(answer: NeutralAnswer): string | undefined {
  const { usage } = answer;
  if (usage === undefined) return undefined;
  const { outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, thinkingTokens = 0 } = usage;
  const cache = [
    ...(cacheReadTokens === 0 ? [] : [`${cacheReadTokens} read from the cache`]),
    ...(cacheWriteTokens === 0 ? [] : [`${cacheWriteTokens} written to it`]),
  ];
  const inside = cache.length === 0 ? '' : ` (${cache.join(', ')})`;
  const thoughts = thinkingTokens === 0 ? '' : ` (${thinkingTokens} of thoughts)`;
  return `${promptTokens(answer) ?? 'no'} in the prompt${inside}, ${outputTokens ?? 'no'} in the output${thoughts}`;
}
