/** Whole programs that run forbidden calls in their own way. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Decoded, LlmRequest, TurnResult } from '../../../../src/llm/index.ts';
import { ProgramTurn } from '../program-turn.ts';
import { client } from '../target.ts';
import { completeJson } from './repair.ts';
import { callFrom, withToolCalls } from './mutant.ts';

/** Tries again with a larger limit after a cut, and runs the mended call when it is cut again. */
class SecondCutTurn extends ProgramTurn {
  #cuts = 0;

  override request(): LlmRequest {
    const request = super.request();
    const { maxTokens } = request;
    return maxTokens === undefined ? request : { ...request, maxTokens: maxTokens * 2 ** this.#cuts };
  }

  override took(decoded: Decoded): TurnResult | undefined {
    const { open, metadata } = decoded.response;
    if (open === undefined || metadata.stopReason !== 'max_tokens') return super.took(decoded);
    if (this.#cuts++ === 0) return undefined;
    return super.took(
      withToolCalls(
        decoded,
        callFrom(open, (text) => JSON.parse(completeJson(text))),
      ),
    );
  }
}

/** The mutants of whole programs. */
export const programMutants: readonly Mutant[] = [
  {
    breaks: 'LLM-C01',
    id: 'runs-call-cut-again',
    title: 'tries a cut call again with a larger limit, and runs it mended when it is cut again',
    make: (reference = {}) =>
      client(
        isObject(reference['program']) ? { turn: (options) => new SecondCutTurn(options) } : {},
        reference,
      ),
  },
];
