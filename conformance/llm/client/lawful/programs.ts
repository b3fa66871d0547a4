/** Lawful programs: the reference as a whole program, with an oddity that agents in use have. No rule may blame it. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject, OpenCall } from '../../../../src/kit/base/index.ts';
import type { MakePeer } from '../../../../src/kit/suite/index.ts';
import type { ClientParts, Decoded, LlmMessage, LlmRequest, TurnResult } from '../../../../src/llm/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import { withToolCalls } from '../mutants/mutant.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { ProgramTurn } from '../program-turn.ts';
import { client } from '../target.ts';

/** The oddity of a program. As a testee, the peer is the reference. */
const asProgram =
  (parts: ClientParts) =>
  (reference: JsonObject = {}): MakePeer =>
    client(isObject(reference['program']) ? parts : {}, reference);

/** Answers a call that it does not run with a result that quotes it, and that no flag marks as an error. */
class QuotingTurn extends ProgramTurn {
  readonly #answered: OpenCall[] = [];

  override request(): LlmRequest {
    const request = super.request();
    const last = request.messages.at(-1);
    if (last === undefined || this.#answered.length === 0) return request;
    return {
      ...request,
      messages: [...request.messages.slice(0, -1), ...this.#answered.flatMap(quoted), last],
    };
  }

  override took(decoded: Decoded): TurnResult | undefined {
    const { open } = decoded.response;
    if (open !== undefined && decoded.error === undefined) this.#answered.push(open);
    return super.took(decoded);
  }
}

/** A call that was not run, and its result. */
const quoted = ({ id, name, partial }: OpenCall): readonly LlmMessage[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name, input: {} }] },
  {
    role: 'user',
    content: '',
    toolResults: [{ id, content: `The call was not run: ${partial}`, isError: false }],
  },
];

/** Runs calls as soon as they are complete, so that an answer that breaks off after them makes no difference. */
class EarlyTurn extends ProgramTurn {
  override took(decoded: Decoded): TurnResult | undefined {
    const { toolCalls } = decoded.response;
    const isEarly = decoded.error !== undefined && toolCalls.length > 0;
    return super.took(isEarly ? withToolCalls(decoded, toolCalls) : decoded);
  }
}

/** Answers a call that it cannot read with a result of its tool `invalid`, under the id of the call. */
class RenamingTurn extends QuotingTurn {
  override request(): LlmRequest {
    const request = super.request();
    const messages = request.messages.map((message) =>
      message.toolCalls === undefined
        ? message
        : {
            ...message,
            toolCalls: message.toolCalls.map((call) =>
              isObject(call.input) && Object.keys(call.input).length === 0
                ? { ...call, name: 'invalid', input: { tool: call.name, error: 'not JSON' } }
                : call,
            ),
          },
    );
    return { ...request, messages };
  }
}

/** Asks for a title first, without tools. */
class TitledTurn extends ProgramTurn {
  #titled = false;

  override request(): LlmRequest {
    const request = super.request();
    if (this.#titled) return request;
    return { ...request, tools: [], messages: [{ role: 'user', content: 'Name this conversation.' }] };
  }

  override took(decoded: Decoded): TurnResult | undefined {
    if (this.#titled) return super.took(decoded);
    this.#titled = true;
    return undefined;
  }
}

export const lawfulPrograms: ClientFaults = {
  'quotes-refused-calls': { make: asProgram({ turn: (options) => new QuotingTurn(options) }) },
  'runs-complete-calls-early': { make: asProgram({ turn: (options) => new EarlyTurn(options) }) },
  'exits-with-the-error': { make: asProgram({ turn: (options) => new ClientTurn(options) }) },
  'renames-unreadable-calls': { make: asProgram({ turn: (options) => new RenamingTurn(options) }) },
  'asks-for-a-title': { make: asProgram({ turn: (options) => new TitledTurn(options) }) },
  'does-not-stream': {
    make: asProgram({
      turn: (options) => new ProgramTurn(options),
      job: (job) => ({ ...job, turn: { ...job.turn, stream: false } }),
    }),
  },
};
