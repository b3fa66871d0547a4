/**
 * LLM-G48: requests at once are not mixed. Each answer of a crowd has a word of its own, `[answer …]`, as each request has one,
 * `[case …]`: a word in another place is that of another exchange.
 */
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { caseWords } from '../exchanges.ts';
import type { Above, Below } from '../exchanges.ts';
import { broken, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { hasBrokenCall, seemedLost } from './answered.ts';
import { isGoodAbove } from './works.ts';

/** The words of answers in an answer. */
function wordsOf(answer: NeutralAnswer): ReadonlySet<string> {
  const { text, refusal, thoughts, calls, error } = answer;
  const texts = [
    text,
    refusal,
    ...thoughts.map((thought) => thought.text),
    ...calls.map((call) => call.text),
    error?.message ?? '',
  ];
  return new Set(texts.flatMap((one) => one.match(/\[answer [a-z0-9-]+\]/g) ?? []));
}

/** Whether another exchange was open at a moment of this one, or is. */
const wasBeside = (above: Above, other: Above): boolean =>
  other !== above && (other.ended === undefined || other.ended.seq > above.seq);

/** The facts of a client's answer that is over, or of which the client leaves. */
export function mixedFacts(above: Above, all: Iterable<Above>): readonly GatewayFact[] {
  const own = new Set(above.below.flatMap(({ sent }) => [...wordsOf(sent.answer())]));
  const foreign = [...wordsOf(above.heard.answer())].find((word) => !own.has(word));
  if (foreign !== undefined)
    return [broken('LLM-G48', `expected the words of its own answer; came ${foreign} of another one`)];
  const beside = [...all].filter((other) => wasBeside(above, other));
  if (own.size === 0 || beside.length === 0) return [];
  const why = above.left === undefined ? harmedBy(above, beside) : undefined;
  return [why === undefined ? kept('LLM-G48') : broken('LLM-G48', why)];
}

/** Whether the provider gives a good answer, or gave one. Some ends may become errors above; those of these reasons may not. */
function isFine({ sent }: Below): boolean {
  const answer = sent.answer();
  const { error, stop } = answer;
  const isPlain = stop === undefined || stop.reason === 'end_turn' || stop.reason === 'tool_use';
  const isWell = sent.status === 200 && error === undefined && sent.end !== 'broken';
  return isWell && isPlain && !hasBrokenCall(answer);
}

/** Why an answer that did not come was harmed by the end of another exchange; undefined where nothing shows that. */
function harmedBy(above: Above, beside: readonly Above[]): string | undefined {
  const below = above.below.at(-1);
  if (below === undefined || !isFine(below) || isGoodAbove(above) || seemedLost(above, below))
    return undefined;
  const ended = beside.find((other) => other.left !== undefined || (isOver(other) && !isGoodAbove(other)));
  if (ended === undefined) return undefined;
  const what = ended.left === undefined ? 'failed' : 'lost its client';
  return `expected an answer that another exchange does not end; it ended when another one ${what}`;
}

const isOver = ({ ended }: Above): boolean => ended !== undefined;

/** The facts of a request that reached the provider: it has no word of another request. */
export function mixedRequestFacts(above: Above, below: Below): readonly GatewayFact[] {
  const own = new Set(caseWords(above.body ?? null));
  const foreign = caseWords(below.body ?? null).find((word) => !own.has(word));
  return foreign === undefined
    ? []
    : [broken('LLM-G48', `expected the words of its own request; came ${foreign} of another one`)];
}
