/** Lawful clients that answer a testee's turns: refusals, continuations, and whole bodies. */
import { intercepted, onSend } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { RoleFault, OwnPeer } from '../../../../src/kit/suite/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type {
  ClientMessage,
  ClientParts,
  Decoded,
  LlmMessage,
  LlmRequest,
  TurnResult,
} from '../../../../src/llm/index.ts';
import { hugeIntegers } from '../exchange.ts';
import { changeDecoded } from '../mutants/mutant.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { hosted, roleOf } from '../target.ts';

/** Runs a call as soon as it is complete, and reports the error that follows. */
const runsEarly: ClientParts = {
  turn: (options) =>
    new (class extends ClientTurn {
      override took(decoded: Decoded): TurnResult | undefined {
        const result = super.took(decoded);
        const early = decoded.error === undefined ? [] : decoded.response.toolCalls;
        return result && { ...result, executed: [...result.executed, ...early] };
      }
    })(options),
};

/** Refuses a response in which a call has an integer beyond 2^53. */
const refusesHuge: ClientParts = changeDecoded((decoded, { calls }) =>
  calls.some(({ partial }) => hugeIntegers(partial).length > 0)
    ? { ...decoded, error: { kind: 'protocol', message: 'an integer is too large', retryable: false } }
    : decoded,
);

const assistant = (content: string): LlmMessage => ({ role: 'assistant', content });

/** The most continuations of one turn. */
const continuations = 2;

/** Goes on after the limit: appends these messages, and asks for more. */
const goesOn = (
  more: (text: string, count: number, prompt: string) => readonly LlmMessage[],
): ClientParts => ({
  turn: (options) =>
    new (class extends ClientTurn {
      readonly #more: LlmMessage[] = [];
      #count = 0;

      override request(): LlmRequest {
        const request = super.request();
        return { ...request, messages: [...request.messages, ...this.#more] };
      }

      override took(decoded: Decoded): TurnResult | undefined {
        const result = super.took(decoded);
        const { stopReason } = decoded.response.metadata;
        if (stopReason !== 'max_tokens' || this.#count >= continuations) return result;
        this.#more.push(...more(decoded.response.content, ++this.#count, options.prompt));
        return undefined;
      }
    })(options),
});

/** Says in `hello` that it never streams. */
const saysSo = (): RoleFault<unknown, ClientMessage, ClientMessage> =>
  onSend((message) => {
    const answer = 'ok' in message ? message['ok'] : undefined;
    return isObject(answer) && 'ops' in answer
      ? [{ ...message, ok: { ...answer, streams: false } }]
      : undefined;
  });

const neverStreams: OwnPeer = {
  make: (reference) => {
    const parts: ClientParts = { job: (job) => ({ ...job, turn: { ...job.turn, stream: false } }) };
    return hosted(intercepted(roleOf(parts, reference), saysSo));
  },
};

/** Knows functions only: it offers a custom tool as a function, with its schema. */
const functionsOnly: ClientParts = {
  job: (job) => ({
    ...job,
    turn: {
      ...job.turn,
      tools: job.turn.tools.map((tool) => {
        const { custom: _, ...asFunction } = tool;
        return asFunction;
      }),
    },
  }),
};

/** Shows the blocks and items that it does not know, beside its result. */
const showsBlocks: OwnPeer = {
  make: (reference) =>
    hosted(
      intercepted(roleOf({}, reference), () =>
        onSend((message) => {
          const answer = 'ok' in message ? message['ok'] : undefined;
          return isObject(answer) && 'tool_calls' in answer
            ? [{ ...message, ok: { ...answer, blocks: [{ type: 'wireproof_news', text: 'Not the text.' }] } }]
            : undefined;
        }),
      ),
    ),
};

export const lawfulTestees: ClientFaults = {
  'shows-unknown-blocks': showsBlocks,
  'offers-functions-only': functionsOnly,
  'runs-early-and-reports': runsEarly,
  'refuses-huge-integers': refusesHuge,
  'goes-on-with-a-note': goesOn((text, count, prompt) => [
    assistant(`(Cut ${count}.) ${text}`.trim()),
    { role: 'user', content: `Go on. ${prompt}` },
  ]),
  'goes-on-from-its-own-message': goesOn((text, count) => [assistant(`(Cut ${count}.) ${text}`.trim())]),
  'goes-on-with-two-messages': goesOn((text, count, prompt) => [
    ...(text.trim() === '' ? [] : [assistant(text)]),
    assistant(`(The limit cut me, ${count}.)`),
    { role: 'user', content: `Go on. ${prompt}` },
  ]),
  'never-streams': neverStreams,
};
