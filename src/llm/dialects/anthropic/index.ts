/** Anthropic's Messages API: requests, streamed and whole responses, errors and the counting of tokens. */
import type { JsonObject } from '../../../kit/base/index.ts';
import { parameterBoundary } from '../shared/json-scan.ts';
import type { Dialect, HeaderFields } from '../shared/dialect.ts';
import { badBytesWords } from './body-bytes.ts';
import { decoder, readWhole } from './decode.ts';
import { ping, renderer } from './render.ts';
import { countPath, readRequest, writeCount, writeRequest } from './request.ts';
import { errorBody, whole } from './whole.ts';

const model = (id: string): JsonObject => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-01-01T00:00:00Z',
});

/** OpenAI's API has the same paths; only Anthropic's clients send their version. */
const header = 'anthropic-version';

/** The request's id, and limits that no request comes near. */
const headers = (id: string): HeaderFields => ({
  'request-id': id,
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:00Z',
  'anthropic-ratelimit-tokens-limit': '4000000',
  'anthropic-ratelimit-tokens-remaining': '4000000',
  'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:00Z',
});

/** The dialect `anthropic`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  framing: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  headers,
  paths: ['/v1/messages'],
  fixed: [
    {
      method: 'GET',
      path: '/v1/models',
      header,
      answer: (id) => ({ data: [model(id)], has_more: false, first_id: id, last_id: id }),
    },
    { method: 'GET', path: '/v1/models/*', header, answer: model },
  ],
  callIdPrefix: 'toolu_',
  features: {
    thoughts: 'signed',
    toolErrors: true,
    eagerTools: true,
    stopSequences: true,
    needsLimit: true,
    whole: true,
    serverTools: true,
    customTools: false,
    optionalUsage: false,
  },
  readRequest,
  badBytes: badBytesWords,
  writeRequest,
  renderer,
  ping,
  // A parameter is sent only when it is complete, unless the tool has `eager_input_streaming`.
  visibleArguments: (json, end, tool) => (tool?.eager === true ? end : parameterBoundary(json, end)),
  whole,
  errorBody,
  decoder,
  readWhole,
  count: { path: countPath, body: writeCount, answer: (tokens) => ({ input_tokens: tokens }) },
};
