/** OpenAI Chat Completions, `POST /v1/chat/completions`: requests, streamed and whole answers, both ways. */
import type { Dialect } from '../shared/dialect.ts';
import { decoder } from './decode.ts';
import { errorBody } from './errors.ts';
import { renderer } from './render.ts';
import { readRequest, writeRequest } from './request.ts';
import { readWhole, whole } from './whole.ts';

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
  readRequest,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
};
