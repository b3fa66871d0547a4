/** LLM-G51: large bodies arrive whole, or are refused with 413 where they are larger than 8 MiB. */
import { readFullRequest } from '../../../../src/llm/gateway/index.ts';
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import type { Above, Below } from '../exchanges.ts';
import { wholeLength } from '../compare.ts';
import { broken, held, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { shown } from '../../server/words.ts';
import type { AnswerCheck } from './answered.ts';

/** From this size on (bytes), a body is large: many servers take no larger one by default. */
const large = 1 << 20;

/** Up to this size (bytes) a body is owed: 8 MiB of text, and the rest of the request. */
const owed = (8 << 20) + (1 << 18);

const isLarge = ({ size }: Above): boolean => size > large;

const textLength = ({ messages }: FullRequest): number =>
  messages
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => sum + (part.kind === 'text' ? wholeLength(part.text) : 0), 0);

/** White space may be trimmed, and borders of parts written otherwise. */
const isShort = (due: number, came: number): boolean => came < due * 0.999;

/** A large request that reached the provider. */
export function largeRequestFacts(above: Above, below: Below): readonly GatewayFact[] {
  if (!isLarge(above)) return [];
  const due = textLength(readFullRequest(above.dialect, above.body ?? null));
  const came = textLength(readFullRequest(below.dialect, below.body ?? null));
  if (due <= large) return [];
  return [
    held(
      'LLM-G51',
      !isShort(due, came),
      () => `expected a request with ${due} characters of text; came ${came}`,
    ),
  ];
}

/** A large request that did not reach the provider; undefined for a small one, and for an answer that nobody gave. */
export function largeRefusal(above: Above): readonly GatewayFact[] | undefined {
  const { size, heard } = above;
  if (!isLarge(above) || heard.status === 200) return undefined;
  const may = size > owed;
  // A connection that closes while the client sends may take the answer away (RFC 9112, 9.6).
  if (heard.status === 0 && may) return [];
  const came = heard.status === 0 ? 'no answer' : `${heard.status} ${shown(heard.body)}`;
  const isLawful = may && (heard.status === 413 || heard.status === 400);
  return [
    isLawful
      ? kept('LLM-G51')
      : broken(
          'LLM-G51',
          `expected the provider to get a body of ${size} bytes${may ? ', or 413' : ''}; came ${came}`,
        ),
  ];
}

/** A large answer that is not streamed, where the provider's is good and the client's is not. */
export const largeLost: AnswerCheck = ({ above, below }) =>
  below.sent.bodySize <= large
    ? []
    : [broken('LLM-G51', `expected an answer of ${below.sent.bodySize} bytes; came ${above.heard.status}`)];

/** A large answer that is not streamed, where both are good. */
export const largeAnswer: AnswerCheck = ({ below, sent, heard }) => {
  if (below.sent.bodySize <= large) return [];
  const [due, came] = [wholeLength(sent.text), wholeLength(heard.text)];
  return [held('LLM-G51', !isShort(due, came), () => `expected ${due} characters of text; came ${came}`)];
};
