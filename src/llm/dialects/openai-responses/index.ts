/** OpenAI Responses, `POST /v1/responses`: requests, streamed and whole answers, both ways. */
import type { Dialect } from '../shared/dialect.ts';
import { badBytes } from '../openai/body.ts';
import { errorBody } from '../openai/errors.ts';
import { answerHeaders } from '../openai/headers.ts';
import { decoder, readWhole } from './decode.ts';
import { renderer } from './render.ts';
import { countPath, readRequest, writeCount, writeRequest } from './request.ts';
import { whole } from './whole.ts';

/**
 * The dialect `openai-responses`: SSE of named events, ended by `response.completed`, `.incomplete` or `.failed`.
 *
 * @example
 * openaiResponses.count?.answer(12); // { object: 'response.input_tokens', input_tokens: 12 }
 */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  framing: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  headers: answerHeaders,
  paths: ['/v1/responses'],
  fixed: [],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'none',
    toolErrors: false,
    eagerTools: false,
    stopSequences: false,
    needsLimit: false,
    whole: true,
    serverTools: true,
    customTools: true,
    optionalUsage: false,
  },
  readRequest,
  badBytes,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
  count: {
    path: countPath,
    body: writeCount,
    answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
};
