/** A client that does not read for a while loses nothing (LLM-G49), and does not make the gateway grow (LLM-G50). */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Streams } from '../../../../src/kit/judge/index.ts';
import type { About, Below } from '../exchanges.ts';
import { broken, held, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { sameWords } from '../compare.ts';
import type { AnswerCheck } from './answered.ts';

/** What a provider may write while the client does not read (bytes). */
const defaultWindow = 16 << 20;

/** What a provider's report shows of a gateway whose client does not read: it has written this much, and is over or held back. */
export function heldBackFacts(
  { data }: TraceEvent,
  view: { readonly reads: boolean; readonly about: About; readonly below: Streams<Below> },
): readonly GatewayFact[] {
  const { told, detail } = data;
  if (view.reads || (told !== 'stalled' && told !== 'flushed') || !isObject(detail)) return [];
  const { exchange, bytes } = detail;
  if (typeof exchange !== 'string' || typeof bytes !== 'number' || view.below.get(exchange) === undefined)
    return [];
  const { window = defaultWindow } = view.about;
  if (bytes > window)
    return [
      broken(
        'LLM-G50',
        `expected at most ${window} bytes of the provider while the client does not read; came ${bytes}`,
      ),
    ];
  return told === 'stalled' ? [kept('LLM-G50')] : [];
}

/** LLM-G49: the whole text, where both answers are good. */
export const slowAnswer: AnswerCheck = ({ above, sent, heard }) =>
  above.slow
    ? [
        held(
          'LLM-G49',
          sameWords(sent, heard),
          () =>
            `expected all ${sent.text.length} characters for a client that read late; came ${heard.text.length}`,
        ),
      ]
    : [];

/** LLM-G49, where the answer broke off or became an error, though the provider was well. */
export const slowLost: AnswerCheck = ({ above, heard }) =>
  above.slow && (above.heard.end === 'broken' || heard.error !== undefined)
    ? [broken('LLM-G49', 'expected the whole answer for a client that read late; it did not come')]
    : [];
