/** Clients whose further requests are invalid or forbidden. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type { ClientParts, Decoded, LlmMessage, TurnResult } from '../../../../src/llm/index.ts';
import { changeExchange, changeDecoded, mutant } from './mutant.ts';

/** Changes every message of a request. */
const editMessages = (edit: (message: LlmMessage) => LlmMessage): ClientParts =>
  changeExchange({ request: (request) => ({ ...request, messages: request.messages.map(edit) }) });

/** Repeats the request once when the response passes `test`. */
const repeatRequest = (test: (decoded: Decoded) => boolean): ClientParts => ({
  turn: (options) =>
    new (class extends ClientTurn {
      #again = true;

      override took(decoded: Decoded): TurnResult | undefined {
        const again = this.#again && test(decoded);
        this.#again &&= !again;
        const result = super.took(decoded);
        return again ? undefined : result;
      }
    })(options),
});

/**
 * Parts that continue a conversation of Responses at the server: a request with results has nothing but them, and
 * `previous_response_id`.
 */
export const continueAtServer = (idOf: (callId: string) => string = (id) => id): ClientParts =>
  changeExchange({
    body: (body) => {
      const items = Array.isArray(body['input']) ? body['input'].filter(isObject) : [];
      const outputs = items.filter(({ type }) => type === 'function_call_output');
      if (outputs.length === 0) return body;
      const input = outputs.map((one) => ({
        ...one,
        call_id: idOf(typeof one['call_id'] === 'string' ? one['call_id'] : ''),
      }));
      return { ...body, previous_response_id: 'resp_1', input };
    },
  });

/** The mutants about requests. */
export const requestMutants: readonly Mutant[] = [
  mutant(
    'LLM-C08',
    'answers-first-call-only',
    'answers only the first of several calls',
    editMessages((message) =>
      message.toolResults === undefined
        ? message
        : { ...message, toolResults: message.toolResults.slice(0, 1) },
    ),
  ),
  mutant(
    'LLM-C08',
    'invents-call-ids',
    'gives calls new ids, and other ids to their results',
    editMessages(({ toolResults, ...message }) =>
      toolResults === undefined
        ? message
        : { ...message, toolResults: toolResults.map((one) => ({ ...one, id: `${one.id}-of-mine` })) },
    ),
  ),
  mutant(
    'LLM-C08',
    'sends-empty-text',
    'puts a message without content before the results',
    changeExchange({
      request: (request) =>
        request.messages.length < 2
          ? request
          : { ...request, messages: [...request.messages, { role: 'user', content: '' }] },
    }),
  ),
  mutant(
    'LLM-C08',
    'invents-call-ids-at-server',
    'continues a conversation at the server with results of calls that the model did not make',
    continueAtServer((id) => `${id}-of-mine`),
  ),
  mutant(
    'LLM-C09',
    'retries-refusals',
    'repeats a request that was refused for good',
    changeDecoded((decoded, { status }) =>
      decoded.error !== undefined && status >= 400 && status < 500
        ? { ...decoded, error: { ...decoded.error, retryable: true } }
        : decoded,
    ),
  ),
  mutant('LLM-C09', 'retries-for-ever', 'tries again without end', {
    job: (job) => ({ ...job, retries: { ...job.retries, attempts: Infinity, most: 1000 } }),
  }),
  mutant(
    'LLM-C09',
    'retries-after-output',
    'repeats a request after a part of its answer was shown',
    repeatRequest(({ error }) => error?.kind === 'truncated-stream' || error?.kind === 'connection'),
  ),
  mutant(
    'LLM-C14',
    'drops-signature',
    'sends thoughts back without their signature',
    editMessages(({ thinking, ...message }) =>
      thinking === undefined ? message : { ...message, thinking: thinking.map(({ text }) => ({ text })) },
    ),
  ),
  mutant(
    'LLM-C14',
    'drops-thoughts',
    'sends no thoughts back',
    editMessages((message) => {
      const { thinking: _, ...rest } = message;
      return rest;
    }),
  ),
  mutant(
    'LLM-C19',
    'asks-the-same-again',
    'repeats a request whose answer was truncated',
    repeatRequest(({ response }) => response.metadata.stopReason === 'max_tokens'),
  ),
  mutant(
    'LLM-C10',
    'asks-after-abort',
    'makes a request in a turn that was aborted',
    repeatRequest(({ error }) => error?.kind === 'aborted'),
  ),
  mutant(
    'LLM-C22',
    'comes-too-soon',
    'does not wait as long as the provider asked',
    changeDecoded((decoded) => {
      const { retryAfterMs: _, ...error } = decoded.error ?? {
        kind: 'protocol',
        message: '',
        retryable: false,
      };
      return decoded.error === undefined ? decoded : { ...decoded, error };
    }),
  ),
];
