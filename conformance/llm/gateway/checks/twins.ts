/** The answers of one case say the same: as a stream and as a body (LLM-G17), and however their bytes are cut (LLM-G45). */
import { exactText } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { argumentsOf, promptTokens, sameJson, sameWords } from '../compare.ts';
import { broken, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import type { Twin } from '../twins.ts';
import { isLimited } from './answered.ts';

const wholeCalls = ({ calls }: NeutralAnswer): readonly JsonObject[] =>
  calls.flatMap((call) => {
    const input = argumentsOf(call);
    return input === undefined ? [] : [{ name: call.name, input }];
  });

const usageOf = (answer: NeutralAnswer): string =>
  answer.usage === undefined
    ? ''
    : `${promptTokens(answer) ?? 0} and ${answer.usage.outputTokens ?? 0} tokens`;

/** The first difference of two answers, in words; undefined when they say the same. `isCounted`: their usage counts, too. */
export function difference(a: NeutralAnswer, b: NeutralAnswer, isCounted = true): string | undefined {
  if (a.text + a.refusal !== b.text + b.refusal)
    return `the texts ${quoted(a.text + a.refusal, 60)} and ${quoted(b.text + b.refusal, 60)}`;
  if (a.stop?.word !== b.stop?.word)
    return `the ends ${a.stop?.word ?? 'none'} and ${b.stop?.word ?? 'none'}`;
  // What is left of a call at a limit differs by its form (LLM-G09).
  if (isLimited(a)) return undefined;
  const [mine, other] = [wholeCalls(a), wholeCalls(b)];
  if (!sameJson(mine, other)) return `the calls ${exactText(mine)} and ${exactText(other)}`;
  if (!isCounted) return undefined;
  const [counted, again] = [usageOf(a), usageOf(b)];
  return counted !== '' && again !== '' && counted !== again ? `${counted}, then ${again}` : undefined;
}

/** What was heard. A refusal may come as text, after the other text or before it: a body of Chat Completions has no order. */
const heardOf = ({ sent, heard }: Twin): NeutralAnswer =>
  sent.refusal !== '' && sameWords(sent, heard)
    ? { ...heard, text: sent.text, refusal: sent.refusal }
    : heard;

/** What a case's next answer shows, next to its earlier ones. */
export function twinFacts(earlier: readonly Twin[], twin: Twin): readonly GatewayFact[] {
  return earlier.flatMap((other): GatewayFact[] => {
    const row = other.streamed === twin.streamed ? 'LLM-G45' : 'LLM-G17';
    const isCompared = row === 'LLM-G17' ? !other.cut && !twin.cut : other.cut !== twin.cut;
    // What noise changes is LLM-G46.
    if (!isCompared || other.noisy !== twin.noisy || difference(other.sent, twin.sent) !== undefined)
      return [];
    const isCounted = [other, twin].every(({ sent }) => sent.usage !== undefined);
    const different = difference(heardOf(other), heardOf(twin), isCounted);
    const what = row === 'LLM-G17' ? 'its stream and its body' : 'its bytes in other pieces';
    return [
      different === undefined
        ? kept(row)
        : broken(row, `expected ${what} to say the same; came ${different}`),
    ];
  });
}
