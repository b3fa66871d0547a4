/** OpenAI Chat Completions, `POST /v1/chat/completions`: requests, streamed and whole answers, both ways. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Dialect } from '../shared/dialect.ts';
import { badBytes } from '../openai/body.ts';
import { errorBody } from '../openai/errors.ts';
import { answerHeaders } from '../openai/headers.ts';
import { decoder, readWhole } from './decode.ts';
import { renderer } from './render.ts';
import { readRequest, writeRequest } from './request.ts';
import { whole } from './whole.ts';

const model = (id: string): JsonObject => ({
  id,
  object: 'model',
  created: 1_767_225_600,
  owned_by: 'wireproof',
});

const models = (id: string): JsonObject => ({ object: 'list', data: [model(id)] });

/**
 * The dialect `openai-chat`: SSE of `data:` lines only, ended by `[DONE]`.
 *
 * @example
 * openaiChat.writeRequest({ dialect: 'openai-chat', model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [], stream: true, includeUsage: false }).path; // '/v1/chat/completions'
 */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  framing: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  headers: answerHeaders,
  // LM Studio serves the same API under its older paths, too.
  paths: ['/v1/chat/completions', '/api/v0/chat/completions'],
  fixed: [
    { method: 'GET', path: '/v1/models', answer: models },
    { method: 'GET', path: '/api/v0/models', answer: models },
    { method: 'GET', path: '/v1/models/*', answer: model },
  ],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'none',
    toolErrors: false,
    eagerTools: false,
    stopSequences: true,
    needsLimit: false,
    whole: true,
    serverTools: false,
    customTools: true,
    optionalUsage: true,
  },
  readRequest,
  badBytes,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
};
