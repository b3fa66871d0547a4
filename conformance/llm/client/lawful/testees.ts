/** Lawful clients that answer a testee's turns: refusals, continuations, and whole bodies. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer, RoleFault } from '../../../../src/kit/suite/index.ts';
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
import { client, hosted, roleOf } from '../target.ts';

const lawful = (id: string, title: string, allowed: string, parts: ClientParts): LawfulPeer => ({
  id,
  title,
  allowed,
  make: (reference) => client(parts, reference),
});

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
const saysSo = (): RoleFault<unknown, ClientMessage, ClientMessage> => ({
  output: (output) => {
    const answer = output.type === 'send' && 'ok' in output.message ? output.message['ok'] : undefined;
    return output.type === 'send' && isObject(answer) && 'ops' in answer
      ? [{ ...output, message: { ...output.message, ok: { ...answer, streams: false } } }]
      : [output];
  },
});

const neverStreams: LawfulPeer = {
  id: 'never-streams',
  title: 'asks for whole bodies only, and says so',
  allowed: 'spec/llm/README.md, Clients, hello: streams',
  lacks: ['streaming'],
  make: (reference) => {
    const parts: ClientParts = { job: (job) => ({ ...job, turn: { ...job.turn, stream: false } }) };
    return hosted(intercepted(roleOf(parts, reference), saysSo));
  },
};

/** The lawful clients of this theme. */
export const lawfulTestees: readonly LawfulPeer[] = [
  lawful(
    'runs-early-and-reports',
    'a client that runs a call as soon as it is complete, and reports the error that follows',
    'LLM-C03 (they may be executed)',
    runsEarly,
  ),
  lawful(
    'refuses-huge-integers',
    'refuses a response with integers beyond 2^53',
    'spec/llm/requirements.yaml, LLM-C20',
    refusesHuge,
  ),
  lawful(
    'goes-on-with-a-note',
    'goes on after the limit, with a message of the assistant of its own making and a note of the user',
    'spec/llm/requirements.yaml, LLM-C19; Anthropic API: Handling stop reasons, max_tokens',
    goesOn((text, count, prompt) => [
      assistant(`(Cut ${count}.) ${text}`.trim()),
      { role: 'user', content: `Go on. ${prompt}` },
    ]),
  ),
  lawful(
    'goes-on-from-its-own-message',
    'goes on after the limit from a message of the assistant of its own making',
    'spec/llm/requirements.yaml, LLM-C19; Anthropic API: Prefilling',
    goesOn((text, count) => [assistant(`(Cut ${count}.) ${text}`.trim())]),
  ),
  lawful(
    'goes-on-with-two-messages',
    'goes on after the limit, with the text of the model and a second message of the assistant',
    'Anthropic API: Messages, consecutive turns; spec/llm/requirements.yaml, LLM-C19',
    goesOn((text, count, prompt) => [
      ...(text.trim() === '' ? [] : [assistant(text)]),
      assistant(`(The limit cut me, ${count}.)`),
      { role: 'user', content: `Go on. ${prompt}` },
    ]),
  ),
  neverStreams,
];
