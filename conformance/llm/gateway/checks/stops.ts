/** LLM-G57: stop sequences for which the provider's dialect has no word. The gateway may end the answer there itself. */
import { readFullRequest } from '../../../../src/llm/gateway/index.ts';
import { broken, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { mostStops } from '../tables.ts';
import type { Answered } from './answered.ts';

/** What an answer shows of a stop sequence that the provider was not told. */
interface Stopped {
  readonly facts: readonly GatewayFact[];
  /** Whether the gateway ended the answer there. The provider's later words are then not due. */
  readonly isCut: boolean;
}

const unshown: Stopped = { facts: [], isCut: false };

export function stopped({ above, below, sent, heard }: Answered): Stopped {
  if (mostStops(below.dialect) !== 0) return unshown;
  const { stop = [] } = readFullRequest(above.dialect, above.body ?? null);
  const hits = stop.map((word) => sent.text.indexOf(word)).filter((at) => at >= 0);
  if (hits.length === 0) return unshown;
  const due = sent.text.slice(0, Math.min(...hits));
  if (heard.text === due) return { facts: [kept('LLM-G57')], isCut: true };
  const message = `expected the answer to end before a stop sequence, as ${quoted(due)}, or a refusal; came ${quoted(heard.text)}`;
  return { facts: [broken('LLM-G57', message)], isCut: false };
}
