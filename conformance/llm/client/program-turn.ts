/** The reference as a whole program: it goes on after an answer that it cannot use, as agents do. */
import { ClientTurn } from '../../../src/llm/index.ts';
import type { Decoded, LlmRequest, TurnResult } from '../../../src/llm/index.ts';

/** The most answers after which the program goes on. */
const attemptsAtMost = 3;

/** A turn of an agent that asks again after a cut, a call that it does not run, or an error in mid-stream. */
export class ProgramTurn extends ClientTurn {
  #unusable = 0;

  override request(): LlmRequest {
    const request = super.request();
    if (this.#unusable === 0) return request;
    const content = `Answer ${this.#unusable} was not usable, and no call of it was run. Go on.`;
    return { ...request, messages: [...request.messages, { role: 'user', content }] };
  }

  override took(decoded: Decoded): TurnResult | undefined {
    const result = super.took(decoded);
    if (result === undefined || decoded.response.metadata.stopReason === 'end_turn') return result;
    return ++this.#unusable > attemptsAtMost ? result : undefined;
  }
}
