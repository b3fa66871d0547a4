/** Clients whose further requests are invalid or forbidden. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type { ClientParts, Decoded, LlmMessage, TurnResult } from '../../../../src/llm/index.ts';
import { changeExchange, changeDecoded } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Changes every message of a request. */
const editMessages = (edit: (message: LlmMessage) => LlmMessage): ClientParts =>
  changeExchange({ request: (request) => ({ ...request, messages: request.messages.map(edit) }) });

/** Changes every message of Anthropic's: other dialects have rows of their own. */
const editAnthropic = (edit: (message: LlmMessage) => LlmMessage): ClientParts =>
  changeExchange({
    request: (request) =>
      request.dialect === 'anthropic' ? { ...request, messages: request.messages.map(edit) } : request,
  });

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
      // On a WebSocket a response that does not exist is refused at once.
      if (body['type'] === 'response.create') return body;
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

export const requestFaults: ClientFaults = {
  'answers-first-call-only': editMessages((message) =>
    message.toolResults === undefined
      ? message
      : { ...message, toolResults: message.toolResults.slice(0, 1) },
  ),
  'invents-call-ids': editMessages(({ toolResults, ...message }) =>
    toolResults === undefined
      ? message
      : { ...message, toolResults: toolResults.map((one) => ({ ...one, id: `${one.id}-of-mine` })) },
  ),
  'sends-empty-text': changeExchange({
    request: (request) =>
      request.messages.length < 2
        ? request
        : { ...request, messages: [...request.messages, { role: 'user', content: '' }] },
  }),
  'invents-call-ids-at-server': continueAtServer((id) => `${id}-of-mine`),
  'retries-refusals': changeDecoded((decoded, { status }) =>
    decoded.error !== undefined && status >= 400 && status < 500
      ? { ...decoded, error: { ...decoded.error, retryable: true } }
      : decoded,
  ),
  'retries-for-ever': {
    job: (job) => ({ ...job, retries: { ...job.retries, attempts: Infinity, most: 1000 } }),
  },
  'retries-after-output': repeatRequest(
    ({ error }) => error?.kind === 'truncated-stream' || error?.kind === 'connection',
  ),
  'drops-signature': editAnthropic(({ thinking, ...message }) =>
    thinking === undefined ? message : { ...message, thinking: thinking.map(({ text }) => ({ text })) },
  ),
  'drops-thoughts': editAnthropic((message) => {
    const { thinking: _, ...rest } = message;
    return rest;
  }),
  'asks-the-same-again': repeatRequest(({ response }) => response.metadata.stopReason === 'max_tokens'),
  'asks-after-abort': repeatRequest(({ error }) => error?.kind === 'aborted'),
  'comes-too-soon': changeDecoded((decoded) => {
    const { retryAfterMs: _, ...error } = decoded.error ?? {
      kind: 'protocol',
      message: '',
      retryable: false,
    };
    return decoded.error === undefined ? decoded : { ...decoded, error };
  }),
};
