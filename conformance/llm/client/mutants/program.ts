/** Whole programs that run forbidden calls in their own way, or keep an error from their caller. */
import { intercepted, onOutput } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { MakePeer, RoleFault } from '../../../../src/kit/suite/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type {
  ClientMessage,
  ClientParts,
  Decoded,
  LlmRequest,
  TurnResult,
} from '../../../../src/llm/index.ts';
import { ProgramTurn } from '../program-turn.ts';
import { client, hosted, roleOf } from '../target.ts';
import { completeJson } from './repair.ts';
import { callFrom, withToolCalls, withoutError, withStopReason } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Parts of a program. As a testee, the mutant is the reference. */
const asProgram =
  (parts: ClientParts) =>
  (reference: Parameters<typeof roleOf>[1] = {}): MakePeer =>
    client(isObject(reference['program']) ? parts : {}, reference);

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

/** Believes the first lying stop signal only so far that it asks again, and runs the mended call at the second. */
class SecondLieTurn extends ProgramTurn {
  #lies = 0;

  override took(decoded: Decoded): TurnResult | undefined {
    const { open, metadata } = decoded.response;
    if (open === undefined || metadata.stopReason !== 'tool_use' || this.#lies++ === 0)
      return super.took(decoded);
    return super.took(
      withToolCalls(
        decoded,
        callFrom(open, (text) => JSON.parse(completeJson(text))),
      ),
    );
  }
}

/** Takes answers that broke off in some way for whole answers. */
class ContentTurn extends ProgramTurn {
  readonly #isTaken: (decoded: Decoded) => boolean;

  constructor(options: ConstructorParameters<typeof ProgramTurn>[0], isTaken: (decoded: Decoded) => boolean) {
    super(options);
    this.#isTaken = isTaken;
  }

  override took(decoded: Decoded): TurnResult | undefined {
    if (!this.#isTaken(decoded)) return super.took(decoded);
    return super.took(
      withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn'), toolCalls: [] }),
    );
  }
}

const brokeOff = ({ error }: Decoded): boolean =>
  error?.kind === 'truncated-stream' || error?.kind === 'connection';
const hasError = ({ error, response }: Decoded): boolean =>
  error?.kind === 'provider' && response.content !== '';

/** Makes a request again that failed. */
class SameAgainTurn extends ClientTurn {
  #failures = 0;

  override took(decoded: Decoded): TurnResult | undefined {
    const result = super.took(decoded);
    return decoded.error !== undefined && ++this.#failures < 3 ? undefined : result;
  }
}

/** Shows each answer before the next request. */
const showsAnswers = (): RoleFault<unknown, ClientMessage, ClientMessage> => {
  let dials = 0;
  return onOutput('dial', (dial) =>
    dials++ > 0 ? [{ type: 'tell', what: 'printed', detail: 'It was a dark and' }, dial] : undefined,
  );
};

export const programFaults: ClientFaults = {
  'runs-call-cut-again': { make: asProgram({ turn: (options) => new SecondCutTurn(options) }) },
  'runs-lying-call-again': { make: asProgram({ turn: (options) => new SecondLieTurn(options) }) },
  'ends-content-without-terminal': {
    make: asProgram({ turn: (options) => new ContentTurn(options, brokeOff) }),
  },
  'ends-content-with-error': { make: asProgram({ turn: (options) => new ContentTurn(options, hasError) }) },
  'asks-again-after-showing': {
    make: (reference = {}) =>
      isObject(reference['program'])
        ? hosted(
            intercepted(roleOf({ turn: (options) => new SameAgainTurn(options) }, reference), showsAnswers),
          )
        : client({}, reference),
  },
};
