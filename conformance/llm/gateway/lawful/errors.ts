/** Oddities of failures. */
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { gatewayPeer } from '../target.ts';
import { inStreams, objectIn } from './edits.ts';

type ErrorResponse = ReturnType<NonNullable<GatewayParts['refused']>>;

/** Changes the body of a refusal. */
const refusedWith = (
  edit: (error: ErrorResponse['body'], message: string, status: number) => ErrorResponse['body'],
): GatewayParts => ({
  refused: (refusal, { message }) => ({
    ...refusal,
    body: edit(objectIn(refusal.body, 'error'), message, refusal.status),
  }),
});

/** Changes the message of a refusal. */
const saying = (edit: (message: string) => string): GatewayParts => ({
  refused: (refusal, { message }) => {
    const { error } = refusal.body;
    const said = edit(message);
    const body =
      typeof error === 'string'
        ? { ...refusal.body, error: said }
        : { ...refusal.body, error: { ...objectIn(refusal.body, 'error'), message: said } };
    return { ...refusal, body };
  },
});

export const errorOddities: Faults<GatewayParts> = {
  'message-wrapped': saying((message) => `anthropic error: ${message}`),
  'message-quotes-body': saying(
    (message) =>
      `litellm.RateLimitError: AnthropicException - ${JSON.stringify({ type: 'error', error: { message } })}. Received Model Group=m`,
  ),
  'chat-error-with-status-as-code': refusedWith((_, message, status) => ({
    error: { message, type: null, param: null, code: String(status) },
  })),
  'chat-error-without-type': refusedWith((_, message, code) => ({
    error: { message, code, metadata: { provider_name: 'somebody' } },
  })),
  'error-with-members': {
    refused: (refusal) => ({ ...refusal, body: { ...refusal.body, provider: 'somebody', status: 'failed' } }),
  },
  'server-errors-are-500': {
    refused: (refusal) => (refusal.status === 502 ? { ...refusal, status: 500 } : refusal),
  },
  'server-errors-are-503': {
    refused: (refusal) => (refusal.status >= 500 ? { ...refusal, status: 503 } : refusal),
  },
  'retry-after-longer': {
    refused: (refusal) =>
      refusal.headers['retry-after'] === undefined
        ? refusal
        : { ...refusal, headers: { ...refusal.headers, 'retry-after': '8' } },
  },
  'retry-after-as-date': {
    refused: (refusal) =>
      refusal.headers['retry-after'] === undefined
        ? refusal
        : { ...refusal, headers: { ...refusal.headers, 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' } },
  },
  'breaks-off': { breaksOff: true },
  'chat-done-behind-error': inStreams(
    'openai-chat',
    () => (data) => (data['error'] === undefined ? undefined : [data, { data: '[DONE]' }]),
  ),
  'chat-finish-beside-error': inStreams('openai-chat', () => {
    let last = {};
    return (data) => {
      if (data['error'] === undefined) last = data;
      const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }];
      return data['error'] === undefined ? undefined : [{ ...last, ...data, choices }];
    };
  }),
  'responses-error-then-failed': { variants: { responsesError: 'both' } },
  'responses-error-nested': { variants: { responsesError: 'nested' } },
  'responses-failed-only': { variants: { responsesError: 'failed' } },
  'stream-errors-are-api-errors': inStreams(
    'anthropic',
    () => (data) =>
      data['type'] === 'error'
        ? [{ ...data, error: { ...objectIn(data, 'error'), type: 'api_error' } }]
        : undefined,
  ),
  'context-is-an-error': {
    pieces: () => (piece) =>
      piece.do === 'stop' && piece.reason === 'context_window'
        ? [{ do: 'error', error: { type: 'invalid_request', message: 'the context is full', status: 400 } }]
        : [piece],
  },
};

export const retryOddities: Faults<GatewayParts> = {
  'retries-once': { make: (options) => gatewayPeer({ retries: 1 }, options) },
};
