/** Usage: LLM-G19, G20 and G21. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, Usage } from '../../../../src/kit/base/index.ts';
import { promptTokens } from '../compare.ts';
import { broken, held } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { asksForStream } from './answered.ts';
import type { AnswerCheck, Answered } from './answered.ts';

const includesUsage = (body: Json | undefined): boolean => {
  const options = isObject(body) ? body['stream_options'] : undefined;
  return isObject(options) && options['include_usage'] === true;
};

/** Whether the client must get usage: only Chat Completions leaves it to the client, in streams. */
const owesUsage = ({ above }: Answered): boolean =>
  above.dialect !== 'openai-chat' || !asksForStream(above) || includesUsage(above.body);

/** LLM-G19: the tokens of the whole prompt and of the output, counted once. */
export const counts: AnswerCheck = (answered) => {
  const { sent, heard } = answered;
  const prompt = promptTokens(sent);
  const output = sent.usage?.outputTokens;
  if (prompt === undefined || output === undefined) return [];
  if (heard.usage === undefined)
    return owesUsage(answered)
      ? [broken('LLM-G19', `expected ${prompt} and ${output} tokens; came no usage`)]
      : [];
  const came = [promptTokens(heard) ?? 0, heard.usage.outputTokens ?? 0];
  const isSame = came[0] === prompt && came[1] === output;
  return [
    held(
      'LLM-G19',
      isSame,
      () =>
        `expected ${prompt} tokens of the prompt and ${output} of the output; came ${came[0] ?? 0} and ${came[1] ?? 0}`,
    ),
  ];
};

/** The parts of the usage that dialects name apart, in words. */
const parts: readonly (readonly [part: keyof Usage, words: string])[] = [
  ['cacheReadTokens', 'read from the cache'],
  ['cacheWriteTokens', 'written to the cache'],
  ['thinkingTokens', 'of thoughts'],
];

/** LLM-G20: the parts that both dialects have. */
export const splits: AnswerCheck = ({ above, sent, heard }) => {
  if (above.dialect === 'ollama' || heard.usage === undefined) return [];
  return parts.flatMap(([part, words]): GatewayFact[] => {
    const due = sent.usage?.[part] ?? 0;
    const came = heard.usage?.[part] ?? 0;
    return due === 0
      ? []
      : [held('LLM-G20', came === due, () => `expected ${due} tokens ${words}; came ${came}`)];
  });
};

/** LLM-G21: a provider of Chat Completions is asked for the usage of its stream. */
export const asksForUsage: AnswerCheck = (answered) => {
  const { below } = answered;
  const streams = isObject(below.body) && below.body['stream'] === true;
  if (below.dialect !== 'openai-chat' || !streams || !owesUsage(answered)) return [];
  return [
    held(
      'LLM-G21',
      includesUsage(below.body),
      () => 'expected stream_options.include_usage in the request to the provider; came none',
    ),
  ];
};
