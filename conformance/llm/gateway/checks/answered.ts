/** An answer that is over, on both sides. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { argumentsOf } from '../compare.ts';
import type { GatewayFact } from '../facts.ts';
import type { Above, Below } from '../exchanges.ts';

/** A client's answer, and the provider's answer that it came from. */
export interface Answered {
  readonly above: Above;
  readonly below: Below;
  /** What the provider said. */
  readonly sent: NeutralAnswer;
  /** What the client heard. */
  readonly heard: NeutralAnswer;
}

/** A check of an answer. It gives a fact for each requirement that the answer put to the test. */
export type AnswerCheck = (answered: Answered) => readonly GatewayFact[];

/** Whether the client asked for a stream. Ollama streams unless the request says no. */
export function asksForStream({ body, dialect }: Above): boolean {
  const stream = isObject(body) ? body['stream'] : undefined;
  return dialect === 'ollama' ? stream !== false : stream === true;
}

/** Whether the client's dialect has arguments as JSON text here: its digits are then in the trace. */
export const hasTextArguments = ({ dialect, heard }: Above): boolean =>
  dialect === 'openai-chat' || dialect === 'openai-responses' || (dialect === 'anthropic' && heard.streamed);

/** Whether the arguments of a call are no JSON object. */
export const hasBrokenCall = ({ calls }: NeutralAnswer): boolean =>
  calls.some((call) => argumentsOf(call) === undefined);

/** Whether the answer ended as a limit does: of the output, or of the context. */
export const isLimited = ({ stop }: NeutralAnswer): boolean =>
  stop?.reason === 'max_tokens' || stop?.reason === 'context_window';

/** A provider that is silent for so long (ms) may be given up. No document says for how long a gateway waits. */
export const maySeemLost = 1000;

/**
 * Whether the provider was silent for so long that the gateway may have given it up: before its answer, in it, until it was let
 * go, or until the client's answer was over. On a busy machine, a barrier takes long, and so does a new connection: the gateway
 * waits from its client's request on, or from the end of an earlier attempt.
 */
export function seemedLost(above: Above, below: Below): boolean {
  const { sent, letGo } = below;
  const asked = above.below[above.below.indexOf(below) - 1]?.ended ?? above;
  const { first, latest = asked.at, silence, over, end } = sent;
  const until = over || end !== undefined ? 0 : (letGo?.at ?? above.heard.latest ?? 0) - latest;
  return Math.max(silence, (first ?? asked.at) - asked.at, until) >= maySeemLost;
}
